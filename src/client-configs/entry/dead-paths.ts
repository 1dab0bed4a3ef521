// Files that an entry names and that are not there, so that a client cannot start it as it should. Only reads.
import { existsSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'
import { type ServerDefinition } from '../clients/client.ts'
import { type Environment } from '../environment.ts'
import { namesVersion } from './stable-node.ts'

/** One file that is missing. */
export interface DeadPath {
  what: 'command' | 'program' | 'configuration' | 'token file'
  path: string
  /** A folder of one version of Node, which went with it. */
  isOldNode: boolean
}

/** What is missing of a local server: the command, the program that Node is to run, its configuration, its token files. */
export function deadPaths({ command, args = [], env = {} }: ServerDefinition, where: Environment): DeadPath[] {
  if (command === undefined) return []
  const dead = (what: DeadPath['what'], file: string): DeadPath[] =>
    isThere(file, where) ? [] : [{ what, path: file, isOldNode: what === 'command' && namesVersion(file) }]
  const script = scriptOf(args)
  const config = optionOf(args, '--config')
  const tokens = Object.entries(env).filter(([name]) => name.endsWith('_TOKEN_FILE'))
  return [
    ...(isInPath(command) ? findInPath(command, where) : dead('command', command)),
    ...(script === undefined ? [] : dead('program', script)),
    ...(config === undefined ? [] : dead('configuration', config)),
    ...tokens.flatMap(([, file]) => dead('token file', file)),
  ]
}

/** The file that Node is to run; undefined for a command that runs by itself. */
export function scriptOf(args: readonly string[]): string | undefined {
  const [first] = args
  return first !== undefined && /\.[cm]?js$/.test(first) && path.isAbsolute(first) ? first : undefined
}

/** The value of an option in a command line. */
export function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name)
  return at < 0 ? args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) : args[at + 1]
}

/** The token files that exist and that others on this machine may read or write. */
export function openTokenFiles(
  { env = {} }: ServerDefinition,
  { platform, cwd }: Environment,
): { path: string; mode: number }[] {
  if (platform === 'win32') return []
  return Object.entries(env).flatMap(([name, file]) => {
    if (!name.endsWith('_TOKEN_FILE')) return []
    const found = path.resolve(cwd, file)
    const stats = look(found)
    return stats?.isFile() === true && (stats.mode & 0o077) !== 0 ? [{ path: found, mode: stats.mode & 0o777 }] : []
  })
}

/** A file that cannot be looked at is nobody's to mend here. */
function look(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

const isInPath = (command: string): boolean => !/[\\/]/.test(command)

function findInPath(command: string, { env, platform }: Environment): DeadPath[] {
  const isWindows = platform === 'win32'
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':').filter((folder) => folder !== '')
  const ends = isWindows ? ['', '.cmd', '.exe', '.bat'] : ['']
  const isFound = folders.some((folder) => ends.some((end) => existsSync(path.join(folder, command + end))))
  return isFound ? [] : [{ what: 'command', path: command, isOldNode: false }]
}

function isThere(file: string, { cwd }: Environment): boolean {
  return existsSync(path.resolve(cwd, file))
}
