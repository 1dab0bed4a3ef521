// What a person may do with stored results: list, fetch and remove them.
import { renameSync, existsSync } from 'node:fs'
import type { Clock } from '../timing/clock.ts'
import { chunkBytes } from './chunker.ts'
import { createDetachedStore, type DetachedStoreOptions, type ListedDetached } from './detached-store.ts'
import { removeAll, removeExpired, shrink } from './prune.ts'
import { createResultsFile, type ResultsFileOptions } from './results-file.ts'
import type { StoredResult } from './statements.ts'
import { StoreFailure } from './store-failure.ts'
import { readBytes } from './stored-bytes.ts'

/** The store as the command line sees it. Everything rejects with StoreFailure. */
export interface Archive {
  /** Results that have not expired, newest first; without a principal those of all. */
  list(principal?: string): Promise<StoredResult[]>
  /** Calls in the background, of every process, newest first; without a principal those of all. */
  calls(principal?: string): Promise<ListedDetached[]>
  find(callId: string): Promise<StoredResult | undefined>
  /** The exact bytes of a result, in order. */
  bytes(result: StoredResult): AsyncIterable<Buffer>
  /** Removes what has expired, or everything, and shrinks the file. Says how many results went. */
  prune(all: boolean): Promise<number>
  /** Moves a damaged file, with its side files, out of the way; where it lies now. */
  setAside(): string
  close(): void
}

/** What the archive is opened with. */
export interface ArchiveOptions extends ResultsFileOptions, Omit<DetachedStoreOptions, 'file'> {
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep' | 'turn'>
}

const listedAtOnce = 100

/** Opens nothing yet. */
export function createArchive(options: ArchiveOptions): Archive {
  const file = createResultsFile(options)
  const { clock } = options
  const detached = createDetachedStore({ ...options, file })
  return {
    async list(principal) {
      const all: StoredResult[] = []
      for (;;) {
        const page =
          (await file.read((statements) =>
            statements.list(clock.nowMs(), listedAtOnce, { principal, after: all.at(-1) }),
          )) ?? []
        all.push(...page)
        if (page.length < listedAtOnce) return all
      }
    },
    calls: (principal) => detached.list(principal),
    find: (callId) => file.read((statements) => statements.find(callId, clock.nowMs())),
    async *bytes(result) {
      for (let at = 0; at < result.totalBytes; at += chunkBytes) {
        const bytes = await file.read((statements) => readBytes(statements, result, at, chunkBytes))
        if (bytes === undefined) throw new StoreFailure('gone')
        yield bytes
      }
    },
    async prune(all) {
      const parts = { file, clock }
      // Nothing there is nothing to make.
      if ((await file.read((statements) => statements.any() ?? '')) === undefined) return 0
      const removed = all ? await removeAll(parts) : await removeExpired(parts)
      await shrink(parts)
      return removed
    },
    setAside() {
      file.close()
      const from = options.path ?? ''
      const to = `${from}.damaged-${new Date(clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')}`
      for (const side of ['-wal', '-shm', '']) if (existsSync(from + side)) renameSync(from + side, to + side)
      return to
    },
    close: () => file.close(),
  }
}
