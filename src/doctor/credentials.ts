import { statSync } from 'node:fs'
import { environmentVariables as names, isBlank, readVariable, type Environment } from '../config/environment.ts'
import { failure, ok, warning, type Finding } from './finding.ts'

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

/** Which credentials are set, and whether their files are private (FIELD-CASES L06). Values and paths are never told. */
export function checkCredentials(env: Environment): Finding[] {
  return credentials.map((credential) => checkCredential(env, credential))
}

function checkCredential(env: Environment, { check, direct, file, defaultFile, without }: Credential): Finding {
  if (!isBlank(readVariable(env, direct))) return ok(check, `set in ${direct}`)
  const path = readVariable(env, file) || defaultFile
  if (path === undefined) return ok(check, `unset: ${without}`)
  const stat = statSync(path, { throwIfNoEntry: false })
  const isNamed = !isBlank(readVariable(env, file))
  if (stat === undefined) {
    if (!isNamed) return ok(check, `unset: ${without}`)
    return failure(check, `the file that ${file} names does not exist`, `Correct ${file}, or put the token there.`)
  }
  if (!stat.isFile())
    return failure(check, `what ${file} names is no file`, `Let ${file} name a text file with the token.`)
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
    return warning(
      check,
      'set in a file that others on this machine can read',
      `Run chmod 600 on the file that ${file} names.`,
    )
  }
  return ok(check, `set in a private file (${file})`)
}
