import { expect, test } from 'vitest'
import { setup } from '../hubu/setup.ts'
import { testHubu, tokens, type TestHubu } from '../hubu/start.ts'

const admin = { bearer: 'admin-secret' }

function faultyHubu() {
  return testHubu({ tokens: { ...tokens, admin: admin.bearer } })
}

async function set(hubu: TestHubu, ...faults: Record<string, unknown>[]) {
  expect((await hubu.post('/sandbox/faults', { faults }, admin)).status).toBe(200)
}

test('a lost reply took effect, and the repeat finds it', async () => {
  await using hubu = await faultyHubu()
  const { ready, authorize, balances } = setup(hubu)
  const { agent } = await ready(500, 500)
  await set(hubu, { path: '/spend/authorize', kind: 'lost_reply', times: 1 })
  await expect(authorize(agent, { key: 'k', amount: 100 })).rejects.toThrow()
  expect((await authorize(agent, { key: 'k', amount: 100 })).body.idempotent_replay).toBe(true)
  expect(await balances()).toEqual([0, 100, 400])
})

test.each<[string, Record<string, unknown>, boolean]>([
  ['an error before handling', { kind: 'error', status: 503, handled: false }, false],
  ['an error after handling', { kind: 'error' }, true],
  ['a reply lost before handling', { kind: 'lost_reply', handled: false }, false],
  ['a cut reply', { kind: 'cut_reply' }, true],
  ['garbage', { kind: 'garbage' }, true],
  ['not ready', { kind: 'not_ready' }, false],
])('%s takes effect exactly if it says so', async (_what, fault, handled) => {
  await using hubu = await faultyHubu()
  const { agent } = setup(hubu)
  await set(hubu, { method: 'POST', path: '/agents/*', times: 1, ...fault })
  const outcome = await agent('a').then(
    (made) => made.agent_id,
    () => undefined,
  )
  expect(outcome).toBeUndefined()
  expect((await hubu.get('/agents')).body.agents).toHaveLength(handled ? 1 : 0)
})

test('a version becomes another one, a delay only takes time, and rules count down', async () => {
  await using hubu = await faultyHubu()
  await set(
    hubu,
    { path: '/version', kind: 'incompatible_version', times: 1 },
    { path: '/version', kind: 'incompatible_version', members: { executor_contract: 'v9' }, times: 1 },
    { path: '/user', kind: 'delay', delay_ms: 1 },
  )
  expect((await hubu.get('/version')).body).toMatchObject({
    product_version: '0.0.0-incompatible',
    executor_contract: 'hubu-spend-executor-v4.3',
  })
  expect((await hubu.get('/version')).body.executor_contract).toBe('v9')
  expect((await hubu.get('/version')).body.executor_contract).toBe('hubu-spend-executor-v4.3')
  expect((await hubu.get('/user')).status).toBe(200)
  expect((await hubu.get('/sandbox/faults', admin)).body.faults).toEqual([
    { path: '/version', times: 0, kind: 'incompatible_version', members: { product_version: '0.0.0-incompatible' } },
    { path: '/version', times: 0, kind: 'incompatible_version', members: { executor_contract: 'v9' } },
    { path: '/user', kind: 'delay', delay_ms: 1 },
  ])
  await set(hubu)
  expect((await hubu.get('/sandbox/faults', admin)).body).toEqual({ faults: [] })
})

test('only the admin token sets faults, and a server without one has no such route', async () => {
  await using hubu = await faultyHubu()
  for (const extras of [{}, { bearer: false as const }, { ...admin, headers: { Origin: 'http://localhost' } }])
    expect((await hubu.post('/sandbox/faults', { faults: [] }, extras)).status).toBe(401)
  expect((await hubu.get('/user', admin)).status).toBe(401)
  await using plain = await testHubu()
  expect((await plain.post('/sandbox/faults', { faults: [] })).body.error).toContain('no such route')
})

test.each([
  'nonsense',
  '[]',
  '{"faults":{}}',
  '{"faults":[{"path":"user","kind":"garbage"}]}',
  '{"faults":[{"path":"/user","kind":"fire"}]}',
  '{"faults":[{"path":"/user","kind":"delay"}]}',
  '{"faults":[{"path":"/user","kind":"delay","delay_ms":1e9}]}',
  '{"faults":[{"path":"/user","kind":"error","status":200}]}',
  '{"faults":[{"path":"/user","kind":"garbage","times":0}]}',
  '{"faults":[{"path":"/user","kind":"garbage","often":1}]}',
  '{"faults":[{"path":"/user","kind":"incompatible_version","members":{"a":1}}]}',
  '{"faults":[{"path":"/user","kind":"garbage","name":1}]}',
  '{"faults":[{"path":"/user","kind":"execution","behaviour":"rejected"}]}',
  '{"faults":[{"kind":"execution","behaviour":"rejected"}]}',
])('the rules %s are refused and change nothing', async (body) => {
  await using hubu = await faultyHubu()
  await set(hubu, { path: '/nowhere', kind: 'garbage' })
  expect((await hubu.post('/sandbox/faults', body, admin)).status).toBe(400)
  expect((await hubu.get('/sandbox/faults', admin)).body.faults).toHaveLength(1)
})
