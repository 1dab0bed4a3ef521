// The document of GET /spend/executor/guidance. Its sentences are free, its structure is contract.
import type { Writable } from '../json/write.ts'
import type { LeaseConfiguration } from '../leases.ts'
import { catalog } from '../scopes/scope.ts'

/** The contract that this server speaks. */
export const executorContract = 'hubu-spend-executor-v4.3'

/** How executors work with authorizations, under the effective lease configuration. */
export function executorGuidance(leases: LeaseConfiguration): Writable {
  return {
    protocol_version: executorContract,
    role_boundary: {
      hubu: [
        'decide spend by policy, budget and human approval',
        'exclusively claim executor spend authorization',
        'keep budgets, receipts and the ledger',
      ],
      executor: [
        'hold vendor credentials outside Hubu',
        'call the provider only while its claim is active',
        'report the exact vendor cost, or release the claim',
      ],
    },
    executor_flow: [
      'resolve the spend token to see what was authorized',
      'claim it with the operation key before calling the provider',
      'settle with a receipt, or release when nothing was billed',
      'leave an expired claim to human reconciliation',
    ],
    routes,
    operation_key_policy: operationKeyPolicy,
    authorization_request: {
      required: ['operation_key', 'account_id', 'amount_cents', 'reason'],
      optional: ['task_id', 'execution_scope', 'merchant (legacy)', 'lease_profile', 'currency'],
      task_id_compatibility: 'without a task_id the reason is used; null means none',
    },
    human_approval: {
      statuses: ['pending', 'approved', 'denied'],
      capability_header: 'x-hubu-approval-capability',
      approval_request_id: 'the decision_id of a needs_approval answer',
      review: 'approval.review shows what is asked for',
      resolve: 'a human approves or denies once',
      retry: 'repeat the authorization exactly to see the result',
      mcp: 'not part of the 28-tool catalog',
    },
    claim_request: {
      required: ['spend_auth_token_id', 'operation_key', 'account_id', 'amount_cents'],
      optional: ['execution_scope or merchant, as authorized', 'task_id (an assertion)'],
      currency: 'always usd',
    },
    settle_request: {
      required: [
        'agent_id',
        'operation_key',
        'receipt.actual_vendor_cost',
        'receipt.actual_vendor_cost_cents',
        'receipt.provider_request_id',
        'receipt.price_model_snapshot',
        'receipt.artifact_reference',
      ],
    },
    release_request: { required: ['agent_id', 'operation_key'] },
    reconciliation_request: {
      required: ['claim_id', 'provider_reference', 'evidence'],
      vendor_billed_required: [
        'receipt.actual_vendor_cost',
        'receipt.actual_vendor_cost_cents',
        'receipt.provider_request_id',
        'receipt.price_model_snapshot',
        'receipt.artifact_reference',
      ],
      routes: { vendor_billed: 'POST /spend/executor/settle', vendor_did_not_bill: 'POST /spend/executor/release' },
      human_gate: {
        capability_header: 'x-hubu-reconciliation-capability',
        requirement: 'a human looked up what the provider charged',
        cli: 'not available in the sandbox',
        mcp: 'protected tools only',
      },
    },
    lease: {
      authorization_ttl_seconds: leases.authorizationTtlSeconds,
      default_lease_profile: leases.defaultLeaseProfile,
      lease_profiles: Object.fromEntries(
        Object.entries(leases.leaseProfiles).map(([name, profile]) => [
          name,
          { claim_ttl_seconds: profile.claimTtlSeconds },
        ]),
      ),
    },
    scope_rules: [
      'an execution scope names one entry of the catalog',
      'task id and reason come from the stored authorization; what an executor says about them is only compared',
    ],
    settlement_rules: [
      'the charge is the exact cost rounded up to cents and at most the authorized maximum',
      'a repeated settlement must carry the same receipt',
    ],
    execution_scope_schema_version: 1,
    execution_scope_catalog: catalog.map((scope) => ({
      schema_version: 1,
      provider: { ...scope.provider },
      executor: { ...scope.executor },
      capability: { ...scope.capability },
      billing_merchant: { ...scope.billing_merchant },
    })),
    legacy_merchant: 'a free-text merchant is stored as a synthetic scope and presented as merchant again',
  }
}

const routes: Writable = {
  guidance: ['GET /spend/executor/guidance', 'GET /.well-known/hubu-spend-executor.json'],
  claim: 'POST /spend/executor/claim',
  claim_status: 'GET /spend/executor/claim?claim_id=CLAIM_ID',
  validate: 'POST /spend/executor/validate',
  resolve: 'POST /spend/executor/resolve',
  approval_status: 'GET /spend/approval?approval_request_id=DECISION_ID',
  approval_resolve: 'POST /spend/approval/resolve',
  settle: 'POST /spend/executor/settle',
  release: 'POST /spend/executor/release',
  reconciliation_queue: 'GET /spend/executor/reconciliation',
  reconcile_vendor_billed: 'POST /spend/executor/settle',
  reconcile_vendor_did_not_bill: 'POST /spend/executor/release',
}

const operationKeyPolicy: Writable = {
  namespace: ['agent_id', 'operation_key'],
  responsibility: 'whoever starts the operation chooses its key once and keeps it',
  generation: {
    preferred: 'the id of the operation in the calling platform',
    fallback: 'a random UUID, stored before the first request',
    comparison: 'exact and case-sensitive after trimming',
  },
  persistence: ['store the key before the first request', 'keep it until the operation is final'],
  prohibited: ['one key for two operations', 'a new key for a retry of the same operation'],
  corrected_scope_retry: {
    admission: 'only while every attempt under the key is denied and nothing was issued',
    authority: 'Hubu decides whether a key may carry a corrected request',
    attempts: 'every attempt stays in the history',
    actions: ['reuse_operation_key', 'replay_exactly', 'create_new_operation'],
  },
}
