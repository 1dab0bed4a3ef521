// Keeps the exact bytes of a result until they expire.
import { createHash } from 'node:crypto'
import type { Clock } from '../timing/clock.ts'
import { Chunker } from './chunker.ts'
import { Pace, turnMs } from '../timing/pace.ts'
import { removeExpired } from './prune.ts'
import type { ResultsFile } from './results-file.ts'
import type { ResultHeader, Statements } from './statements.ts'
import { StoreFailure } from './store-failure.ts'

/** Stored results live for so long. */
export const retentionMs = 24 * 60 * 60 * 1000

/** After this, what is still unfinished was left by a process that died. */
const unfinishedMs = 10 * 60 * 1000

/** Writing may take this long, and longer at a rate that even a slow disk has: then the result goes out whole. */
const graceMs = 5000
const slowestBytesPerMs = 10_000

const largestStepChunks = 16
/** Steps of expired results removed before a new one is stored. */
const pruneSteps = 4

/** The file that results go to. */
export interface SpoolOptions {
  file: ResultsFile
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'turn'>
}

/** What was stored. */
export interface Spooled {
  totalBytes: number
  sha256: string
}

/** A result about to be stored. */
export type SpoolHeader = Omit<ResultHeader, 'createdAtMs' | 'expiresAtMs'>

/**
 * Stores a result in steps of a few milliseconds. Nobody can read it before it is whole, and what a failure leaves is
 * removed, now or after ten minutes. Rejects with StoreFailure.
 */
export async function spool(options: SpoolOptions, header: SpoolHeader, pieces: Iterable<string>): Promise<Spooled> {
  // Whoever holds the file now will be waited for below, once.
  await removeExpired(options, { maxSteps: pruneSteps, patienceMs: 0 }).catch(() => 0)
  try {
    return await writeAll(options, header, pieces)
  } catch (error) {
    // The caller has waited long enough.
    discard(options, header.callId).catch(() => {})
    throw StoreFailure.from(error)
  }
}

async function writeAll(options: SpoolOptions, header: SpoolHeader, pieces: Iterable<string>): Promise<Spooled> {
  const { clock } = options
  const { callId } = header
  const hash = createHash('sha256')
  const chunker = new Chunker()
  const pace = new Pace(clock)
  let sequence = 0
  let totalBytes = 0
  let stepChunks = largestStepChunks

  async function commit(chunks: readonly Uint8Array[], sha256?: string): Promise<void> {
    const startedMs = clock.monotonicMs()
    await writeOrMakeRoom(options, (statements) => {
      const nowMs = clock.nowMs()
      if (sequence === 0) statements.begin({ ...header, createdAtMs: nowMs, expiresAtMs: nowMs + unfinishedMs })
      chunks.forEach((chunk, index) => statements.addChunk(callId, sequence + index, chunk))
      if (sha256 === undefined) return
      const isThere = statements.complete(callId, {
        totalBytes,
        sha256,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + retentionMs,
      })
      if (!isThere) throw new StoreFailure('gone')
    })
    sequence += chunks.length
    const tookMs = clock.monotonicMs() - startedMs
    if (tookMs > turnMs * 2) stepChunks = Math.max(1, stepChunks >> 1)
    else if (tookMs < turnMs / 2) stepChunks = Math.min(largestStepChunks, stepChunks * 2)
  }

  function measure(chunks: readonly Uint8Array[]): readonly Uint8Array[] {
    for (const chunk of chunks) {
      hash.update(chunk)
      totalBytes += chunk.length
    }
    return chunks
  }

  for (const piece of pieces) {
    chunker.add(piece)
    if (chunker.ready >= stepChunks) await commit(measure(chunker.take()))
    else if (!pace.isTurnOver) continue
    const spentMs = await pace.rest()
    if (spentMs > graceMs + totalBytes / slowestBytesPerMs) throw new StoreFailure('slow')
  }
  const last = measure(chunker.finish())
  const sha256 = hash.digest('hex')
  await commit(last, sha256)
  return { totalBytes, sha256 }
}

/** A full file is pruned of everything that may go, and tried once more. */
async function writeOrMakeRoom(options: SpoolOptions, work: (statements: Statements) => void): Promise<void> {
  try {
    await options.file.write(work)
  } catch (error) {
    const failure = StoreFailure.from(error)
    if (failure.fault !== 'full' || (await removeExpired(options)) === 0) throw failure
    await options.file.write(work)
  }
}

/** The result is not readable, so nobody misses it; its chunks go in steps like expired ones. */
async function discard({ file, clock }: SpoolOptions, callId: string): Promise<void> {
  while ((await file.write((statements) => statements.remove(callId, largestStepChunks))) === largestStepChunks) {
    await clock.turn()
  }
}
