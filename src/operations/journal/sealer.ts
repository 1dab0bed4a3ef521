// Appends entries for what has happened, soon after it happened and in the background: no call waits for it.
import type { SqliteDatabase } from '../../storage/database.ts'
import type { Clock } from '../../timing/clock.ts'
import type { RegistryAccess } from '../transaction.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { batch, type Remembered } from './facts.ts'
import type { Journal } from './journal.ts'
import { createSealing } from './sealing.ts'

/** A noted transition is sealed within this time. */
const sealWithinMs = 250
/** Two commits are at least so far apart. */
const betweenCommitsMs = 50
/** What another process left is looked for so often, while anything is open. */
const sweepEveryMs = 10_000

/** The file and journal that a sealer works in, and what it takes from outside. */
export interface SealerOptions {
  database: SqliteDatabase
  access: RegistryAccess
  journal: Journal
  /** Texts as well, or only amounts and hashes. */
  hasTexts: boolean
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'after'>
  /** 32 hex digits, independent at every call. */
  salt(): string
  /** One sentence for the log: sealing failed, and is tried again. */
  warn(message: string): void
}

/** Seals what happens to operations. */
export interface Sealer {
  /** What this process knows of answers on their way; whatever is told here is sealed as well. */
  deliveries: Deliveries
  /** Something happened to an operation: seal it soon. `remembered` is known to the process that opened it, and to no other. */
  note(handle: string, remembered?: Remembered): void
  /** Seals everything that is noted, and what other processes left, until nothing is due. */
  sealAll(): Promise<void>
  /** Begins to look for what other processes left. */
  start(): void
  /** Seals what is noted and ends. Never rejects. */
  stop(): Promise<void>
}

/** Creates a sealer for an opened file whose journal exists. It does nothing until `start` or a note. */
export function createSealer(options: SealerOptions): Sealer {
  const { clock } = options
  const deliveries = createDeliveries(clock, (handle) => note(handle))
  /** Every note is an object of its own, so that one made while a commit waits is not taken for the one before. */
  const noted = new Map<string, { remembered: Remembered | undefined }>()
  const rememberedOf = (handle: string) => noted.get(handle)?.remembered
  const sealing = createSealing({ ...options, deliveries, rememberedOf })
  /** Up to this entry, every operation has its facts. */
  let checkedTo = 0
  let cancel: (() => void) | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  let hasOpen = true
  let isFirstSweep = true
  let nextSweepMs = -Infinity

  const sealNoted = async () => {
    while (noted.size > 0) {
      const handles = [...noted.keys()].slice(0, batch)
      const before = new Map(handles.map((handle) => [handle, noted.get(handle)]))
      await sealing.seal(handles)
      // What was noted anew while the commit waited stays noted.
      for (const [handle, mine] of before) if (noted.get(handle) === mine) noted.delete(handle)
    }
  }

  /** What a process that is gone has left, and how many operations began without a first entry. */
  const sweep = async () => {
    // Read first, so that what is opened meanwhile is looked for next time.
    const newest = await sealing.newest()
    const missing = await sealing.missing(checkedTo)
    for (let at = 0; at < missing.length; at += batch)
      await sealing.seal(missing.slice(at, at + batch).map(({ handle }) => handle))
    checkedTo = Math.max(newest, missing.at(-1)?.no ?? 0)
    hasOpen = false
    for (let after = 0; ;) {
      const open = await sealing.open(after)
      if (open.length === 0) break
      hasOpen = true
      after = open.at(-1)!.no
      const behind = await sealing.behind(open)
      if (behind.length > 0) await sealing.seal(behind.map(({ handle }) => handle))
    }
    if (!isFirstSweep) return
    isFirstSweep = false
    await sealing.noteGap()
  }

  const run = (work: () => Promise<void>) => {
    running = running.then(work).catch(() => {
      options.warn('The journal of purchases could not be written; it is tried again.')
      if (!isStopped) schedule(sweepEveryMs)
    })
    return running
  }

  const round = async () => {
    await sealNoted()
    if (clock.monotonicMs() >= nextSweepMs) {
      nextSweepMs = clock.monotonicMs() + sweepEveryMs
      await sweep()
    }
    if (isStopped) return
    const waitMs = deliveries.nextWaitMs()
    if (noted.size > 0) schedule(betweenCommitsMs)
    else if (hasOpen || waitMs !== null)
      schedule(Math.max(betweenCommitsMs, Math.min(waitMs ?? sweepEveryMs, sweepEveryMs)))
  }

  let dueMs = Infinity
  const schedule = (ms: number) => {
    const at = clock.monotonicMs() + ms
    if (isStopped || at >= dueMs) return
    cancel?.()
    dueMs = at
    cancel = clock.after(ms, () => {
      cancel = undefined
      dueMs = Infinity
      void run(round)
    })
  }

  function note(handle: string, remembered?: Remembered): void {
    noted.set(handle, { remembered: remembered ?? rememberedOf(handle) })
    hasOpen = true
    schedule(sealWithinMs - betweenCommitsMs)
  }

  return {
    deliveries,
    note,
    sealAll: () =>
      run(async () => {
        await sealNoted()
        await sweep()
      }),
    start: () => schedule(sealWithinMs),
    stop: async () => {
      isStopped = true
      cancel?.()
      await run(sealNoted)
    },
  }
}
