// What the router answers itself, and the failures of Hubu that look alike for every tool.
import { call, type CallCase } from './case.ts'
import { firstHandle } from './gongbu-tools.ts'
import { authorize } from './spend-tools.ts'

const capabilities = 'hubu_unified_capabilities'
const status = 'hubu_operation_status'
const profile = 'hubu_client_approval_profile'

/** The two router tools and the approval profile, which is answered locally but belongs to Hubu. */
export const routerCases: CallCase[] = [
  {
    tool: capabilities,
    kind: 'success',
    says: 'both backends are probed anew, and the whole picture is answered',
    steps: [call(capabilities, {})],
  },
  {
    tool: capabilities,
    kind: 'backend-error',
    says: 'the picture is answered in every state of the world',
    given: { hubu: 'unhealthy', gongbu: 'unconfigured', registry: 'unavailable' },
    steps: [call(capabilities, undefined)],
  },
  {
    tool: capabilities,
    kind: 'rejection',
    says: 'it takes no arguments',
    steps: [call(capabilities, { refresh: true })],
  },
  {
    tool: status,
    kind: 'success',
    says: 'an operation by its handle, without network',
    steps: [authorize, call(status, { operation_handle: firstHandle })],
  },
  {
    tool: status,
    kind: 'backend-error',
    says: 'an answer that Hubu never gave is told as such, even while Hubu is gone',
    given: { hubu: 'gone' },
    steps: [{ ...authorize, answers: {} }, call(status, { operation_handle: firstHandle })],
  },
  {
    tool: status,
    kind: 'backend-error',
    variant: 'registry-unavailable',
    says: 'without a registry nothing is known',
    given: { registry: 'unavailable' },
    steps: [call(status, { operation_handle: firstHandle })],
  },
  {
    tool: status,
    kind: 'rejection',
    says: 'a text that is no handle is an unknown one',
    steps: [call(status, { operation_handle: 'hubu:operation:v1:codex:1' })],
  },
  {
    tool: status,
    kind: 'rejection',
    variant: 'schema',
    says: 'anything but one text is malformed',
    steps: [call(status, { operation_handle: 7, wait: true })],
  },
  {
    tool: profile,
    kind: 'success',
    says: 'the profile from the full catalog, without network',
    steps: [call(profile, {})],
  },
  {
    tool: profile,
    kind: 'backend-error',
    says: 'it is answered locally, and still only while Hubu can be used',
    given: { hubu: 'incompatible' },
    steps: [call(profile, {})],
  },
  {
    tool: profile,
    kind: 'rejection',
    says: 'it takes no arguments',
    steps: [call(profile, { client: 'codex' })],
  },
]

/** Failures on the way to Hubu, each on one tool: the code is the same for all. */
export const transportCases: CallCase[] = [
  {
    tool: 'hubu_list_agents',
    kind: 'backend-error',
    variant: 'unconfigured',
    says: 'Hubu is not configured',
    given: { hubu: 'unconfigured' },
    steps: [call('hubu_list_agents', {})],
  },
  {
    tool: 'hubu_list_agents',
    kind: 'backend-error',
    variant: 'unavailable',
    says: 'Hubu cannot be reached, and the next call knows it',
    given: { hubu: 'gone' },
    steps: [call('hubu_list_agents', {}), call('hubu_list_users', {})],
  },
  {
    tool: 'hubu_list_agents',
    kind: 'backend-error',
    variant: 'not-json',
    says: 'a read that is answered with no JSON',
    steps: [
      call('hubu_list_agents', {}, { hubu: [{ status: 200, contentType: 'text/html', text: '<h1>it works</h1>' }] }),
    ],
  },
  {
    tool: 'hubu_create_budget',
    kind: 'backend-error',
    variant: 'ambiguous',
    says: 'a mutation whose answer is lost',
    steps: [call('hubu_create_budget', { amount_cents: 1 }, { hubu: ['hangUp'] })],
  },
  {
    tool: 'hubu_show_policy',
    kind: 'rejection',
    variant: 'both-selectors',
    says: 'two selectors contradict each other',
    steps: [call('hubu_show_policy', { policy_id: 'images', agent_id: 'agt_8k3m5n7p9qrs' })],
  },
  {
    tool: 'hubu_policy_diff',
    kind: 'rejection',
    variant: 'negative-revision',
    says: 'a revision is never negative',
    steps: [call('hubu_policy_diff', { from_revision: -1 })],
  },
  {
    tool: 'hubu_reconcile_vendor_did_not_bill_claim',
    kind: 'rejection',
    variant: 'capability-missing',
    says: 'without a capability for reconciliation nothing is sent',
    given: { reconciliation: 'missing' },
    steps: [
      call('hubu_reconcile_vendor_did_not_bill_claim', {
        claim_id: '88888888-8888-4888-8888-888888888888',
        provider_reference: 'CASE-5521',
        evidence: 'The usage report has no entry.',
      }),
    ],
  },
  {
    tool: 'gongbu_get_execution',
    kind: 'backend-error',
    variant: 'unavailable',
    says: 'Gongbu cannot be reached: a tool error, and the picture of Gongbu stays',
    given: { gongbu: 'gone' },
    steps: [
      call('gongbu_get_execution', { execution_id: 'exec-1' }),
      call('gongbu_list_artifacts', { execution_id: 'exec-1' }),
    ],
  },
]
