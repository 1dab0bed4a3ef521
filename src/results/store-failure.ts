import { NotOurFile } from '../storage/our-file.ts'

/**
 * Why the store cannot serve. `busy`: others hold the file for too long. `full`: its limit, or the disk, is reached.
 * `slow`: writing takes too long. `damaged`: the file is broken. `foreign`: the file is something else's, or a newer
 * release's. `unusable`: it cannot be made or opened. `gone`: it vanished while it was written.
 */
export type StoreFault = 'busy' | 'full' | 'slow' | 'damaged' | 'foreign' | 'unusable' | 'gone'

/** The store failed. Never the caller's fault, and never a reason to lose a result. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
  readonly fault: StoreFault

  constructor(fault: StoreFault, cause?: unknown) {
    super(`the store of results is ${fault}`, cause === undefined ? undefined : { cause })
    this.fault = fault
  }

  /** Any thrown thing as a StoreFailure; SQLite's codes say which. */
  static from(error: unknown): StoreFailure {
    if (error instanceof StoreFailure) return error
    if (error instanceof NotOurFile) return new StoreFailure('foreign', error)
    const code = String((error as { code?: unknown } | null)?.code ?? '')
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return new StoreFailure('busy', error)
    if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') return new StoreFailure('full', error)
    if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) return new StoreFailure('damaged', error)
    // A chunk whose header somebody has removed.
    if (code.startsWith('SQLITE_CONSTRAINT')) return new StoreFailure('gone', error)
    return new StoreFailure('unusable', error)
  }
}

/** What an operator is told in the log: one sentence without a path, and what to do. */
export function faultInWords(fault: StoreFault): string {
  switch (fault) {
    case 'busy':
      return 'The store of results is held by another process.'
    case 'full':
      return (
        'The store of results is full. Raise HUBU_UNIFIED_RESULTS_LIMIT, or make room with `hubu-unified-mcp results prune` ' +
        '(`--all` also drops results that have not expired).'
      )
    case 'slow':
      return 'The store of results takes too long to write.'
    case 'damaged':
      return 'The store of results is damaged. `hubu-unified-mcp results prune` sets the file aside and begins a new one.'
    case 'foreign':
      return 'The store of results is a file of something else or of a newer release. HUBU_UNIFIED_RESULTS_PATH must name another.'
    case 'unusable':
      return 'The store of results cannot be opened or made. HUBU_UNIFIED_RESULTS_PATH must name a writable place.'
    case 'gone':
      return 'The store of results was removed while a result was being written.'
  }
}
