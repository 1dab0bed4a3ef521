// The two spend tools: what Hubu decides, what stays private, and what is refused before any money moves.
import type { Canned } from '../../support/stub-backend.ts'
import { call, json, type CallCase } from './case.ts'
import { budget, ids } from './hubu-bodies.ts'
import type { Step } from './world.ts'

type SpendTool = 'hubu_authorize_spend' | 'hubu_submit_spend'

/** The private key of the first operation of a world: its registry draws the installation id before it. */
const firstKey = (platform: string) => `hubu:operation:v1:${platform}:${'2'.padStart(32, '0')}`

export const codex = { callId: 'codex-call-1' }
export const scope = {
  schema_version: 1,
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}
const wanted = { account_id: ids.account, amount_cents: 25, reason: 'one image' }

/** What Hubu answers to the first operation of a world; it repeats the private key in three places. */
export function decided(decision: 'allow' | 'deny' | 'needs_approval', more: object = {}, platform = 'codex'): Canned {
  const key = firstKey(platform)
  return json({
    operation_key: key,
    task_id: null,
    reason: 'one image',
    account_id: ids.account,
    agent_id: ids.agent,
    decision_id: ids.decision,
    decision,
    reasons: [`rule small looked at ${key}`],
    approval: null,
    auth_token_id: null,
    authorization_expires_at: null,
    budget_hold: null,
    payment: null,
    revision: 1,
    idempotent_replay: false,
    retry_guidance: { action: 'replay_exactly', operation_key: key, message: 'replay exactly' },
    ...more,
  })
}

/** Hubu's allow with an authorization that lives for five minutes. */
export const allowed = (more: object = {}): Canned =>
  decided('allow', {
    auth_token_id: ids.token,
    authorization_expires_at: '2026-11-29T12:05:00+00:00',
    budget_hold: { hold_id: ids.hold, budget_id: budget.budget_id, status: 'frozen', amount_cents: 25 },
    ...more,
  })

const pending = (): Canned =>
  decided('needs_approval', {
    approval: {
      approval_request_id: ids.decision,
      status: 'pending',
      review: { operation_key: firstKey('codex'), amount_cents: 25, currency: 'usd', reason: 'one image' },
    },
  })

const paid = {
  payment: { payment_id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', status: 'succeeded', failure_reason: null },
  auth_token_id: ids.token,
}

/** An authorization that Hubu allows; the step before every execution. */
export const authorize: Step = call(
  'hubu_authorize_spend',
  { ...wanted, execution_scope: scope },
  { hubu: [allowed()] },
  codex,
)

function casesOf(tool: SpendTool, allow: Canned): CallCase[] {
  const deliver = (hubu: Canned[], args: object = wanted, meta: unknown = codex): Step =>
    call(tool, args, { hubu }, meta)
  const taskEnvelope = {
    'hubu.dev/platform-invocation': { platform: 'forge', invocation_id: 'run-7', task_id: 'task-9' },
  }
  return [
    {
      tool,
      kind: 'success',
      says: 'an allow without the private key, with handle and guidance; redelivered it comes from the registry',
      steps: [deliver([allow]), deliver([])],
    },
    {
      tool,
      kind: 'success',
      variant: 'deny',
      says: 'a deny is an answer, stored like an allow',
      steps: [deliver([decided('deny', { reasons: ['not enough remaining'] })]), deliver([])],
    },
    {
      tool,
      kind: 'success',
      variant: 'needs-approval',
      says: 'a pending approval is asked for again with the same private key when the call is redelivered',
      steps: [deliver([pending()]), deliver([allow])],
    },
    {
      tool,
      kind: 'success',
      variant: 'task',
      says: 'a controlled envelope gives platform and task; neither invocation id nor platform is sent',
      steps: [deliver([decided('deny', { task_id: 'task-9' }, 'forge')], wanted, taskEnvelope)],
    },
    {
      tool,
      kind: 'backend-error',
      says: "Hubu's refusal with its text, without the private key; a redelivery gets it again and is not sent",
      steps: [deliver([json({ error: `no policy is assigned for ${firstKey('codex')}` }, 400)]), deliver([])],
    },
    {
      tool,
      kind: 'backend-error',
      variant: 'ambiguous',
      says: 'a lost answer names the handle and asks for the identical call, never for a replacement',
      steps: [deliver(['hangUp']), deliver([allow])],
    },
    {
      tool,
      kind: 'backend-error',
      variant: 'unusable',
      says: 'an answer without a decision leaves the outcome ambiguous',
      steps: [deliver([json({ auth_token_id: ids.token })])],
    },
    {
      tool,
      kind: 'backend-error',
      variant: 'unavailable',
      says: 'Hubu cannot be reached: nothing was sent',
      given: { hubu: 'gone' },
      steps: [deliver([])],
    },
    {
      tool,
      kind: 'rejection',
      says: 'a model cannot supply trusted platform state',
      steps: [deliver([], { ...wanted, operation_key: 'mine' })],
    },
    {
      tool,
      kind: 'rejection',
      variant: 'identity-missing',
      says: 'without a call identity of the harness nothing is sent',
      steps: [call(tool, wanted)],
    },
    {
      tool,
      kind: 'rejection',
      variant: 'identity-ambiguous',
      says: 'two call identities are one too many',
      steps: [deliver([], wanted, { callId: 'a', 'claudecode/toolUseId': 'a' })],
    },
    {
      tool,
      kind: 'rejection',
      variant: 'identity-invalid',
      says: 'a malformed call identity is refused and not repeated',
      steps: [deliver([], wanted, { callId: ' padded ' })],
    },
    {
      tool,
      kind: 'rejection',
      variant: 'identity-collision',
      says: 'one call identity never stands for two purchases',
      steps: [deliver([decided('deny')]), deliver([], { ...wanted, amount_cents: 26 })],
    },
    {
      tool,
      kind: 'rejection',
      variant: 'schema',
      says: 'arguments outside the schema send nothing',
      steps: [deliver([], { ...wanted, execution_scope: { ...scope, schema_version: 2 }, workload_profile: 'x' })],
    },
    {
      tool,
      kind: 'rejection',
      variant: 'registry-unavailable',
      says: 'without a registry no spend can be made exactly once, so none is made',
      given: { registry: 'unavailable' },
      steps: [deliver([])],
    },
  ]
}

/** Both spend tools, decision by decision. */
export const spendCases: CallCase[] = [
  ...casesOf('hubu_authorize_spend', allowed()),
  ...casesOf('hubu_submit_spend', decided('allow', paid)),
]
