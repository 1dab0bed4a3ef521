// Pure: the words of a refusal for the sake of an earlier purchase.
import type { DuplicateErrorData } from '#generated/types/router.js'
import { RouterError } from '../../errors/router-error.ts'

/** What a refusal tells of the earlier purchase. */
export type Duplicate = Omit<DuplicateErrorData, 'code'>

const standings: Record<Duplicate['reason'], string> = {
  earlier_in_flight: 'it is being decided at this moment',
  earlier_undecided: 'its outcome is not known yet',
  earlier_waits_for_a_human: 'it waits for a human to decide',
  earlier_unused: 'it is authorized and its authorization is unused',
  earlier_answer_not_taken: 'it was paid, and its answer may not have arrived',
  earlier_still_running: 'it is still being carried out',
  earlier_just_paid: 'it was paid a short time ago',
  earlier_in_doubt: 'nobody knows whether it was paid',
}

/** The error of a call that is refused. It says how a person can confirm a second purchase, and nothing that a model could try. */
export function possibleDuplicate(duplicate: Duplicate): RouterError {
  const { operation_handle: handle, reason, difference, requested_at } = duplicate
  const what = difference === 'none' ? 'An equal purchase' : 'The same purchase in other words'
  return new RouterError(
    'possible_duplicate',
    `Nothing was spent or reserved by this call. ${what} was requested at ${requested_at}, and ${standings[reason]}. ` +
      `Read hubu_operation_status with the operation_handle ${handle} and tell your user. If your user wants it a second time, ` +
      `a person confirms that with \`hubu-unified-mcp operations confirm ${handle.slice(-32)}\`; then make this same call again.`,
    { data: { ...duplicate } },
  )
}
