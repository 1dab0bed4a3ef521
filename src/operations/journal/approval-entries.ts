// What a person was shown of a spend, and what that person decided.
import type { Clock } from '../../timing/clock.ts'
import { bounded, commitment } from './entry.ts'
import { writeInRegistry, type WrittenByPerson } from './write-entry.ts'

/** One look at a request, or one decision about it. */
export interface ApprovalLook {
  approvalRequestId: string
  /** What was printed. */
  text: string
  /** Undefined where it was only shown. */
  decision?: 'approve' | 'deny'
  /** Who it was, as the system numbers people; null where it does not. */
  uid: number | null
}

/** Writes the entry. `salt`: 32 hex digits; undefined where no texts are kept. */
export function noteApproval(
  statePath: string | undefined,
  { approvalRequestId, text, decision, uid }: ApprovalLook,
  clock: Pick<Clock, 'nowMs'>,
  salt: string | undefined,
): WrittenByPerson<void> {
  return writeInRegistry(statePath, clock, ({ database, journal }) => {
    const handle = database
      .prepare<[string], string>('select operation_handle from harness_operations where approval_request_id = ?')
      .pluck()
      .get(approvalRequestId)
    const committed = salt === undefined ? null : commitment(salt, text)
    const members = {
      approval_request_id: bounded(approvalRequestId),
      text: committed,
      decision: decision ?? null,
      uid,
    }
    journal.append(handle === undefined ? 0 : (journal.numberOf(handle) ?? 0), {
      kind: decision === undefined ? 'approval_shown' : 'approval_decided',
      members,
      openings: salt === undefined ? undefined : { text: { salt, content: text } },
    })
  })
}
