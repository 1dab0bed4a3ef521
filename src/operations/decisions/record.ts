// Pure: what an answer of Hubu writes into its operation.
import { printValue } from '../../json/print-value.ts'
import type { OperationRow } from '../row.ts'
import { readSpendColumns, SpendResultRefused, type SpendColumns } from '../spend-columns.ts'
import { isDecided, isSpentReplay, withoutToken } from '../stored-decision.ts'

/** A sanitized result of Hubu with its JSON. */
export interface GivenResult {
  result: Record<string, unknown>
  text: string
}

/** What recording does. */
export type Recorded =
  /** A final result is stored, and stays. */
  { kind: 'stored'; text: string } | { kind: 'write'; columns: SpendColumns; isFinal: boolean }

/**
 * The result as it may be kept: what Hubu repeats to a call that was never sent before is of a purchase that the registry has
 * forgotten, and its authorization may be used up.
 */
export function trusted(given: GivenResult, isFirstDispatch: boolean): GivenResult {
  if (!isFirstDispatch || !isSpentReplay(given.result)) return given
  const result = withoutToken(given.result)
  return { result, text: printValue(result) }
}

/** Decides it. Throws SpendResultRefused when the result may not be stored. */
export function decideRecord(row: OperationRow, { result, text }: GivenResult): Recorded {
  if (isDecided(row) && row.result_json !== null) return { kind: 'stored', text: row.result_json }
  const columns = readSpendColumns(result, text, row.operation_key)
  return { kind: 'write', columns, isFinal: isDecided({ decision: columns.decision, result_json: text }) }
}

/** An authorization belongs to one operation: throws SpendResultRefused where its owner is another one. */
export function refuseForeignToken(owner: string | undefined, handle: string): void {
  if (owner !== undefined && owner !== handle)
    throw new SpendResultRefused('the authorization id belongs to another operation')
}
