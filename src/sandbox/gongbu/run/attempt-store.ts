// Provider attempts, the bytes they staged, and receipts on disk.
import type { SqliteDatabase } from '../../../storage/database.ts'
import type { ProviderImage } from '../artifacts/store.ts'
import type { ProviderIds, ProviderResult } from '../provider/provider.ts'

/** `canceled` is part of the contract and never written: nothing cancels work. */
export type AttemptOutcome = 'started' | 'succeeded' | 'failed' | 'ambiguous' | 'canceled'

/** The single provider attempt of an execution. */
export interface Attempt {
  attemptId: string
  executionId: string
  outcome: AttemptOutcome
  requestId: string | null
  operationId: string | null
  /** What the provider reported; null when it reported nothing usable. */
  usage: { images?: number | null } | null
  failureCode: string | null
  transmissionStartedAt: string | null
  completedAt: string | null
}

/** The receipt of an execution: what settle says, the same in every repetition. */
export interface Receipt {
  receiptId: string
  executionId: string
  amountMinor: number
  currency: string
  transmissionStartedAt: string | null
  settledAt: string | null
  settlementId: string | null
}

/** Attempts, the images that they brought, and receipts. */
export interface AttemptStore {
  ofExecution(executionId: string): Attempt | undefined
  /** Creates the attempt. Throws SQLite's constraint error when the execution has one. */
  create(attemptId: string, executionId: string, provider: string, at: string): void
  startTransmission(attemptId: string, at: string): void
  /**
   * Completes the attempt and stages its images, both or none. Throws SQLite's constraint error when the provider reported
   * a request id that it used before.
   */
  complete(attemptId: string, result: ProviderResult, at: string): void
  stagedCount(attemptId: string): number
  staged(attemptId: string): ProviderImage[]
  dropStaged(attemptId: string): void
  receipt(executionId: string): Receipt | undefined
  createReceipt(receipt: Pick<Receipt, 'receiptId' | 'executionId' | 'amountMinor' | 'currency'>, at: string): void
  startSettlement(receiptId: string, at: string): void
  settle(receiptId: string, settlementId: string, at: string): void
}

/** Opens the store on a migrated database. */
export function openAttemptStore(database: SqliteDatabase): AttemptStore {
  const ofExecution = database.prepare(
    `SELECT attempt_id AS attemptId, execution_id AS executionId, outcome, request_id AS requestId,
       operation_id AS operationId, usage, failure_code AS failureCode,
       transmission_started_at AS transmissionStartedAt, completed_at AS completedAt
     FROM attempts WHERE execution_id = ?`,
  )
  const create = database.prepare(
    `INSERT INTO attempts (attempt_id, execution_id, provider, outcome, created_at) VALUES (?, ?, ?, 'started', ?)`,
  )
  const startTransmission = database.prepare('UPDATE attempts SET transmission_started_at = ? WHERE attempt_id = ?')
  const complete = database.prepare(
    `UPDATE attempts SET outcome = @outcome, request_id = @requestId, operation_id = @operationId, usage = @usage,
       price_evidence = @price, failure_code = @code, completed_at = @at
     WHERE attempt_id = @attemptId AND outcome = 'started'`,
  )
  const stage = database.prepare(
    'INSERT INTO staged_artifacts (attempt_id, ordinal, media_type, bytes) VALUES (?, ?, ?, ?)',
  )
  const stagedCount = database.prepare('SELECT count(*) FROM staged_artifacts WHERE attempt_id = ?').pluck()
  const staged = database.prepare(
    'SELECT media_type AS mediaType, bytes FROM staged_artifacts WHERE attempt_id = ? ORDER BY ordinal',
  )
  const dropStaged = database.prepare('DELETE FROM staged_artifacts WHERE attempt_id = ?')
  const receipt = database.prepare(
    `SELECT receipt_id AS receiptId, execution_id AS executionId, amount_minor AS amountMinor, currency,
       transmission_started_at AS transmissionStartedAt, settled_at AS settledAt, settlement_id AS settlementId
     FROM receipts WHERE execution_id = ?`,
  )
  const createReceipt = database.prepare(
    `INSERT INTO receipts (receipt_id, execution_id, amount_minor, currency, created_at)
     VALUES (@receiptId, @executionId, @amountMinor, @currency, @at)`,
  )
  const startSettlement = database.prepare('UPDATE receipts SET transmission_started_at = ? WHERE receipt_id = ?')
  const settle = database.prepare('UPDATE receipts SET settled_at = ?, settlement_id = ? WHERE receipt_id = ?')
  return {
    ofExecution(executionId) {
      const row = ofExecution.get(executionId) as (Omit<Attempt, 'usage'> & { usage: string | null }) | undefined
      if (row === undefined) return undefined
      return { ...row, usage: row.usage === null ? null : (JSON.parse(row.usage) as Attempt['usage']) }
    },
    create: (attemptId, executionId, provider, at) => void create.run(attemptId, executionId, provider, at),
    startTransmission: (attemptId, at) => void startTransmission.run(at, attemptId),
    complete(attemptId, result, at) {
      database
        .transaction(() => {
          const done = complete.run({ attemptId, at, ...completion(result) })
          if (done.changes !== 1) throw new Error('the attempt was completed before')
          if (result.kind === 'succeeded')
            result.images.forEach((image, ordinal) => stage.run(attemptId, ordinal, image.mediaType, image.bytes))
        })
        .immediate()
    },
    stagedCount: (attemptId) => stagedCount.get(attemptId) as number,
    staged: (attemptId) => staged.all(attemptId) as ProviderImage[],
    dropStaged: (attemptId) => void dropStaged.run(attemptId),
    receipt: (executionId) => receipt.get(executionId) as Receipt | undefined,
    createReceipt: (fresh, at) => void createReceipt.run({ ...fresh, at }),
    startSettlement: (receiptId, at) => void startSettlement.run(at, receiptId),
    settle: (receiptId, settlementId, at) => void settle.run(at, settlementId, receiptId),
  }
}

function completion(result: ProviderResult) {
  const ids: ProviderIds = result
  return {
    outcome: result.kind,
    requestId: ids.requestId ?? null,
    operationId: ids.operationId ?? null,
    usage: result.kind === 'succeeded' && result.usage !== undefined ? JSON.stringify(result.usage) : null,
    price: result.kind === 'succeeded' && result.price !== undefined ? JSON.stringify(result.price) : null,
    code: result.kind === 'succeeded' ? null : result.code,
  }
}
