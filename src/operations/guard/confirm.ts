// A person means one more purchase that equals an earlier one. Nothing is bought here.
import type { Clock } from '../../timing/clock.ts'
import { toStored } from '../instants.ts'
import { writeInRegistry, type WrittenByPerson } from '../journal/write-entry.ts'
import { createGrants } from './grants.ts'

/** The earlier operation, and until when the word counts. */
export interface Confirmation {
  handle: string
  /** On whose behalf the next purchase will be asked for. */
  principal: string
  until: Date
  /** Who confirms, as the system numbers people; null where it does not. */
  uid: number | null
}

/**
 * Writes the grant and its entry in one commit. The value is false when the operation is not there. The caller has made sure
 * that a person says so, and not an agent with a shell.
 */
export function confirmOneMore(
  statePath: string | undefined,
  { handle, principal, until, uid }: Confirmation,
  clock: Pick<Clock, 'nowMs'>,
): WrittenByPerson<boolean> {
  return writeInRegistry(statePath, clock, ({ database, journal }) => {
    const row = database
      .prepare<[string], { tool: string; fingerprint: string }>(
        'select tool_name as tool, request_hash as fingerprint from harness_operations where operation_handle = ?',
      )
      .get(handle)
    if (row === undefined) return false
    createGrants(database, clock).give({ principal, ...row }, handle, until)
    const members = { of: handle, by: 'human', uid, until: toStored(until) }
    journal.append(journal.numberOf(handle) ?? 0, { kind: 'confirmed', members })
    return true
  })
}
