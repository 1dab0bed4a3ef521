import type { SqliteDatabase } from '../../storage/database.ts'
import type { RegistryAccess } from '../transaction.ts'
import { findOperationsIn, type FoundOperations } from './find.ts'
import type { FindQuery } from './query.ts'

/** Finds operations in the opened registry of a serving process. */
export interface OperationSearch {
  /** Throws RouterError when the registry cannot be read now. */
  find(query: FindQuery): Promise<FoundOperations>
}

/** `provenNow`: an instant that has come for certain, by which authorizations have run out. */
export function createOperationSearch(
  database: SqliteDatabase,
  access: RegistryAccess,
  provenNow: () => Date,
): OperationSearch {
  return { find: (query) => access.read(() => findOperationsIn(database, query, provenNow())) }
}
