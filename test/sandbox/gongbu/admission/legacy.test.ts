import { expect, test } from 'vitest'
import { createBody, startHarness, type Harness } from '../support/harness.ts'
import { localScope } from '../support/hubu-stub.ts'

function legacyBody(token: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  const { spend_auth_token_id: _, ...work } = createBody(token)
  return {
    ...work,
    schema_version: 1,
    operation_key: `demo:${token}`,
    hubu_authorization_id: token,
    hubu_token_reference: token,
    hubu_claim_id: null,
    authorization: { amount_minor: 1, currency: 'USD' },
    ...over,
  }
}
const post = (gongbu: Harness, body: unknown) => gongbu.send('POST', '/v1/executions', { body })

test('the legacy create is 404 unless it is switched on (G 2.3)', async () => {
  await using gongbu = await startHarness()
  expect((await post(gongbu, legacyBody('tok-a'))).status).toBe(404)
})

test('the legacy create makes and repeats the same executions as the other one (G 2.3)', async () => {
  await using gongbu = await startHarness({ legacyCreate: true })
  const created = await post(gongbu, legacyBody('tok-a', { execution_scope: localScope }))
  expect([created.status, created.body.schema_version, created.body.status]).toEqual([200, 1, 'pending'])
  const { execution_id: id } = await gongbu.ended(created.body.execution_id)
  expect((await post(gongbu, legacyBody('tok-a'))).body.execution_id).toBe(id)
  expect((await gongbu.create('tok-a')).body.execution_id).toBe(id)
  expect(gongbu.hubu.of('resolve')).toHaveLength(1)
})

test.each<[string, Record<string, unknown>]>([
  ['another operation key', { operation_key: 'demo:other' }],
  ['another amount', { authorization: { amount_minor: 7, currency: 'USD' } }],
  ['another currency', { authorization: { amount_minor: 1, currency: 'EUR' } }],
  ['a claim id', { hubu_claim_id: 'claim-1' }],
  ['another scope', { execution_scope: { ...localScope, provider: { id: 'x', display_name: 'x' } } }],
])('a legacy assertion of %s is invalid for new work and a conflict on replay (G 2.3)', async (_, over) => {
  await using gongbu = await startHarness({ legacyCreate: true })
  const refused = await post(gongbu, legacyBody('tok-a', over))
  expect([refused.status, refused.body.schema_version, refused.body.error.code]).toEqual([400, 1, 'invalid_request'])
  await gongbu.runToEnd('tok-a')
  const replay = await post(gongbu, legacyBody('tok-a', over))
  expect([replay.status, replay.body.error.code]).toEqual([409, 'immutable_scope_conflict'])
})

test('the two names of the token must agree before anything else happens (G 2.3)', async () => {
  await using gongbu = await startHarness({ legacyCreate: true })
  const reply = await post(gongbu, legacyBody('tok-a', { hubu_token_reference: 'tok-b' }))
  expect([reply.status, reply.body.error.code]).toEqual([400, 'legacy_token_alias_mismatch'])
  expect((await post(gongbu, legacyBody('tok-a', { hubu_token_reference: ' tok-a ' }))).status).toBe(200)
  expect(gongbu.hubu.of('resolve')).toHaveLength(1)
})

test('a legacy body is strict, and its diagnostics are of version 1 (G 1.7, 2.3)', async () => {
  await using gongbu = await startHarness({ legacyCreate: true })
  const money = [1, { amount_minor: 1 }, { amount_minor: -1, currency: 'USD' }, { amount_minor: 1, currency: 'USDX' }]
  const bodies = [{}, legacyBody('tok-a', { extra: 1 }), legacyBody('a.b'), legacyBody('tok-a', { operation_key: ' ' })]
  for (const body of [...bodies, ...money.map((authorization) => legacyBody('tok-a', { authorization }))])
    expect((await post(gongbu, body)).body.error.code).toBe('invalid_request')
  const reply = await post(gongbu, legacyBody('tok-a', { model: 'unknown' }))
  expect(reply.body).toMatchObject({ schema_version: 1, error: { reason_code: 'target_not_selectable' } })
  expect(JSON.parse(gongbu.log[0] ?? '')).toMatchObject({ route_version: 1 })
  expect(gongbu.hubu.calls).toEqual([])
})
