// What is known about executions whose outcome is uncertain, and what operators asked for.
import { createHash } from 'node:crypto'
import type { SqliteDatabase } from '../../../storage/database.ts'

/** What an operator may ask for. */
export type OperatorActionName = 'reinspect' | 'settle' | 'release'

/** One operator signal. `evidence` is canonical JSON text. */
export interface OperatorAction {
  actionId: string
  action: OperatorActionName
  evidence: string
}

/** What is known of held executions, and what operators asked for. */
export interface ReconciliationStore {
  /** Stores the evidence of entering the state; entering again replaces it and starts the attempts over. */
  enter(executionId: string, evidence: Record<string, unknown>, at: string): void
  countAttempt(executionId: string): void
  /** Says that no automatic attempt will follow. */
  exhaust(executionId: string): void
  read(executionId: string): { attempts: number; exhausted: boolean; evidence: string } | undefined
  /**
   * Records a signal before it has any effect. False when its id stands for another action or other evidence; the same
   * signal again is true and will be served again.
   */
  recordAction(executionId: string, action: OperatorAction, redactedEvidence: string, at: string): boolean
  markServed(executionId: string, actionId: string, at: string): void
  /** Recorded signals that were never served, in the order in which they came. */
  unserved(executionId: string): Pick<OperatorAction, 'actionId' | 'action'>[]
}

/** Opens the store on a migrated database. */
export function openReconciliationStore(database: SqliteDatabase): ReconciliationStore {
  const enter = database.prepare(
    `INSERT INTO reconciliations (execution_id, entered_at, evidence) VALUES (?, ?, ?)
     ON CONFLICT (execution_id) DO UPDATE SET entered_at = excluded.entered_at, evidence = excluded.evidence,
       attempts = 0, exhausted = 0`,
  )
  const count = database.prepare('UPDATE reconciliations SET attempts = attempts + 1 WHERE execution_id = ?')
  const exhaust = database.prepare('UPDATE reconciliations SET exhausted = 1 WHERE execution_id = ?')
  const read = database.prepare('SELECT attempts, exhausted, evidence FROM reconciliations WHERE execution_id = ?')
  const insertAction = database.prepare(
    `INSERT INTO operator_actions (execution_id, action_id, action, evidence, evidence_sha256, recorded_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (execution_id, action_id) DO UPDATE SET served_at = NULL
       WHERE action = excluded.action AND evidence_sha256 = excluded.evidence_sha256`,
  )
  const markServed = database.prepare(
    'UPDATE operator_actions SET served_at = ? WHERE execution_id = ? AND action_id = ?',
  )
  const unserved = database.prepare(
    `SELECT action_id AS actionId, action FROM operator_actions
     WHERE execution_id = ? AND served_at IS NULL ORDER BY recorded_at, rowid`,
  )
  return {
    enter: (executionId, evidence, at) => void enter.run(executionId, at, JSON.stringify(evidence)),
    countAttempt: (executionId) => void count.run(executionId),
    exhaust: (executionId) => void exhaust.run(executionId),
    read(executionId) {
      const row = read.get(executionId) as { attempts: number; exhausted: number; evidence: string } | undefined
      return row === undefined ? undefined : { ...row, exhausted: row.exhausted === 1 }
    },
    recordAction(executionId, { actionId, action, evidence }, redactedEvidence, at) {
      const digest = createHash('sha256').update(evidence).digest('hex')
      return insertAction.run(executionId, actionId, action, redactedEvidence, digest, at).changes === 1
    },
    markServed: (executionId, actionId, at) => void markServed.run(at, executionId, actionId),
    unserved: (executionId) => unserved.all(executionId) as Pick<OperatorAction, 'actionId' | 'action'>[],
  }
}
