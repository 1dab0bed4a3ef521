// This room is the durable registry: one harness call, one operation, whatever happens to the process.
import type { Clock } from '../timing/clock.ts'
import type { ClockWitness } from '../timing/clock-witness.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { createBookkeeping, type Bookkeeping } from './bookkeeping.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createCleanup } from './cleanup.ts'
import { createExecutionOperations, type ExecutionOperations } from './execution-operations.ts'
import type { NamedCall, OperationNames } from './derived-names.ts'
import { createOperationSearch, type OperationSearch } from './find/search.ts'
import type { FileGuard } from './file-guard.ts'
import { createSpendOperations, type SpendOperations } from './spend-operations.ts'
import { createOwners } from './owners.ts'
import { plainRules, type SpendRules } from './spend-rules.ts'
import { createRegistryAccess, type RegistryAccess } from './transaction.ts'
import { truncateLog } from './truncate-log.ts'
import { createWaitingSpends, type WaitingSpends } from './waiting/waiting-spends.ts'
import { createWorkerOperations, type WorkerOperations } from './worker-operations.ts'

/** An opened registry, by who uses it. */
export interface Registry {
  spend: SpendOperations
  execution: ExecutionOperations
  worker: WorkerOperations
  /** Purchases that wait for a human, and the way to them. */
  waiting: { access: RegistryAccess; spends: WaitingSpends }
  /** What stands on the journal; null where none is kept. */
  books: Bookkeeping | null
  search: OperationSearch
  /** Whether the file is still the one that was opened. */
  guard: FileGuard
  close(): void
}

/** Wires the registry on an opened file and erases what expired while nobody was looking. */
export async function createRegistry(options: {
  database: SqliteDatabase
  installationId: string
  guard: FileGuard
  nameOperation(call: NamedCall): OperationNames
  /** Ends the check of a large file that goes on beside the work. */
  stopCheck?(): void
  /** By default the plain ones. With a journal the file was opened for one. */
  rules?: SpendRules
  /** The text without our secrets; the very same one when it holds none. */
  redact?(text: string): string
  /** One sentence for the log. */
  warn?(message: string): void
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep' | 'after'>
  /** Confirms what the wall clock would end. */
  witness: ClockWitness
  /** A number from 0 to 1. */
  random(): number
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
}): Promise<Registry> {
  const { database, installationId, guard, nameOperation, clock, witness, randomHex, rules = plainRules } = options
  const { redact = (text: string) => text, warn = () => {} } = options
  const checkpoints = createCheckpoints(database, guard, clock)
  const access = createRegistryAccess(database, options, guard, () => checkpoints.committed())
  const cleanup = createCleanup(database, access, clock, witness)
  await cleanup.sweep()
  const waiting = createWaitingSpends(database, clock, witness)
  // By which an authorization has run out; a clock that is ahead alone ends none.
  const provenNow = () => new Date(witness.provenMs())
  const told = { database, access, rules, clock, provenNow, randomHex, redact, warn }
  const books = rules.journal === 'off' ? null : createBookkeeping(told)
  const rooms = {
    database,
    access,
    cleanup,
    waiting,
    books,
    rules,
    owners: createOwners(database, installationId),
    nameOperation,
    clock,
    witness,
    randomHex,
  }
  return {
    spend: createSpendOperations(rooms),
    execution: createExecutionOperations(rooms),
    worker: createWorkerOperations(rooms),
    waiting: { access, spends: waiting },
    books,
    search: createOperationSearch(database, access, provenNow),
    guard,
    close: () => {
      checkpoints.stop()
      options.stopCheck?.()
      // Closing would tidy up at the path, where another file lies by now.
      if (guard.lost !== null) return
      truncateLog(database)
      database.close()
    },
  }
}
