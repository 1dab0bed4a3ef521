// Files that hold one bearer or capability. Their content is read to check it, and never shown or kept.
import { existsSync, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { ClientConfigError } from '../client-config-error.ts'
import { isCode } from '../../documents/document-file.ts'

/** A token file that can be used. */
export interface TokenFile {
  path: string
  /** The token; for comparison only. */
  token: string
  /** Permission bits. */
  mode: number
  uid: number
}

/** Reads a token file: a regular file with one line that is not blank. Throws `setup_refused`, naming setting and path. */
export function readTokenFile(setting: string, path: string): TokenFile {
  const stats = statOf(setting, path)
  if (!stats.isFile()) throw refused(setting, path, 'is not a regular file')
  const token = readText(setting, path).trim()
  if (token === '') throw refused(setting, path, 'is blank')
  if (/[\r\n]/.test(token)) throw refused(setting, path, 'holds more than one line')
  return { path, token, mode: stats.mode & 0o777, uid: stats.uid }
}

/** True for a path at which a file stands. */
export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** A sentence when others than its owner may read the file. */
export function noteOpenMode({ path, mode }: Pick<TokenFile, 'path' | 'mode'>, platform: NodeJS.Platform): string[] {
  const isOpen = platform !== 'win32' && (mode & 0o077) !== 0
  return isOpen ? [`${path} has mode ${octal(mode)}: other users of this machine may read it. chmod 600 ${path}`] : []
}

/** `0644` */
export function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

function statOf(setting: string, path: string): Stats {
  try {
    return statSync(path)
  } catch (error) {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    throw refused(
      setting,
      path,
      isLink ? 'is a link to nowhere' : isCode(error, 'ENOENT') ? 'does not exist' : 'cannot be read',
    )
  }
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw refused(
      setting,
      path,
      isCode(error, 'EACCES', 'EPERM') ? 'cannot be read: permission denied' : 'cannot be read',
    )
  }
}

function refused(setting: string, path: string, what: string): ClientConfigError {
  return new ClientConfigError('setup_refused', `${setting}: the file ${path} ${what}`)
}
