import { expect, test } from 'vitest'
import { startHarness } from '../support/harness.ts'
import { localScope, type Fault } from '../support/hubu-stub.ts'

test.each([400, 401, 403, 404, 409, 429, 499])('a resolve answered %i makes the create invalid', async (status) => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('resolve', { status })
  const reply = await gongbu.create('tok-a')
  expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_request'])
  expect(reply.text).not.toContain('secret backend words')
  expect((await gongbu.create('tok-a')).status).toBe(200)
})

const unusable: [string, Fault][] = [
  ['500', { status: 500 }],
  ['302', { status: 302, headers: { Location: '/elsewhere' } }],
  ['204', { raw: '', status: 204 }],
  ['a cut connection', { drop: 'before' }],
  ['no JSON', { raw: 'not json' }],
  ['nothing', { raw: '' }],
  ['a list', { raw: '[]' }],
  ['no budget_hold', { omit: ['budget_hold'] }],
  ['no lease_profile', { omit: ['lease_profile'] }],
  ['an amount as text', { patch: { amount_cents: '1' } }],
  ['a fraction', { patch: { amount_cents: 1.5 } }],
  ['an unknown member in the scope', { patch: { execution_scope: { ...localScope, extra: 1 } } }],
]
test.each(unusable)('a resolve answered with %s is an internal error that stores nothing', async (_, fault) => {
  await using gongbu = await startHarness()
  gongbu.hubu.fail('resolve', fault)
  const reply = await gongbu.create('tok-a')
  expect([reply.status, reply.body.error.code]).toEqual([500, 'internal_error'])
  expect((await gongbu.create('tok-a')).status).toBe(200)
  expect(gongbu.hubu.of('resolve')).toHaveLength(2)
})

test('a Hubu that refuses connections is an internal error until it is back', async () => {
  await using gongbu = await startHarness()
  await gongbu.hubu.down()
  expect((await gongbu.create('tok-a')).status).toBe(500)
  await gongbu.hubu.up()
  expect((await gongbu.create('tok-a')).status).toBe(200)
})

const disagreements: [string, Record<string, unknown>][] = [
  ['one cent more', { amount_cents: 2, budget_hold: { amount_cents: 2 } }],
  ['one cent less', { amount_cents: 0, budget_hold: { amount_cents: 0 } }],
  ['another currency', { currency: 'eur' }],
  ['another scope', { execution_scope: { provider: { id: 'provider:ideogram', display_name: 'Ideogram' } } }],
  ['another display name', { execution_scope: { executor: { display_name: 'Gongbu Image Executor' } } }],
  ['another scope version', { execution_scope: { schema_version: 2 } }],
  ['no scope', { execution_scope: null }],
  ['status claimed', { status: 'claimed' }],
  ['an expiry that is now', { expires_at: '2031-03-04T05:06:07.000Z' }],
  ['an expiry without a zone', { expires_at: '2099-01-01T00:00:00' }],
  ['an expiry that is only a date', { expires_at: '2099-01-01' }],
  ['another token', { spend_auth_token_id: 'tok-other' }],
  ['a settled hold', { budget_hold: { status: 'settled' } }],
  ['a hold of one cent more', { budget_hold: { amount_cents: 2 } }],
  ['a blank reason', { reason: ' ' }],
  ['no decision', { decision_id: '' }],
  ['no account', { account_id: ' ' }],
  ['no agent', { agent_id: '' }],
  ['an operation key with blanks', { operation_key: ' demo:tok-a ' }],
]
test.each(disagreements)('an authorization with %s is refused and nothing is stored', async (_, spend) => {
  await using gongbu = await startHarness()
  gongbu.hubu.spend('tok-a', spend)
  const reply = await gongbu.create('tok-a')
  expect([reply.status, reply.body.error]).toEqual([400, { code: 'invalid_request', message: expect.any(String) }])
  await gongbu.create('tok-a')
  expect(gongbu.hubu.names()).toEqual(['resolve', 'resolve'])
})

test.each<[string, Record<string, unknown>]>([
  ['balances of the whole budget', { budget_hold: { consumed_amount_cents: 100, remaining_amount_cents: 800 } }],
  ['any lease profile', { lease_profile: 'long_running' }],
  ['a lower-case currency', { currency: 'usd' }],
  ['an expiry with an offset', { expires_at: '2031-03-04T14:06:07.500+09:00' }],
  ['another account and agent', { account_id: 'aga_other', agent_id: 'agt_other' }],
])('an authorization with %s is accepted', async (_, spend) => {
  await using gongbu = await startHarness()
  gongbu.hubu.spend('tok-a', spend)
  const reply = await gongbu.create('tok-a')
  expect([reply.status, reply.body.authorization]).toEqual([200, { amount_minor: 1, currency: 'USD' }])
})

test('a server that is bound to an account admits and shows only that one', async () => {
  await using gongbu = await startHarness()
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  const artifact = (await gongbu.artifacts(id)).body.artifacts[0].artifact_id
  await gongbu.restart({ boundAccountId: 'aga_other' })
  for (const path of [`/v1/executions/${id}`, `/v1/executions/${id}/artifacts`, `/v1/artifacts/${artifact}`]) {
    const reply = await gongbu.get(path)
    expect([reply.status, reply.body.error.code]).toEqual([403, 'forbidden'])
  }
  expect((await gongbu.reconcile(id, {})).status).toBe(403)
  expect((await gongbu.create('tok-a')).status).toBe(400)
  expect((await gongbu.create('tok-b')).status).toBe(400)
  gongbu.hubu.spend('tok-c', { account_id: 'aga_other' })
  expect((await gongbu.create('tok-c')).status).toBe(200)
})
