// What a person was shown of a spend, and what that person decided.
import type { Clock } from '../../timing/clock.ts'
import { bounded, commitment } from './entry.ts'
import { readRegistry } from '../read-registry.ts'
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

/** Writes the entry, with the text where the registry has kept the text of that purchase. `salt`: 32 hex digits. */
export function noteApproval(
  statePath: string | undefined,
  { approvalRequestId, text, decision, uid }: ApprovalLook,
  clock: Pick<Clock, 'nowMs'>,
  salt: string,
): WrittenByPerson<void> {
  // Looked for before the file is locked for writing: no index helps with it.
  const found = readRegistry(statePath, (database) =>
    database
      .prepare<[string], string>('select operation_handle from harness_operations where approval_request_id = ?')
      .pluck()
      .get(approvalRequestId),
  )
  const handle = found.kind === 'read' ? found.value : undefined
  return writeInRegistry(statePath, clock, ({ journal }) => {
    const no = handle === undefined ? undefined : journal.numberOf(handle)
    const opened = no === undefined ? undefined : journal.entriesOf(no)[0]?.entry
    const hasTexts = typeof opened?.intent === 'string' || opened?.intent_omitted === true
    const members = {
      approval_request_id: bounded(approvalRequestId),
      text: hasTexts ? commitment(salt, text) : null,
      decision: decision ?? null,
      uid,
    }
    journal.append(no ?? 0, {
      kind: decision === undefined ? 'approval_shown' : 'approval_decided',
      members,
      openings: hasTexts ? { text: { salt, content: text } } : undefined,
    })
  })
}
