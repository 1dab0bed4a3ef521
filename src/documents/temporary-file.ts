// The temporary file beside a file, from which it is replaced in one step.
import { randomBytes } from 'node:crypto'
import { closeSync, fchmodSync, fchownSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeWhole } from './chunks.ts'
import { isCode, type PresentFile } from './document-file.ts'

/** Writes and syncs a private file beside the target, then gives it the mode and, for root, the owner of the old file. */
export function writeTemporary(target: string, content: string | Buffer, like?: PresentFile): string {
  const name = `${temporaryPrefix(target)}${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  const temporary = path.join(path.dirname(target), name)
  const descriptor = openSync(temporary, 'wx', 0o600)
  try {
    writeWhole(descriptor, content)
    if (like !== undefined) adoptOwnership(descriptor, like)
    fsyncSync(descriptor)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  return temporary
}

function adoptOwnership(descriptor: number, like: PresentFile): void {
  if (process.getuid?.() === 0) fchownSync(descriptor, like.uid, like.gid)
  fchmodSync(descriptor, like.mode)
}

function temporaryPrefix(target: string): string {
  return `.${path.basename(target)}.hubu-unified-mcp-`
}

/** Removes what a crashed run of ours left beside the file. The temporary file of a process that lives is its own. */
export function removeStaleTemporaries(target: string): void {
  const prefix = temporaryPrefix(target)
  for (const name of readdirSync(path.dirname(target))) {
    const match = name.startsWith(prefix) ? /^(\d+)-[0-9a-f]{12}\.tmp$/.exec(name.slice(prefix.length)) : null
    if (match === null) continue
    const pid = Number(match[1])
    if (pid === process.pid || !isAlive(pid)) rmSync(path.join(path.dirname(target), name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}
