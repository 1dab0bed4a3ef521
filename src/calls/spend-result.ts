// Pure: what Hubu answered to a spend becomes what the agent may see.
import { isObject } from '../json/read.ts'
import { redactPrivateOperation } from '../redaction/private-operation.ts'

/** The answer is no object, so it is no spend result. */
export class NoSpendResult extends Error {}

const approvalReason =
  'The policy wants a human decision before this spend. No payment ran. A human resolves the pending review at Hubu; then the ' +
  'harness redelivers this exact call.'

const guidanceMessage =
  'One harness call is one operation. If a result is lost or ambiguous, redeliver this exact call with the same harness ' +
  'identity; never submit a replacement for it. hubu_operation_status reads its state by operation_handle.'

/**
 * The public spend result: everything Hubu answered minus private identity, plus the approval hint, the public handle and
 * the guidance. Throws NoSpendResult when the answer is no object.
 */
export function toPublicSpendResult(answer: unknown, operationKey: string, handle: string): Record<string, unknown> {
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
      message: guidanceMessage,
    },
  }
}
