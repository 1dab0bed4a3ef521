// Pure: what the backends say of a purchase, held against what the registry says.
import type { MoneyCheck } from '#generated/types/router.js'
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import type { MoneyAnswer } from '../money.ts'

/** The ids by which backends know a purchase; null where there is none. They are asked for and never printed. */
export interface KnownIds {
  execution: string | null
  decision: string | null
  ledger: string | null
}

/** Reads them of one operation. */
export function knownIds(database: SqliteDatabase, handle: string): KnownIds {
  const known = prepareOnce(
    database,
    `select gongbu_execution_id as execution, decision_id as decision,
       result_json ->> '$.payment.ledger_transaction_id' as ledger
     from harness_operations where operation_handle = ?`,
  )
  const row = known.get(handle) as KnownIds | undefined
  return row ?? { execution: null, decision: null, ledger: null }
}

/** What an execution's status at Gongbu says of the money; undefined where it says nothing. */
export function ofExecution(status: string): MoneyAnswer | undefined {
  if (status === 'succeeded') return 'paid'
  if (status === 'released' || status === 'failed') return 'not_paid'
  return status === 'reconciliation_required' ? undefined : 'held'
}

/** What a workflow's status at Hubu says of the money; undefined where it says nothing. */
export function ofWorkflow(status: unknown): MoneyAnswer | undefined {
  return typeof status === 'string' ? workflows[status] : undefined
}

const workflows: Record<string, MoneyAnswer> = {
  settled: 'paid',
  released: 'not_paid',
  expired: 'not_paid',
  authorized: 'held',
  claimed: 'held',
  needs_approval: 'waiting',
}

/** `theirs` undefined: they could not tell, for the reason given. */
export function judgeCheck(ours: MoneyAnswer, theirs: MoneyAnswer | undefined, who: string): MoneyCheck {
  if (theirs === undefined) return { verdict: 'cannot_tell', detail: who }
  if (theirs === ours) return { verdict: 'confirmed', detail: `${who} says so too` }
  if (ours === 'unknown') return { verdict: 'found_out', detail: `${who} says: ${theirs}` }
  return { verdict: 'contradicted', detail: `${who} says: ${theirs}` }
}
