// Pure: what a human can do about an operation now.
import type { OperationStatus } from '#generated/types/router.js'

/** What the advice depends on. */
export interface Situation {
  state: OperationStatus['state']
  result: OperationStatus['result']
  executionId: string | null
  approvalRequestId: string | null
  nextAttemptAt: string | null
  /** Until then one router process has it for itself. */
  heldUntil: string | null
  deadlineAt: string | null
}

/** A due operation that nobody takes for this long has no router that could. */
const neglectedMs = 120_000

const afterDecision =
  'A running router then completes it by itself within seconds; more than a day after it was asked for, the same call must be ' +
  'delivered again.'

/** A few sentences for the operator. */
export function nextStepOf(view: Situation, now: Date): string {
  const { state, executionId, approvalRequestId } = view
  switch (state) {
    case 'authorized':
      return 'Nothing. The agent may start its execution with this authorization, or let it expire.'
    case 'approval_required':
      return approvalRequestId === null
        ? `Decide it at Hubu. ${afterDecision}`
        : `Decide it: hubu-unified-mcp approvals show ${approvalRequestId}. ${afterDecision}`
    case 'awaiting_hubu_result':
      return view.heldUntil === null
        ? 'Hubu may have acted, but its answer is not known. Let the harness deliver the same call again; if it cannot, look into ' +
            'the ledger of Hubu before anybody buys this again.'
        : 'Nothing yet. A router is waiting for the answer of Hubu.'
    case 'accepted':
    case 'queued':
    case 'dispatching':
    case 'reconciling':
      return openStep(view, now)
    case 'succeeded':
      return 'Nothing. It is finished.'
    case 'failed':
      return `${failures[view.result?.code ?? ''] ?? 'It failed and will not change.'}${executionId === null ? '' : ` Its execution is ${executionId}.`}`
  }
}

function openStep({ nextAttemptAt, heldUntil, result, deadlineAt }: Situation, now: Date): string {
  const isNeglected =
    heldUntil === null && nextAttemptAt !== null && now.getTime() - Date.parse(nextAttemptAt) > neglectedMs
  if (isNeglected)
    return 'It is overdue and no router takes it. Start one that has Gongbu configured and uses this registry.'
  if (result?.code === 'provider_outcome_ambiguous')
    return (
      'Gongbu does not know whether the provider billed. Look at Hubu for claims that require reconciliation; ' +
      'the router keeps looking by itself.'
    )
  return `Nothing. A running router goes on with it by itself${deadlineAt === null ? '' : ` until ${deadlineAt}`}.`
}

const askGongbu = 'Look at Gongbu, and at Hubu for claims that require reconciliation, before anybody buys this again.'

const failures: Readonly<Record<string, string>> = {
  authorization_denied:
    'Hubu denied it. Change the policy or the budget if it should have been allowed; a new purchase is a new call.',
  spend_denied:
    'Hubu denied it. Change the policy or the budget if it should have been allowed; a new purchase is a new call.',
  authorization_continuation_unavailable:
    'The authorization ran out unused and nothing was bought. A new purchase is a new call.',
  spend_payment_failed:
    'Hubu allowed it and the payment was declined; nothing was paid. Find out why before it is bought again; a new purchase is a new call.',
  spend_refused: 'Hubu refused the request and carried out nothing. The agent must correct it in a new call.',
  execution_failed:
    'The execution failed at Gongbu, which has given the authorization back or settled it. Read its failure there.',
  authorization_released: 'Gongbu released the authorization without charging it. A new purchase is a new call.',
  dispatch_retry_exhausted: `Gongbu could not be reached or used in five tries. ${askGongbu}`,
  observation_retry_exhausted: `Gongbu could not be read in five tries. ${askGongbu}`,
  reconciliation_exhausted: `Whether the provider billed stayed unknown. ${askGongbu}`,
  operation_deadline_exhausted: `It was not finished within a day. ${askGongbu}`,
  gongbu_unconfigured:
    'No router with Gongbu took it. Configure Gongbu for the routers on this registry; a new purchase is a new call.',
  execution_request_unavailable: `The stored request is gone. ${askGongbu}`,
  execution_request_invalid:
    'Gongbu does not accept the request; nothing was executed. The agent must correct it in a new purchase.',
  gongbu_authentication_failed:
    'Gongbu does not accept the token of the router. Correct it, then look at Gongbu before anybody buys this again.',
  gongbu_access_forbidden:
    'Gongbu does not allow this to the router. Correct its rights, then look at Gongbu before anybody buys this again.',
  execution_not_found: `Gongbu does not know the execution. ${askGongbu}`,
  execution_intent_conflict:
    'Gongbu has an execution of this authorization with another request. Find out who made it.',
  execution_dispatch_failed: `Gongbu refused or contradicted the request. ${askGongbu}`,
}
