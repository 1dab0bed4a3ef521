// Looks over the content of a registry when it is opened, and that of a large one beside the work.
import { lstatSync } from 'node:fs'
import { checkBeside, type Thoroughness } from '../storage/check-beside.ts'
import { readOnly } from '../storage/database.ts'
import { isSound } from '../storage/integrity.ts'
import { RegistryRefused, type FileGuard } from './file-guard.ts'

/** Up to which size a registry is looked over how, in bytes. */
export interface CheckLimits {
  /** A larger one takes more than a tenth of a second, so it is checked in a process of its own. */
  readonly inPlaceBytes: number
  /** A larger one would keep its clients waiting, so its indexes are checked only when it is open. */
  readonly beforeUseBytes: number
}

export const checkLimits: CheckLimits = { inPlaceBytes: 4 * 1024 * 1024, beforeUseBytes: 256 * 1024 * 1024 }

/** How a registry is checked before it is used. */
export interface CheckOptions {
  limits: CheckLimits
  /** Does one piece of work, again while others hold the file. */
  patiently<T>(work: () => T): Promise<T>
  /** Gives up a check in a process of its own. */
  signal?: AbortSignal | undefined
}

/**
 * Checks a registry before it is used. Nothing is written, since closing a file that was opened for writing would bring a log that does
 * not belong to it into it for good. Throws RegistryRefused when its content is damaged.
 */
export async function refuseUnsound(path: string, { limits, patiently, signal }: CheckOptions): Promise<void> {
  const bytes = bytesOf(path)
  if (bytes === 0) return
  const how = bytes <= limits.beforeUseBytes ? 'full' : 'quick'
  const inPlace = () => patiently(() => readOnly(path, (database) => isSound(database, how)))
  const isGood = await (bytes <= limits.inPlaceBytes ? inPlace() : beside(path, how, inPlace, signal))
  if (!isGood) throw new RegistryRefused('its file is damaged; keep it and restore a backup')
}

/** Checks what `refuseUnsound` left out while the registry is in use, and gives it up when it is damaged. The result ends that. */
export function checkWhileInUse(path: string, limits: CheckLimits, guard: FileGuard): () => void {
  if (bytesOf(path) <= limits.beforeUseBytes) return () => {}
  try {
    const { isSound: found, stop } = checkBeside(path, 'tables')
    found.then(
      (isGood) => void (isGood || guard.lose('damaged')),
      // Stopped, or not possible here: what is damaged is found when it is read.
      () => {},
    )
    return stop
  } catch {
    return () => {}
  }
}

async function beside(
  path: string,
  how: Thoroughness,
  inPlace: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  signal?.throwIfAborted()
  let stop = () => {}
  try {
    const check = checkBeside(path, how)
    stop = check.stop
    signal?.addEventListener('abort', stop)
    return await check.isSound
  } catch (error) {
    if (signal?.aborted) throw error
    // Where no process can be started it takes its time here.
    return await inPlace()
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

function bytesOf(path: string): number {
  return ['', '-wal'].reduce((sum, side) => sum + (lstatSync(path + side, { throwIfNoEntry: false })?.size ?? 0), 0)
}
