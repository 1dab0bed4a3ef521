// This room is the durable registry: one harness call, one operation, whatever happens to the process.
import type { SqliteDatabase } from '../storage/database.ts'
import { createCleanup } from './cleanup.ts'
import { createExecutionOperations, type ExecutionOperations } from './execution-operations.ts'
import { createSpendOperations, type SpendOperations } from './spend-operations.ts'
import { createRegistryAccess, type Waiting } from './transaction.ts'
import { truncateLog } from './truncate-log.ts'
import { createWorkerOperations, type WorkerOperations } from './worker-operations.ts'

/** An opened registry, by who uses it. */
export interface Registry {
  spend: SpendOperations
  execution: ExecutionOperations
  worker: WorkerOperations
  close(): void
}

/** Wires the registry on an opened file and erases what expired while nobody was looking (R 6.1 step 10). */
export async function createRegistry(options: {
  database: SqliteDatabase
  installationId: string
  waiting: Waiting
  now(): Date
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
}): Promise<Registry> {
  const { database, installationId, now, randomHex } = options
  const monotonicMs = () => options.waiting.monotonicMs()
  const access = createRegistryAccess(database, options.waiting)
  const cleanup = createCleanup(database, access, { now, monotonicMs })
  await cleanup.sweep()
  return {
    spend: createSpendOperations({ database, access, cleanup, installationId, now, randomHex }),
    execution: createExecutionOperations({ database, access, cleanup, now }),
    worker: createWorkerOperations({ database, access, now, monotonicMs, randomHex }),
    close: () => {
      truncateLog(database)
      database.close()
    },
  }
}
