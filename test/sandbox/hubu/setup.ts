// Shorthand for what a test starts with: U (a human), A (an agent), P (a limit), B (a budget), Z (an authorization).
import { tokens, type Answer, type TestHubu } from './start.ts'

/** Ids of a registered agent. */
interface TestAgent {
  agent_id: string
  account_id: string
}

/** Members of a spend body beside those that are always there. */
interface Spend {
  key: string
  amount: number
  merchant?: string
  reason?: string
  task_id?: string | null
  [other: string]: unknown
}

/** A typed scope of the local fixture provider, as callers select it. */
export const localSelector = {
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}

/** The headers of the human's capabilities. */
export const approval = { headers: { 'X-Hubu-Approval-Capability': tokens.approval } }
export const reconciliation = { headers: { 'X-Hubu-Reconciliation-Capability': tokens.reconciliation } }

/** A receipt with a cost in cents, as v4.2 wrote them. */
export function receipt(cents: number, other: Record<string, unknown> = {}) {
  return {
    actual_vendor_cost_cents: cents,
    provider_request_id: 'vendor-req-1',
    price_model_snapshot: { provider: 'demo-vendor', model: 'm1', unit_price_cents: cents, currency: 'usd' },
    artifact_reference: 'artifact://demo.png',
    ...other,
  }
}

/** A receipt with an exact cost. */
export function exactReceipt(amount: number, scale: number, other: Record<string, unknown> = {}) {
  const { actual_vendor_cost_cents: _cents, ...rest } = receipt(0)
  return { actual_vendor_cost: { amount, scale, currency: 'USD' }, ...rest, ...other }
}

/** The usual requests against one server. */
export function setup(hubu: TestHubu) {
  const spendBody = (agent: TestAgent, { key, amount, reason = 'Buy a test render', ...rest }: Spend) => ({
    operation_key: key,
    account_id: agent.account_id,
    amount_cents: amount,
    reason,
    ...rest,
  })
  const shorthand = {
    spendBody,
    async user(name = 'owner', more: Record<string, unknown> = {}) {
      const body = { display_name: `Owner ${name}`, email: `${name}@example.com`, ...more }
      return (await hubu.post('/init', body)).body as { user_id: string }
    },
    async agent(name = 'agent') {
      return (await hubu.post('/agents/register', { name, version: 'v1' })).body as TestAgent
    },
    limit: (agent: TestAgent, cents: number) =>
      hubu.post('/policies', { agent_id: agent.agent_id, daily_limit_cents: cents }),
    async budget(agent: TestAgent, cents: number, more: Record<string, unknown> = {}) {
      const made = await hubu.post('/budgets', { agent_id: agent.agent_id, amount_cents: cents, ...more })
      return made.body.budget as { budget_id: string }
    },
    /** U, A, P(limit), B(budget). */
    async ready(limit: number, budget: number) {
      const user = await shorthand.user()
      const agent = await shorthand.agent()
      await shorthand.limit(agent, limit)
      return { user, agent, budget: await shorthand.budget(agent, budget) }
    },
    authorize: (agent: TestAgent, spend: Spend) => hubu.post('/spend/authorize', spendBody(agent, spend)),
    pay: (agent: TestAgent, spend: Spend) => hubu.post('/spend', spendBody(agent, spend)),
    /** What an executor presents for an authorization. */
    presented(agent: TestAgent, authorized: Answer, more: Record<string, unknown> = {}) {
      const { scope_inputs: inputs, auth_token_id, operation_key, execution_scope } = authorized.body
      const merchant = inputs.merchant.value as string | null
      return {
        spend_auth_token_id: auth_token_id as string,
        operation_key: operation_key as string,
        account_id: agent.account_id,
        amount_cents: inputs.amount_minor.value as number,
        ...(merchant === null ? (execution_scope === null ? {} : { execution_scope }) : { merchant }),
        ...more,
      }
    },
    claim: (agent: TestAgent, authorized: Answer, more: Record<string, unknown> = {}) =>
      hubu.post('/spend/executor/claim', shorthand.presented(agent, authorized, more)),
    validate: (agent: TestAgent, authorized: Answer, more: Record<string, unknown> = {}) =>
      hubu.post('/spend/executor/validate', shorthand.presented(agent, authorized, more)),
    settle: (agent: TestAgent, key: string, sent: unknown) =>
      hubu.post('/spend/executor/settle', { agent_id: agent.agent_id, operation_key: key, receipt: sent }),
    release: (agent: TestAgent, key: string) =>
      hubu.post('/spend/executor/release', { agent_id: agent.agent_id, operation_key: key }),
    resolve: (id: string, decision: 'approve' | 'deny', extras = approval) =>
      hubu.post('/spend/approval/resolve', { approval_request_id: id, decision }, extras),
    /** consumed, frozen, remaining of the newest budget. */
    async balances() {
      const budget = (await hubu.get('/budgets?all=true')).body.budgets.at(-1)
      return [budget.consumed_amount_cents, budget.frozen_amount_cents, budget.remaining_amount_cents] as number[]
    },
  }
  return shorthand
}

/** Status and error text of a refusal. */
export function refusal(answer: Answer): [number, string] {
  return [answer.status, answer.body.error as string]
}
