import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../timing/clock.ts'

/** The file that is watched, and who hears of it. */
export interface FileWatchOptions {
  path: string
  clock: Pick<Clock, 'after'>
  /** What stands in the file now; undefined while there is none that can be read. */
  onChange(bytes: Uint8Array | undefined): void
  /** How often it is looked; every two seconds unless given. */
  lookEveryMs?: number
}

const usualLookMs = 2000
/** A file that changes within this time is still being written. */
const settleMs = 200

/**
 * Looks after a file by its name, so that replacing it is noticed as well; the first look reads it. A pipe or a device is not
 * looked after. The result ends it.
 */
export function watchFile({ path, clock, onChange, lookEveryMs = usualLookMs }: FileWatchOptions): () => void {
  let isStopped = false
  let cancel = () => {}
  let known: string | undefined
  const lookIn = (ms: number, seen?: string) => {
    if (!isStopped) cancel = clock.after(ms, () => void look(seen))
  }

  async function look(seen: string | undefined): Promise<void> {
    const { stamp, isFile } = await lookAt(path)
    if (stamp === known) return lookIn(lookEveryMs)
    if (stamp === noFile && known === undefined) return
    if (stamp !== seen) return lookIn(settleMs, stamp)
    const bytes = isFile ? await readFile(path).catch(() => undefined) : undefined
    const afterwards = await lookAt(path)
    if (isStopped) return
    if (afterwards.stamp !== stamp) return lookIn(settleMs, afterwards.stamp)
    known = stamp
    onChange(bytes)
    lookIn(lookEveryMs)
  }

  lookIn(lookEveryMs)
  return () => {
    isStopped = true
    cancel()
  }
}

const noFile = 'no file'

/** The stamp is another one for every other content of the file. */
async function lookAt(path: string): Promise<{ stamp: string; isFile: boolean }> {
  try {
    const found = await stat(path, { bigint: true })
    if (!found.isFile()) return { stamp: noFile, isFile: false }
    return { stamp: [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(), isFile: true }
  } catch (error) {
    return { stamp: (error as NodeJS.ErrnoException).code ?? 'unknown', isFile: false }
  }
}
