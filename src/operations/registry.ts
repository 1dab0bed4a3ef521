// This room is the durable registry: one harness call, one operation, whatever happens to the process.
import type { Clock } from '../timing/clock.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createCleanup } from './cleanup.ts'
import { createExecutionOperations, type ExecutionOperations } from './execution-operations.ts'
import type { NamedCall, OperationNames } from './derived-names.ts'
import type { FileGuard } from './file-guard.ts'
import { createSpendOperations, type SpendOperations } from './spend-operations.ts'
import { createRegistryAccess } from './transaction.ts'
import { truncateLog } from './truncate-log.ts'
import { createWorkerOperations, type WorkerOperations } from './worker-operations.ts'

/** An opened registry, by who uses it. */
export interface Registry {
  spend: SpendOperations
  execution: ExecutionOperations
  worker: WorkerOperations
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
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep' | 'after'>
  /** A number from 0 to 1. */
  random(): number
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
}): Promise<Registry> {
  const { database, installationId, guard, nameOperation, clock, randomHex } = options
  const checkpoints = createCheckpoints(database, guard, clock)
  const access = createRegistryAccess(database, options, guard, () => checkpoints.committed())
  const cleanup = createCleanup(database, access, clock)
  await cleanup.sweep()
  return {
    spend: createSpendOperations({ database, access, cleanup, installationId, nameOperation, clock, randomHex }),
    execution: createExecutionOperations({ database, access, cleanup, clock }),
    worker: createWorkerOperations({ database, access, clock, randomHex }),
    guard,
    close: () => {
      checkpoints.stop()
      // Closing would tidy up at the path, where another file lies by now.
      if (guard.lost !== null) return
      truncateLog(database)
      database.close()
    },
  }
}
