// Reads the files of a rendered stack profile, and refuses what somebody else could have put there.
import { isUtf8 } from 'node:buffer'
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { ClientConfigError } from '../client-config-error.ts'
import { json } from '../../documents/json.ts'
import { nodeAt, type ObjectNode, showPath, toPlain, type TreeNode } from '../../documents/tree.ts'
import { octal } from '../entry/token-file.ts'
import { namingFile } from '../../documents/document-error.ts'
import { isCode } from '../../documents/document-file.ts'

/** The largest manifest or handoff. */
const maxBytes = 1024 * 1024

/** Who must own the profile; undefined where the system has no such owners. */
export interface Ownership {
  uid: number | undefined
}

/** A JSON object of a profile: its bytes, and its members with nothing else allowed. */
export interface StackFile {
  path: string
  bytes: Buffer
  root: ObjectNode
}

/** Reads one file of the profile. Throws `setup_refused` or `file_broken` with the path. */
export function readStackFile(path: string, ownership: Ownership): StackFile {
  requireOwned(path, ownership, 'file')
  const bytes = readFileSync(path)
  if (bytes.length > maxBytes) throw refuse(path, 'is larger than 1 MiB')
  if (!isUtf8(bytes)) throw refuse(path, 'is not UTF-8')
  const { root } = namingFile(path, () => json.parse(bytes.toString('utf8')))
  refuseTwice(path, root, [])
  return { path, bytes, root }
}

/** Checks owner and mode of a file or folder that must not be a link. On Windows only that it is there. */
export function requireOwned(path: string, { uid }: Ownership, kind: 'file' | 'folder' | 'token file'): void {
  const stats = statsOf(path)
  const isRight = kind === 'folder' ? stats.isDirectory() : stats.isFile()
  if (!isRight) throw refuse(path, kind === 'folder' ? 'is not a folder' : 'is not a regular file')
  if (uid === undefined) return
  if (stats.uid !== uid) throw refuse(path, `belongs to user ${stats.uid}, not to you (${uid})`)
  const forbidden = kind === 'token file' ? 0o177 : 0o022
  if ((stats.mode & forbidden) === 0) return
  const remedy = kind === 'token file' ? 'chmod 600' : 'chmod go-w'
  throw refuse(path, `has mode ${octal(stats.mode)}, which lets others at it. ${remedy} ${path}`)
}

/** The member of a kind, or an error that names file and member. */
export function required<T>(
  file: StackFile,
  node: ObjectNode,
  key: string,
  check: (value: unknown) => value is T,
  rule: string,
): T {
  const value = nodeAt(node, [key])
  const plain = value && toPlain(value)
  if (plain !== undefined && check(plain)) return plain
  throw refuse(
    file.path,
    `${plain === undefined && value === undefined ? 'lacks' : 'has a wrong'} "${key}": it must be ${rule}`,
  )
}

/** Refuses members that the format does not know. */
export function refuseUnknown(file: StackFile, node: ObjectNode, known: readonly string[]): void {
  const unknown = node.members.find((member) => !known.includes(member.key))
  if (unknown !== undefined) throw refuse(file.path, `has an unknown member "${unknown.key}"`)
}

/** The error for a profile that cannot be used. */
export function refuse(path: string, what: string): ClientConfigError {
  return new ClientConfigError('setup_refused', `${path} ${what}`)
}

function statsOf(path: string): Stats {
  try {
    return lstatSync(path)
  } catch (error) {
    throw refuse(path, isCode(error, 'ENOENT', 'ENOTDIR') ? 'does not exist' : 'cannot be read')
  }
}

function refuseTwice(path: string, node: TreeNode, at: string[]): void {
  if (node.kind === 'list') for (const item of node.items) refuseTwice(path, item, at)
  if (node.kind !== 'object') return
  const seen = new Set<string>()
  for (const { key, value } of node.members) {
    if (seen.has(key)) throw refuse(path, `has the member ${showPath([...at, key])} twice`)
    seen.add(key)
    refuseTwice(path, value, [...at, key])
  }
}
