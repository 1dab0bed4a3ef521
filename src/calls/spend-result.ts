// Pure: what Hubu answered to a spend becomes what the agent may see.
import type { Purchase } from '#generated/types/router.js'
import { isObject } from '../json/read.ts'
import type { AnsweringOperation } from '../operations/spend-turn.ts'
import { redactPrivateOperation } from '../redaction/private-operation.ts'

/** The answer is no object, so it is no spend result. */
export class NoSpendResult extends Error {}

const approvalReason =
  'The policy wants a human decision before this spend. No payment ran. A human resolves the pending review at Hubu; then this ' +
  'spend completes by itself. Read hubu_operation_status with operation_handle for the outcome.'

const guidanceMessage = {
  harness:
    'One harness call is one operation. If a result is lost or ambiguous, redeliver this exact call with the same harness ' +
    'identity; never submit a replacement for it. hubu_operation_status reads its state by operation_handle.',
  guarded:
    'Equal calls are one operation while it is open. If a result is lost or ambiguous, make this call again with exactly the same ' +
    'arguments; never change them to get past it. hubu_operation_status reads its state by operation_handle.',
}

/** How an answer belongs to an earlier purchase; undefined for the first answer of a purchase like no other. */
export function purchaseOf({ joinedAt, similar }: AnsweringOperation): Purchase | undefined {
  if (joinedAt !== null)
    return {
      repeated: true,
      first_requested_at: joinedAt,
      bought_by_this_call: false,
      message:
        'This is the answer of an earlier, equal call; this call bought nothing. If your user wants the same thing a second time, ' +
        'your user has to confirm that outside of this conversation.',
    }
  if (similar === null) return undefined
  return {
    repeated: false,
    similar_operation: similar,
    message:
      'This call bought something that equals an earlier purchase. Tell your user; read that one with hubu_operation_status.',
  }
}

/**
 * The public spend result: everything Hubu answered minus private identity, plus the approval hint, the public handle and
 * the guidance. Throws NoSpendResult when the answer is no object.
 */
export function toPublicSpendResult(
  answer: unknown,
  { operationKey, handle, isGuarded }: { operationKey: string; handle: string; isGuarded: boolean },
): Record<string, unknown> {
  if (!isObject(answer)) throw new NoSpendResult()
  const { approval_reason: _theirs, ...members } = redactPrivateOperation(answer, operationKey) as Record<
    string,
    unknown
  >
  // Of a purchase that a human approved Hubu says `needs_approval` for ever; once a payment was tried, nobody waits any more.
  const needsApproval = members.decision === 'needs_approval' && !isObject(members.payment)
  return {
    ...members,
    requires_human_approval: needsApproval,
    ...(needsApproval && { approval_reason: approvalReason }),
    operation_handle: handle,
    agent_guidance: {
      on_ambiguous_result: 'redeliver_exact_call',
      replacement_call: 'do_not_submit',
      message: guidanceMessage[isGuarded ? 'guarded' : 'harness'],
    },
  }
}
