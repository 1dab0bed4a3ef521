import type { SqliteDatabase } from '../storage/database.ts'
import type { Clock } from '../timing/clock.ts'
import type { FileGuard } from './file-guard.ts'

/** Brings what was committed into the main file, so that whoever copies that file copies the purchases too. */
export interface Checkpoints {
  /** Something was committed: after a rest it goes into the main file. */
  committed(): void
  stop(): void
}

/** So long after the last commit: never in the way of a spend. While commits never rest, SQLite does it every 1,000 pages. */
const restMs = 1000

export function createCheckpoints(
  database: SqliteDatabase,
  guard: FileGuard,
  clock: Pick<Clock, 'after'>,
): Checkpoints {
  let cancel = () => {}
  const checkpoint = () => {
    try {
      guard.check()
      database.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // What is committed stays committed; the next commit tries again.
    }
  }
  return {
    committed() {
      cancel()
      cancel = clock.after(restMs, checkpoint)
    },
    stop: () => cancel(),
  }
}
