// Holds the open registry against the path that it was opened by: SQLite goes on writing into a file that was deleted, moved or
// replaced, where no other router finds what is written.
import { lstatSync } from 'node:fs'
import { RouterError } from '../errors/router-error.ts'

/** What lies at the path must not be used as a registry. The message names no path. */
export class RegistryRefused extends Error {
  override readonly name = 'RegistryRefused'
}

/** Why a registry that was open cannot be used any more. */
export type LossReason = 'replaced' | 'damaged'

/** Stands before every use of an opened registry. */
export interface FileGuard {
  /** Throws `operation_registry_unavailable` from the first difference on, for good. */
  check(): void
  /** Gives the file up. Only the first reason counts. */
  lose(reason: LossReason): void
  /** Why it was given up; null while it is in use. */
  readonly lost: LossReason | null
  /** Calls back once, when it is given up. */
  onLost(listener: (reason: LossReason) => void): void
}

/** A main file, its log and the index of the log. */
const sides = ['', '-wal', '-shm'] as const

/** Guards the files that lie at the path now, which the caller has just opened. Throws when they are not what they must be. */
export function createFileGuard(path: string): FileGuard {
  const opened = sides.map((side) => identityOf(path + side))
  if (opened.includes(undefined))
    throw new RegistryRefused('its file or a side file of it vanished while it was opened')
  let lost: LossReason | null = null
  let tell = (_reason: LossReason) => {}
  const lose = (reason: LossReason) => {
    if (lost !== null) return
    lost = reason
    tell(reason)
  }
  return {
    check() {
      if (lost === null && sides.some((side, at) => identityOf(path + side) !== opened[at])) lose('replaced')
      if (lost !== null) throw registryLost(lost)
    },
    lose,
    get lost() {
      return lost
    },
    onLost(listener) {
      tell = listener
      if (lost !== null) listener(lost)
    },
  }
}

/** Refuses what must not be opened: links of either kind, other special files, and a log whose main file is gone. */
export function refuseStrangeFiles(path: string): void {
  for (const side of [...sides, '-journal']) {
    const stat = lstatSync(path + side, { throwIfNoEntry: false })
    if (stat === undefined) continue
    if (!stat.isFile())
      throw new RegistryRefused('its file or a side file of it is a link, a folder or another special file')
    if (stat.nlink > 1) throw new RegistryRefused('its file or a side file of it has more than one name (a hard link)')
  }
  const [main, log] = ['', '-wal'].map((side) => lstatSync(path + side, { throwIfNoEntry: false })?.size ?? 0)
  if (main === 0 && log !== 0)
    throw new RegistryRefused('its log is there and holds something, but the registry itself is missing or empty')
}

/** Which file it is; undefined when it is none of ours alone. */
function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat?.isFile() && stat.nlink === 1 ? `${stat.dev}:${stat.ino}` : undefined
  } catch {
    // Node 20 throws where a file stands in the place of a folder.
    return undefined
  }
}

function registryLost(reason: LossReason): RouterError {
  return new RouterError(
    'operation_registry_unavailable',
    reason === 'replaced'
      ? 'The registry file was moved, deleted or replaced while it was in use, so nothing was sent. An operator must put it back and start the router again; then redeliver this identical call.'
      : 'The registry file is damaged, so nothing was sent. An operator must keep the file, restore a backup and start the router again; then redeliver this identical call.',
  )
}
