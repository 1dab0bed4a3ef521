// Reads a file for editing, or refuses it.
import { isUtf8 } from 'node:buffer'
import { closeSync, lstatSync, openSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { sha256, sha256OfDescriptor } from './chunks.ts'
import { DocumentError } from './document-error.ts'

export { sha256 } from './chunks.ts'

/** The largest file that is read: a text of JavaScript holds no more characters than about so many. */
const maxFileBytes = 500_000_000

/** A file as it was read. */
export type DocumentFile = MissingFile | PresentFile

/** There is no such file yet. */
export interface MissingFile {
  kind: 'missing'
  /** Where it would be. */
  path: string
}

/** A regular file with one name, whose bytes are UTF-8. */
export interface PresentFile {
  kind: 'present'
  /** The file itself: links are resolved. */
  path: string
  text: string
  /** Lowercase hex. */
  sha256: string
  mode: number
  uid: number
  gid: number
}

/** Reads the file behind a path, links followed. Throws `file_refused` or `file_unwritable`, naming the path. */
export function readDocumentFile(path: string): DocumentFile {
  const resolved = resolveLinks(path)
  if (resolved === undefined) return { kind: 'missing', path }
  const stats = statSync(resolved)
  refuseOddFiles(path, stats)
  return {
    kind: 'present',
    path: resolved,
    ...readText(path, resolved),
    mode: stats.mode & 0o7777,
    uid: stats.uid,
    gid: stats.gid,
  }
}

/** SHA-256 of a file's bytes; undefined when there is no such file, or none that can be read for editing. */
export function sha256OfFile(path: string): string | undefined {
  try {
    const resolved = resolveLinks(path)
    if (resolved === undefined) return undefined
    refuseOddFiles(path, statSync(resolved))
    const descriptor = openSync(resolved, 'r')
    try {
      return sha256OfDescriptor(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

function resolveLinks(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw unreadable(path, error)
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (isLink) throw refused(path, 'is a link to a file that does not exist')
  return undefined
}

function refuseOddFiles(path: string, stats: Stats): void {
  if (!stats.isFile()) throw refused(path, 'is not a regular file')
  if (stats.nlink > 1) throw refused(path, `has ${stats.nlink} names (hard links); replacing it would part them`)
  if (stats.size > maxFileBytes) throw refused(path, 'is larger than 500 MB')
}

/** The text whose UTF-8 are the file's bytes, shown by their hash: so the bytes of a large file never lie beside it. */
function readText(path: string, resolved: string): { text: string; sha256: string } {
  const text = readWhole(resolved, () => readFileSync(resolved, 'utf8'))
  const hash = sha256(text)
  if (hash === sha256OfFile(resolved) && !text.includes('\0')) return { text, sha256: hash }
  const bytes = readWhole(resolved, () => readFileSync(resolved))
  return { text: decode(path, bytes), sha256: sha256(bytes) }
}

function readWhole<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw unreadable(path, error)
  }
}

function decode(path: string, bytes: Buffer): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw refused(path, 'is UTF-16; only UTF-8 can be edited')
  }
  if (!isUtf8(bytes)) throw refused(path, `is not UTF-8 (byte offset ${firstInvalid(bytes)})`)
  const nul = bytes.indexOf(0)
  if (nul !== -1) throw refused(path, `holds a NUL byte (byte offset ${nul})`)
  return bytes.toString('utf8')
}

/** Where the first byte stands that belongs to no UTF-8 character: there decoding and encoding again differ first. */
function firstInvalid(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'))
  let offset = 0
  while (offset < bytes.length && bytes[offset] === again[offset]) offset++
  return offset
}

/** True for a Node error with this code. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | null)?.code ?? '')
}

function refused(path: string, what: string): DocumentError {
  return new DocumentError('file_refused', `${path} ${what}; it was left as it is`)
}

function unreadable(path: string, cause: unknown): DocumentError {
  const why = isCode(cause, 'EACCES', 'EPERM')
    ? 'permission denied'
    : ((cause as NodeJS.ErrnoException).code ?? 'unknown error')
  return new DocumentError('file_refused', `${path} cannot be read: ${why}`, { cause })
}
