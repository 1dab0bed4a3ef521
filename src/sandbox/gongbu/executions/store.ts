// Executions on disk. Every change is a compare-and-set on the row's version.
import type { SqliteDatabase } from '../../../storage/database.ts'
import type { AuthorizationSnapshot, Execution } from './execution.ts'
import { mayMove, type ExecutionStatus } from './states.ts'

/** What a change may touch. The version and `updatedAt` follow by themselves. */
export type ExecutionChange = Partial<
  Pick<
    Execution,
    | 'status'
    | 'outcome'
    | 'failureCode'
    | 'claimId'
    | 'startedAt'
    | 'completedAt'
    | 'preflightPassedAt'
    | 'claimStartedAt'
    | 'releaseStartedAt'
    | 'providerOutcome'
    | 'artifactOutcome'
    | 'settlementOutcome'
  >
>

/** Executions and what Hubu authorized for them. What is stored is found again after a crash. */
export interface ExecutionStore {
  byId(executionId: string): Execution | undefined
  byToken(tokenId: string): Execution | undefined
  byOperation(accountId: string, operationKey: string): Execution | undefined
  /** Stores a new execution with its authorization, both or none. Throws SQLite's constraint error on a duplicate. */
  insert(execution: Execution, snapshot: AuthorizationSnapshot): void
  /** Applies a change at the given time. Throws when the row changed meanwhile or the move is forbidden. */
  change(execution: Execution, change: ExecutionChange, at: string): Execution
  snapshot(executionId: string): AuthorizationSnapshot | undefined
  /** Ids of executions that are not final, oldest first. */
  open(): string[]
}

const columns: Readonly<Record<keyof Execution, string>> = {
  executionId: 'execution_id',
  accountId: 'account_id',
  operationKey: 'operation_key',
  tokenId: 'token_id',
  status: 'status',
  outcome: 'outcome',
  failureCode: 'failure_code',
  claimId: 'claim_id',
  normalizedInput: 'normalized_input',
  inputSchemaVersion: 'input_schema_version',
  workloadType: 'workload_type',
  provider: 'provider',
  adapter: 'adapter',
  model: 'model',
  targetVersion: 'target_version',
  targetDigest: 'target_digest',
  price: 'price',
  scope: 'scope',
  amountMinor: 'amount_minor',
  currency: 'currency',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  startedAt: 'started_at',
  completedAt: 'completed_at',
  preflightPassedAt: 'preflight_passed_at',
  claimStartedAt: 'claim_started_at',
  releaseStartedAt: 'release_started_at',
  providerOutcome: 'provider_outcome',
  artifactOutcome: 'artifact_outcome',
  settlementOutcome: 'settlement_outcome',
}
const names = Object.keys(columns) as (keyof Execution)[]
const selected = names.map((name) => `${columns[name]} AS ${name}`).join(', ')

/** Opens the store on a migrated database. `changed` is told after each stored change. */
export function openExecutionStore(
  database: SqliteDatabase,
  changed: (executionId: string, status: ExecutionStatus) => void = () => undefined,
): ExecutionStore {
  const byId = database.prepare(`SELECT ${selected} FROM executions WHERE execution_id = ?`)
  const byToken = database.prepare(`SELECT ${selected} FROM executions WHERE token_id = ?`)
  const byOperation = database.prepare(`SELECT ${selected} FROM executions WHERE account_id = ? AND operation_key = ?`)
  const insertExecution = database.prepare(
    `INSERT INTO executions (${names.map((name) => columns[name]).join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
  )
  const insertSnapshot = database.prepare(
    'INSERT INTO authorization_snapshots (execution_id, token_id, snapshot) VALUES (?, ?, ?)',
  )
  const update = database.prepare(
    `UPDATE executions SET ${names.map((name) => `${columns[name]} = @${name}`).join(', ')}
     WHERE execution_id = @executionId AND version = @version - 1`,
  )
  const snapshotOf = database.prepare('SELECT snapshot FROM authorization_snapshots WHERE execution_id = ?').pluck()
  const open = database
    .prepare(
      `SELECT execution_id FROM executions WHERE status NOT IN ('succeeded', 'failed', 'released')
       ORDER BY created_at, execution_id`,
    )
    .pluck()
  return {
    byId: (executionId) => read(byId.get(executionId)),
    byToken: (tokenId) => read(byToken.get(tokenId)),
    byOperation: (accountId, operationKey) => read(byOperation.get(accountId, operationKey)),
    insert(execution, snapshot) {
      database
        .transaction(() => {
          insertExecution.run(written(execution))
          insertSnapshot.run(execution.executionId, execution.tokenId, JSON.stringify(snapshot))
        })
        .immediate()
      changed(execution.executionId, execution.status)
    },
    change(execution, change, at) {
      const next: Execution = { ...execution, ...change, version: execution.version + 1, updatedAt: at }
      if (!mayMove(execution.status, next.status))
        throw new Error(`an execution does not move from ${execution.status} to ${next.status}`)
      if (update.run(written(next)).changes !== 1) throw new Error('the execution changed meanwhile')
      changed(next.executionId, next.status)
      return next
    },
    snapshot(executionId) {
      const text = snapshotOf.get(executionId) as string | undefined
      return text === undefined ? undefined : (JSON.parse(text) as AuthorizationSnapshot)
    },
    open: () => open.all() as string[],
  }
}

function written(execution: Execution): Record<string, unknown> {
  return { ...execution, price: JSON.stringify(execution.price), scope: JSON.stringify(execution.scope) }
}

function read(row: unknown): Execution | undefined {
  if (row === undefined) return undefined
  const stored = row as Record<keyof Execution, unknown>
  return {
    ...stored,
    price: JSON.parse(stored.price as string) as Execution['price'],
    scope: JSON.parse(stored.scope as string) as Execution['scope'],
  } as Execution
}
