// Faults on demand at Gongbu's routes, behind the admin token.
import { expect, test } from 'vitest'
import { startHarness } from '../support/harness.ts'

const admin = 'admin-token'
const startFaulty = () => startHarness({ mockHubu: {} }, { hubu: { url: '', token: '' }, adminToken: admin })
type Faulty = Awaited<ReturnType<typeof startFaulty>>

async function set(gongbu: Faulty, ...faults: Record<string, unknown>[]) {
  const reply = await gongbu.send('POST', '/sandbox/faults', { body: { faults }, authorization: `Bearer ${admin}` })
  expect(reply.status).toBe(200)
}

test.each<[string, Record<string, unknown>, boolean]>([
  ['a lost reply', { kind: 'lost_reply' }, true],
  ['a reply lost before handling', { kind: 'lost_reply', handled: false }, false],
  ['a cut reply', { kind: 'cut_reply' }, true],
])('%s ends the connection and takes effect exactly if it says so', async (_what, fault, handled) => {
  await using gongbu = await startFaulty()
  await set(gongbu, { path: '/v2/executions', times: 1, ...fault })
  await expect(gongbu.create('tok-a')).rejects.toThrow()
  const other = await gongbu.create('tok-a', { input: { prompt: 'another', image_count: 1 } })
  expect(other.status).toBe(handled ? 409 : 200)
})

test.each<[string, Record<string, unknown>, number, unknown, boolean]>([
  ['an error', { kind: 'error', status: 502 }, 502, { schema_version: 2, error: { code: 'internal_error' } }, true],
  ['an error before handling', { kind: 'error', handled: false }, 500, { error: { code: 'internal_error' } }, false],
  ['not being ready', { kind: 'not_ready' }, 503, { schema_version: 2, error: { code: 'not_ready' } }, false],
])('%s is told in the envelope of errors', async (_what, fault, status, body, handled) => {
  await using gongbu = await startFaulty()
  await set(gongbu, { method: 'POST', path: '/v2/*', times: 1, ...fault })
  const reply = await gongbu.create('tok-a')
  expect(reply.status).toBe(status)
  expect(reply.body).toMatchObject(body as object)
  const other = await gongbu.create('tok-a', { input: { prompt: 'another', image_count: 1 } })
  expect(other.status).toBe(handled ? 409 : 200)
})

test('readiness, version, garbage and delay are what the rules make of them', async () => {
  await using gongbu = await startFaulty()
  await set(
    gongbu,
    { path: '/readyz', kind: 'not_ready' },
    { path: '/version', kind: 'incompatible_version', members: { source_commit: 'other' } },
    { path: '/livez', kind: 'garbage' },
    { path: '/v1/executions/x', kind: 'delay', delay_ms: 1 },
  )
  const ready = await gongbu.get('/readyz')
  expect([ready.status, ready.body]).toEqual([503, { status: 'not_ready' }])
  expect((await gongbu.get('/version')).body).toMatchObject({ product_version: '0.2.0', source_commit: 'other' })
  expect((await gongbu.send('GET', '/livez').catch((error: unknown) => String(error))).toString()).toContain('JSON')
  expect((await gongbu.get('/v1/executions/x')).status).toBe(404)
  await set(gongbu)
  expect((await gongbu.get('/readyz')).status).toBe(200)
})

test('a late answer does not hold up the end of the server', async () => {
  const gongbu = await startFaulty()
  await set(gongbu, { path: '/livez', kind: 'delay', delay_ms: 600_000 })
  const late = gongbu.get('/livez').catch(() => 'gone')
  await set(gongbu)
  await gongbu[Symbol.asyncDispose]()
  expect(await late).toBe('gone')
})

test('only the admin token sets faults, and a server without one has no such route', async () => {
  await using gongbu = await startFaulty()
  for (const authorization of [undefined, null, 'Bearer other'])
    expect((await gongbu.send('GET', '/sandbox/faults', { authorization })).status).toBe(401)
  await using plain = await startHarness({ mockHubu: {} }, { hubu: { url: '', token: '' } })
  expect((await plain.send('POST', '/sandbox/faults', { body: { faults: [] } })).status).toBe(404)
})
