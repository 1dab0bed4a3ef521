import { expect, test } from 'vitest'
import { testHubu, tokens } from './start.ts'

test('one spend goes from nothing to a settled receipt, human approval included', async () => {
  await using hubu = await testHubu()
  expect((await hubu.get('/health', { bearer: false })).text).toBe('{"status":"ok"}')
  await hubu.post('/init', { username: 'alice', display_name: 'Alice' })
  const agent = (await hubu.post('/agents/register', { name: 'demo', version: 'v1' })).body
  await hubu.post('/policies', { agent_id: agent.agent_id, daily_limit_cents: 500 })
  await hubu.post('/budgets', { agent_id: agent.agent_id, amount_cents: 1000 })
  const scope = {
    provider: 'provider:local:fixture',
    executor: 'executor:gongbu:image',
    capability: 'capability:image:generate',
    billing_merchant: 'merchant:local',
  }
  const spend = {
    ...{ operation_key: 'demo:op-1', account_id: agent.account_id, amount_cents: 600 },
    ...{ reason: 'Render a poster', execution_scope: scope },
  }
  const asked = await hubu.post('/spend/authorize', spend)
  expect(asked.body).toMatchObject({ decision: 'needs_approval', approval: { status: 'pending' } })
  const approved = await hubu.post(
    '/spend/approval/resolve',
    { approval_request_id: asked.body.decision_id, decision: 'approve' },
    { headers: { 'X-Hubu-Approval-Capability': tokens.approval } },
  )
  expect(approved.body).toMatchObject({
    decision: 'allow',
    authorization_expires_at: '2030-01-02T03:09:05+00:00',
    budget_hold: { status: 'frozen', frozen_amount_cents: 600, remaining_amount_cents: 400 },
  })
  const claimed = await hubu.post('/spend/executor/claim', {
    ...{ spend_auth_token_id: approved.body.auth_token_id, operation_key: 'demo:op-1' },
    ...{ account_id: agent.account_id, amount_cents: 600, execution_scope: approved.body.execution_scope },
  })
  expect(claimed.body).toMatchObject({ status: 'claimed', claim_expires_at: '2030-01-02T03:19:05+00:00' })
  const settled = await hubu.post('/spend/executor/settle', {
    ...{ agent_id: agent.agent_id, operation_key: 'demo:op-1' },
    receipt: {
      actual_vendor_cost: { amount: 4000001, scale: 6, currency: 'USD' },
      provider_request_id: 'vendor-req-1',
      price_model_snapshot: { provider: 'demo-vendor', model: 'm1', currency: 'USD' },
      artifact_reference: 'artifact://demo.png',
    },
  })
  expect(settled.body).toMatchObject({
    status: 'settled',
    receipt: {
      actual_vendor_cost: { amount: 4000001, scale: 6, currency: 'usd' },
      ...{ budget_charge_cents: 401, released_amount_cents: 199, overrun_amount_cents: 0 },
    },
    spend: { budget_hold: { consumed_amount_cents: 401, frozen_amount_cents: 0, remaining_amount_cents: 599 } },
  })
})
