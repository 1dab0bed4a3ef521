import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'

/**
 * Whether nobody but us (and the system's own user) can change what lies in the folder: it is ours, others may not write to it, and
 * nobody can put another one into its place. False for one that is not there, and where the system knows no owners.
 */
export function isOnlyOurs(folder: string): boolean {
  const uid = process.getuid?.()
  if (uid === undefined) return false
  try {
    const real = realpathSync(folder)
    if (!isKeptBy(lstatSync(real), [uid])) return false
    for (let at = path.dirname(real), below = real; at !== below; below = at, at = path.dirname(at)) {
      const stat = lstatSync(at)
      // In a sticky folder, as /tmp is, only its owner may move what lies there.
      const isSticky = (stat.mode & 0o1000) !== 0
      if (!isKeptBy(isSticky ? { ...stat, mode: 0 } : stat, [uid, 0])) return false
    }
    return true
  } catch {
    return false
  }
}

/** The content of a file that only we can have written; undefined for every other, and for none. Never follows a link. */
export function readOnlyOurs(file: string): Buffer | undefined {
  const uid = process.getuid?.()
  if (uid === undefined || !isOnlyOurs(path.dirname(file))) return undefined
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    const stat = fstatSync(descriptor)
    return stat.isFile() && isKeptBy(stat, [uid]) ? readFileSync(descriptor) : undefined
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const isKeptBy = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, owners: readonly number[]): boolean =>
  owners.includes(uid) && (mode & 0o022) === 0
