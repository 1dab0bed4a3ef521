import { expect, test } from 'vitest'
import { sendRaw } from '../http/raw-client.ts'
import { refusal, setup } from './setup.ts'
import { testHubu, tokens } from './start.ts'

test('health is answered without the client closing its write side', async () => {
  await using hubu = await testHubu()
  const answer = await sendRaw(hubu.port, ['GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'])
  expect([answer.status, answer.body]).toEqual([200, '{"status":"ok"}'])
})

test('version names the contract and the stamp', async () => {
  await using hubu = await testHubu()
  expect((await hubu.get('/version', { bearer: false })).body).toEqual({
    product_version: '0.2.0',
    source_commit: 'abc123',
    executor_contract: 'hubu-spend-executor-v4.3',
  })
})

test('both registration guidance paths answer the same document', async () => {
  await using hubu = await testHubu()
  const guidance = await hubu.get('/registration/guidance', { bearer: false })
  const alias = await hubu.get('/.well-known/hubu-agent-registration.json', { bearer: false })
  expect(alias.text).toBe(guidance.text)
  expect(guidance.body).toMatchObject({
    protocol_version: 'hubu-agent-registration-v1',
    fingerprint: { algorithm: 'sha256' },
    signature_policy: 'not_supported',
  })
  expect(guidance.body.human_inputs[0].name).toBe('agent_name')
  expect(guidance.body.identity_payload.required).toContain('owner')
  expect(guidance.body.version_payload.required).toContain('identity_fingerprint')
})

test('both executor guidance paths answer the contract and the effective leases', async () => {
  await using hubu = await testHubu()
  const guidance = await hubu.get('/spend/executor/guidance', { bearer: false })
  expect((await hubu.get('/.well-known/hubu-spend-executor.json', { bearer: false })).text).toBe(guidance.text)
  expect(guidance.body).toMatchObject({
    protocol_version: 'hubu-spend-executor-v4.3',
    routes: {
      resolve: 'POST /spend/executor/resolve',
      reconciliation_queue: 'GET /spend/executor/reconciliation',
      reconcile_vendor_billed: 'POST /spend/executor/settle',
    },
    operation_key_policy: { namespace: ['agent_id', 'operation_key'] },
    claim_request: { required: ['spend_auth_token_id', 'operation_key', 'account_id', 'amount_cents'] },
    release_request: { required: ['agent_id', 'operation_key'] },
    reconciliation_request: { required: ['claim_id', 'provider_reference', 'evidence'] },
    lease: {
      authorization_ttl_seconds: 300,
      default_lease_profile: 'default',
      lease_profiles: { default: { claim_ttl_seconds: 900 }, conformance_short: { claim_ttl_seconds: 1 } },
    },
    execution_scope_schema_version: 1,
  })
  expect(guidance.body.role_boundary.hubu).toContain('exclusively claim executor spend authorization')
  expect(guidance.body.role_boundary.executor).toContain('hold vendor credentials outside Hubu')
  expect(guidance.body.authorization_request.required).toContain('operation_key')
  expect(guidance.body.settle_request.required).toContain('receipt.actual_vendor_cost_cents')
  expect(guidance.body.execution_scope_catalog).toHaveLength(5)
})

test.each([
  ['no Authorization', { bearer: false as const }, 'missing authorization bearer token'],
  ['an Origin', { headers: { Origin: 'https://example.test' } }, 'browser-origin requests'],
  ['an empty Origin', { headers: { Origin: '' } }, 'browser-origin requests'],
  ['a foreign Host', { headers: { Host: 'example.test' } }, 'loopback'],
  ['another loopback address', { headers: { Host: '127.0.0.2' } }, 'loopback'],
  ['a bare ::1 with a port', { headers: { Host: '::1:8787' } }, 'loopback'],
  ['another scheme', { headers: { Authorization: `Basic ${tokens.api}` } }, 'invalid authorization bearer token'],
  ['an empty token', { headers: { Authorization: 'Bearer ' } }, 'invalid authorization bearer token'],
  ['a capability as bearer', { bearer: tokens.approval }, 'invalid authorization bearer token'],
])('%s is a 401', async (_what, extras, fragment) => {
  await using hubu = await testHubu()
  const answer = await hubu.get('/user', extras)
  expect(answer.status).toBe(401)
  expect(answer.body.error).toContain(fragment)
  expect(Object.keys(answer.body)).toEqual(['error'])
})

test.each(['localhost', 'localhost:1', '127.0.0.1:99', '::1', '[::1]', '[::1]:8787', undefined])(
  'the Host %s is accepted',
  async (host) => {
    await using hubu = await testHubu()
    expect((await hubu.get('/user', { headers: { Host: host } })).status).toBe(200)
  },
)

test('a spend token is no bearer token', async () => {
  await using hubu = await testHubu()
  const { ready, authorize } = setup(hubu)
  const { agent } = await ready(500, 500)
  const spent = await authorize(agent, { key: 'k', amount: 100 })
  const answer = await hubu.post('/budgets', {}, { bearer: spent.body.auth_token_id })
  expect([answer.status, answer.text]).toEqual([401, '{"error":"invalid authorization bearer token"}'])
})

test('a POST without a JSON content type is a 401, checked before Host and bearer', async () => {
  await using hubu = await testHubu()
  const extras = { bearer: false as const, headers: { 'Content-Type': 'text/plain', Host: 'example.test' } }
  expect(refusal(await hubu.post('/budgets', {}, extras))[1]).toContain('Content-Type: application/json')
  const typed = { headers: { 'Content-Type': 'APPLICATION/JSON ; charset=utf-8' } }
  expect((await hubu.post('/budgets', {}, typed)).status).toBe(400)
})

test('a body one byte over the limit, chunks, bad lengths and broken headers are no success; 1 MiB is read', async () => {
  await using hubu = await testHubu()
  const head = `POST /budgets HTTP/1.1\r\nAuthorization: Bearer ${tokens.api}\r\nContent-Type: application/json\r\n`
  const refused: [string, number][] = [
    [`${head}Content-Length: 1048577\r\n\r\n`, 413],
    [`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 400],
    [`${head}Content-Length: abc\r\n\r\n`, 400],
    [`${head}Nonsense\r\n\r\n`, 400],
    [`${head}X: ${'x'.repeat(65_536)}\r\n\r\n`, 400],
  ]
  for (const [bytes, status] of refused) {
    const answer = await sendRaw(hubu.port, [bytes])
    expect([answer.status, Object.keys(JSON.parse(answer.body) as object)]).toEqual([
      status,
      ['error', 'retry_guidance'],
    ])
  }
  const largest = `{"x":"${'y'.repeat(1_048_576 - 8)}"}`
  const read = await sendRaw(hubu.port, [`${head}Content-Length: 1048576\r\n\r\n`, largest])
  expect(read.body).toContain('missing field `amount_cents`')
  const notUtf8 = await sendRaw(hubu.port, [`${head}Content-Length: 4\r\n\r\n`, Buffer.from([0x22, 0xff, 0xfe, 0x22])])
  expect(notUtf8.status).toBe(400)
})

test('bytes after the declared length are ignored', async () => {
  await using hubu = await testHubu()
  const head = `POST /init HTTP/1.1\r\nAuthorization: Bearer ${tokens.api}\r\nContent-Type: application/json\r\n`
  const answer = await sendRaw(hubu.port, [`${head}Content-Length: 2\r\n\r\n{}{"username":"x"}`])
  expect(JSON.parse(answer.body)).toMatchObject({ username: null, display_name: 'Hubu User' })
})

test.each(['/', '/nothing', '/user/', '//user', '/USER', '/us%65r', '/spend', 'http://127.0.0.1/user', '/user#x'])(
  'the unknown route GET %s is a 400',
  async (path) => {
    await using hubu = await testHubu()
    const answer = await sendRaw(hubu.port, [`GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${tokens.api}\r\n\r\n`])
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { error: expect.any(String), retry_guidance: null }])
  },
)

test.each(['?all=1', '?all=true', '?all=yes', '?all=0&all=1', '?x&all=true&&'])(
  'the flag in %s is set, raw and last wins',
  async (query) => {
    await using hubu = await testHubu()
    const { ready } = setup(hubu)
    const { budget } = await ready(500, 500)
    await hubu.post('/budgets/revoke', budget)
    expect((await hubu.get(`/budgets${query}`)).body.budgets).toHaveLength(1)
    expect((await hubu.get('/budgets?all=%74rue')).body.budgets).toHaveLength(0)
  },
)
