import { statSync, type Stats } from 'node:fs'
import { environmentVariables as names, isBlank, readVariable, type Variables } from '../config/environment.ts'
import { readPlainFile } from '../documents/plain-file.ts'
import { leastHiddenLength, Secret } from '../redaction/secret.ts'
import { failure, ok, warning, type Finding } from './finding.ts'
import { expiredAt } from './token-age.ts'

/** One credential: its variable, its file variable, and what is missing without it. */
interface Credential {
  check: string
  direct: string
  file: string
  defaultFile?: string
  without: string
}

const credentials: readonly Credential[] = [
  { check: 'hubu token', direct: names.hubuToken, file: names.hubuTokenFile, without: 'Hubu stays unconfigured' },
  {
    check: 'gongbu token',
    direct: names.gongbuToken,
    file: names.gongbuTokenFile,
    without: 'Gongbu stays unconfigured',
  },
  {
    check: 'reconciliation token',
    direct: names.reconciliationToken,
    file: names.reconciliationTokenFile,
    defaultFile: 'hubu.reconciliation-token',
    without: 'the two reconciliation tools cannot be used',
  },
]

/** Which credentials are set, and whether their files are private. Values and paths are never told. */
export function checkCredentials(env: Variables, nowMs: number): Finding[] {
  return credentials.map((credential) => checkCredential(env, credential, nowMs))
}

function checkCredential(
  env: Variables,
  { check, direct, file, defaultFile, without }: Credential,
  nowMs: number,
): Finding {
  const given = readVariable(env, direct)
  if (!isBlank(given)) return judge(check, direct, given, nowMs) ?? ok(check, `set in ${direct}`)
  const isNamed = !isBlank(readVariable(env, file))
  const path = readVariable(env, file) || defaultFile
  const name = isNamed ? `the file that ${file} names` : `the file ${defaultFile}`
  const stat = path === undefined ? undefined : statOf(path)
  if (stat === undefined) {
    if (!isNamed) return ok(check, `unset: ${without}`)
    return failure(check, `${name} does not exist`, `Correct ${file}, or put the token there.`)
  }
  if (stat === 'unreachable')
    return failure(check, `${name} cannot be looked at`, 'Look at the links and the permissions on the way to it.')
  if (!stat.isFile()) return failure(check, `${name} is no file`, `Let ${file} name a text file with the token.`)
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
    return warning(check, 'set in a file that others on this machine can read', `Run chmod 600 on ${name}.`)
  return judge(check, name, textOf(path), nowMs) ?? ok(check, `set in a private file (${isNamed ? file : defaultFile})`)
}

/** What is wrong with the token itself, as far as it can be seen. */
function judge(check: string, where: string, text: string | undefined, nowMs: number): Finding | undefined {
  const endedAt = text === undefined ? undefined : expiredAt(text.trim(), nowMs)
  if (endedAt !== undefined)
    return failure(check, `set in ${where}, and expired at ${endedAt}`, 'Get a new token from whoever gave this one.')
  return isShort(text) ? tooShort(check, where) : undefined
}

/** A blank one is told elsewhere. */
function isShort(text: string | undefined): boolean {
  return text !== undefined && !isBlank(text) && new Secret(text).isShort
}

function tooShort(check: string, where: string): Finding {
  return warning(
    check,
    `set in ${where}, with fewer than ${leastHiddenLength} characters`,
    'It is hidden only where it stands alone in a text. Use a longer token.',
  )
}

function textOf(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : readPlainFile(path, 64 * 1024).toString('utf8')
  } catch {
    return undefined
  }
}

/** Undefined when there is no such file. */
function statOf(path: string): Stats | 'unreachable' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return 'unreachable'
  }
}
