// What an entry of the configuration says on this machine at the moment its server is started: variables of ours and files of
// values are looked up, and what they hold is a secret.
import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { ServerConfig } from '#generated/types/config.js'
import { leastHiddenLength, Secret } from '../redaction/secret.ts'

/** An entry that cannot be used as it stands. The message is one sentence that begins with its member, and holds no value. */
export class EntryProblem extends Error {
  override readonly name = 'EntryProblem'
}

/** Where values are looked up. */
export interface ValueSource {
  env: Readonly<Record<string, string | undefined>>
  home: string
}

/** An entry with every value in its place. */
export interface ExpandedEntry {
  command: string
  args: string[]
  cwd: string | undefined
  /** What the entry sets, from its file and itself. */
  env: Record<string, string>
  url: URL | undefined
  headers: Record<string, string>
  /** What must not be told: every value that was looked up, and long ones of variables and headers. */
  secrets: Secret[]
}

/** Longer files are not somebody's keys. */
const mostBytes = 64 * 1024
/** What may stand in an HTTP header value, and in its name. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Replaces `${NAME}` and `${NAME:-text}` in command, arguments, variables, address and headers by the variable of that name; `$${`
 * is a `${` as it stands. `env` and `headers` count before their files. Throws EntryProblem.
 */
export function expandEntry(settings: ServerConfig, source: ValueSource): ExpandedEntry {
  const secrets: Secret[] = []
  const expand = (member: string, text: string) => expandText(member, text, source.env, secrets)
  const expandAll = (member: string, texts: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(`${member}.${name}`, text)]))
  const fromFile = (member: 'env_file' | 'headers_file', parse: (text: string) => Record<string, string>) => {
    const file = settings[member]
    return file === undefined ? {} : parse(readValues(member, file.replace(/^~(?=\/)/, source.home)))
  }
  const files = { env: fromFile('env_file', parseVariables), headers: fromFile('headers_file', parseHeaders) }
  secrets.push(...[files.env, files.headers].flatMap(Object.values).map((value) => new Secret(value)))
  const headers = withoutDoubles({ ...files.headers }, expandAll('headers', settings.headers))
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) throw new EntryProblem('headers has a name that no HTTP header can have')
    if (!headerValue.test(value))
      throw new EntryProblem(`headers.${name} holds characters that no HTTP header can carry`)
  }
  const env = { ...files.env, ...expandAll('env', settings.env) }
  const long = [...Object.values(env), ...Object.values(headers)].filter(({ length }) => length >= leastHiddenLength)
  return {
    command: expand('command', settings.command ?? ''),
    args: (settings.args ?? []).map((text, index) => expand(`args[${index}]`, text)),
    cwd: settings.cwd?.replace(/^~(?=$|\/)/, source.home),
    env,
    url: settings.url === undefined ? undefined : toAddress(expand('url', settings.url)),
    headers,
    secrets: [...secrets, ...long.map((value) => new Secret(value))].filter((secret) => secret.reveal() !== ''),
  }
}

function expandText(
  member: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  secrets: Secret[],
): string {
  return text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (whole: string, inner: string | undefined) => {
    if (inner === undefined) return '${'
    const [, name, otherwise] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inner) ?? []
    if (name === undefined || !whole.endsWith('}'))
      throw new EntryProblem(
        `${member} has a \${ that begins neither \${NAME} nor \${NAME:-text}; write $\${ where a plain one is meant`,
      )
    const value = env[name]
    if (otherwise !== undefined && (value === undefined || value === '')) return otherwise
    if (value === undefined)
      throw new EntryProblem(
        `${member} needs the variable ${name.slice(0, 64)}, which is not set where this program was started`,
      )
    secrets.push(new Secret(value))
    return value
  })
}

function toAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new EntryProblem('url is no http or https address')
}

/** Anything but a plain file could keep us waiting, or never end. */
function readValues(member: string, file: string): string {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new EntryProblem(`${member} names no plain file`)
    if (stat.size > mostBytes) throw new EntryProblem(`${member} names a file that is larger than 64 KiB`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof EntryProblem) throw error
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new EntryProblem(`${member} names a file that ${isMissing ? 'does not exist' : 'cannot be read'}`)
  }
}

function parseVariables(text: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function parseHeaders(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), number: index + 1 }))
  return Object.fromEntries(
    lines
      .filter(({ line }) => line !== '' && !line.startsWith('#'))
      .map(({ line, number }) => {
        const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
        if (name === undefined || value === undefined)
          throw new EntryProblem(`headers_file has no "Name: value" in line ${number}`)
        return [name, value]
      }),
  )
}

/** Headers are the same in upper and lower case; what is set later counts. */
function withoutDoubles(first: Record<string, string>, second: Record<string, string>): Record<string, string> {
  const names = new Set(Object.keys(second).map((name) => name.toLowerCase()))
  const kept = Object.entries(first).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...second }
}
