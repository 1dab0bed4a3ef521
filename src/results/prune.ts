import type { Clock } from '../timing/clock.ts'
import type { ResultsFile } from './results-file.ts'
import type { Statements } from './statements.ts'

/** Chunks removed, and pages given back, in one transaction: a few milliseconds each. */
const stepChunks = 32
const stepPages = 128

/** The file that grows too old or too large. */
export interface PruneOptions {
  file: ResultsFile
  clock: Pick<Clock, 'nowMs' | 'turn'>
}

/** How far one round of pruning goes. */
export interface PruneBounds {
  /** Default: until nothing is left. */
  maxSteps?: number
  /** How long each step waits for other processes. Default: the file's own patience. */
  patienceMs?: number
}

/** Removes expired and unfinished results in small steps. Says how many results went. Rejects with StoreFailure. */
export async function removeExpired(options: PruneOptions, bounds: PruneBounds = {}): Promise<number> {
  return removeEach(options, bounds, (find) => find.expired(options.clock.nowMs()))
}

/** Removes every result, expired or not. Says how many. Rejects with StoreFailure. */
export async function removeAll(options: PruneOptions): Promise<number> {
  return removeEach(options, {}, (find) => find.any())
}

/** Gives free pages back to the file system in small steps. Rejects with StoreFailure. */
export async function shrink({ file, clock }: PruneOptions): Promise<void> {
  if (((await file.read((statements) => statements.freePages())) ?? 0) === 0) return
  let before = Number.POSITIVE_INFINITY
  for (;;) {
    const free = await file.write((statements) => statements.shrink(stepPages))
    if (free === 0 || free >= before) return
    before = free
    await clock.turn()
  }
}

async function removeEach(
  { file, clock }: PruneOptions,
  { maxSteps = Number.POSITIVE_INFINITY, patienceMs }: PruneBounds,
  next: (find: Pick<Statements, 'expired' | 'any'>) => string | undefined,
): Promise<number> {
  let results = 0
  for (let step = 0; step < maxSteps; step++) {
    // Looking takes no lock; another process may be pruning the very same results, which is no harm.
    const callId = await file.read(next, patienceMs)
    if (callId === undefined) return results
    const removed = await file.write((statements) => statements.remove(callId, stepChunks), patienceMs)
    if (removed < stepChunks) results++
    await clock.turn()
  }
  return results
}
