// What Hubu answers, shaped as H chapters 2 and 3 say.

/** Public ids and UUIDs that the cases share. */
export const ids = {
  user: 'usr_3k5m7n9pbqcr',
  agent: 'agt_8k3m5n7p9qrs',
  account: 'aga_yf2v3sx9tb26',
  budget: 'bgt_2b4c6d8e0f1g',
  target: 'tgt_0a1b2c3d4e5f',
  policy: 'pol_5t6v7w8x9y0z',
  decision: '11111111-1111-4111-8111-111111111111',
  token: '22222222-2222-4222-8222-222222222222',
  hold: '33333333-3333-4333-8333-333333333333',
  claim: '88888888-8888-4888-8888-888888888888',
}

const begun = '2026-11-29T11:00:00+00:00'
const hash = `sha256:${'c8'.repeat(32)}`
const earlierHash = `sha256:${'b7'.repeat(32)}`

export const user = {
  user_id: ids.user,
  username: 'ana-lopez',
  display_name: 'Ana Lopez',
  email: 'ana@example.com',
  status: 'active',
  current: true,
  created_at: begun,
}

export const agent = {
  agent_id: ids.agent,
  display_name: 'codex-website',
  description: 'Registered through the Hubu CLI',
  owner_user_id: ids.user,
  owner_username: 'ana-lopez',
  agent_type: 'agent',
  status: 'active',
  account_id: ids.account,
  account_status: 'active',
  created_at: begun,
}

export const registration = {
  user_id: ids.user,
  agent_id: ids.agent,
  agent_pub_id: ids.agent,
  version_id: 'agv_1a2b3c4d5e6f',
  account_id: ids.account,
  session_id: 'ags_6f5e4d3c2b1a',
}

export const guidance = {
  protocol_version: 'hubu-agent-registration-v1',
  signature_policy: 'not_supported',
  human_inputs: [{ name: 'agent_name', required: true, prompt: 'Agent name' }],
  review_fields: ['agent_name', 'owner', 'version_label'],
}

export const policyText = 'id: images\nversion: "1"\ndefault_effect: deny\nrules: []\n'

const policyJson = {
  id: 'images',
  version: '1',
  owner_user_id: '44444444-4444-4444-8444-444444444444',
  rules: [],
  default_effect: 'deny',
}

export const policy = {
  policy_id: ids.policy,
  declarative_key: 'images',
  display_name: 'Image spending',
  revision: 2,
  payload_hash: hash,
  created_at: begun,
  updated_at: begun,
  policy: policyJson,
  assignments: [{ scope: 'user_default', agent_id: null, attached_at: begun, updated_at: begun }],
}

export const applied = {
  scope: 'user_default',
  agent_id: null,
  policy_id: ids.policy,
  declarative_key: 'images',
  display_name: 'images',
  revision: 1,
  payload_hash: hash,
  policy_version: '1',
  default_decision: 'deny',
  changed: true,
  assignment_changed: true,
}

export const history = {
  policy_id: ids.policy,
  revisions: [
    {
      policy_id: ids.policy,
      revision: 1,
      payload_hash: hash,
      policy: policyJson,
      actor: ids.user,
      source: 'mcp',
      created_at: '2026-11-29T11:00:00Z',
    },
  ],
  audit: [],
}

export const difference = {
  policy_id: ids.policy,
  from_revision: 1,
  to_revision: 2,
  from_hash: earlierHash,
  to_hash: hash,
  changed_paths: ['rules'],
  from: policyJson,
  to: policyJson,
}

export const budget = {
  budget_id: ids.budget,
  agent_id: ids.agent,
  amount_limit_cents: 5000,
  currency: 'usd',
  starting_at: begun,
  ending_before: '2027-01-01T00:00:00+00:00',
  status: 'active',
  consumed_amount_cents: 0,
  frozen_amount_cents: 0,
  remaining_amount_cents: 5000,
}

export const series = [
  { ...budget, amount_limit_cents: 1000, remaining_amount_cents: 1000, ending_before: '2026-12-29T11:00:00+00:00' },
  {
    ...budget,
    budget_id: 'bgt_3c5d7e9f0g2h',
    amount_limit_cents: 1000,
    remaining_amount_cents: 1000,
    starting_at: '2026-12-29T11:00:00+00:00',
    ending_before: '2027-01-29T11:00:00+00:00',
  },
]

export const replaced = {
  revoked_budget: { ...budget, status: 'revoked' },
  budget: { ...budget, budget_id: 'bgt_4d6e8f0g1h3j', amount_limit_cents: 4000, remaining_amount_cents: 4000 },
  spending_target_warnings: [],
}

export const target = {
  target_id: ids.target,
  target_amount_cents: 10_000,
  allocated_amount_cents: 5000,
  exceeded_by_cents: 0,
  is_exceeded: false,
  currency: 'usd',
  starting_at: '2026-12-01T00:00:00+00:00',
  ending_before: null,
  status: 'scheduled',
}

export const warning = {
  target_id: ids.target,
  target_amount_cents: 500,
  allocated_amount_cents: 1000,
  exceeded_by_cents: 500,
  message: 'budgets exceed the target',
}

export const transaction = {
  id: '99999999-9999-4999-8999-999999999999',
  owner_user_id: ids.user,
  owner_user_name: 'Ana Lopez',
  external_ref: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  description: 'payment aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa via fiat_mock',
  created_at: begun,
  entries: [],
}

export const receipt = {
  actual_vendor_cost_cents: 4,
  provider_request_id: 'req-42',
  price_model_snapshot: {
    provider: 'ideogram',
    model: 'v3',
    pricing_unit: 'image',
    unit_price_cents: 4,
    currency: 'usd',
  },
  artifact_reference: 'artifact://demo.png',
}

export const claim = {
  operation_key: 'another-harness:op-1',
  claim_id: ids.claim,
  lease_profile: 'default',
  status: 'claimed',
  claimed_at: begun,
  claim_expires_at: '2026-11-29T11:15:00+00:00',
  finalized_at: null,
  settlement_id: null,
  reconciliation_required: true,
  reconciliation_outcome: null,
  provider_reference: null,
  evidence: null,
  reconciled_at: null,
  reconciled_by_user_id: null,
  spend: { amount_cents: 25, currency: 'usd', reason: 'one image' },
}

/** The claim after a human's decision. */
export const reconciled = (status: 'settled' | 'released', outcome: 'vendor_billed' | 'vendor_did_not_bill') => ({
  ...claim,
  status,
  finalized_at: '2026-11-29T12:00:00+00:00',
  reconciliation_required: false,
  reconciliation_outcome: outcome,
  provider_reference: 'INV-2026-1187',
  reconciled_by_user_id: ids.user,
})
