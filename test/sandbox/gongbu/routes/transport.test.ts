import { expect, test } from 'vitest'
import { callerToken, createBody, startHarness } from '../support/harness.ts'
import { sendRaw } from '../support/raw.ts'

const error = (version: 1 | 2, code: string) => ({
  schema_version: version,
  error: { code, message: expect.stringMatching(/./) },
})

test('liveness needs no credential and has exactly one form', async () => {
  await using gongbu = await startHarness()
  const live = await gongbu.send('GET', '/livez?x=1', { authorization: null })
  expect(live.status).toBe(200)
  expect(live.text).toBe('{"status":"live"}')
  expect(live.headers.get('content-type')).toBe('application/json')
})

test('readiness says whether new work is admitted', async () => {
  await using gongbu = await startHarness()
  expect((await gongbu.send('GET', '/readyz', { authorization: null })).text).toBe('{"status":"ready"}')
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  gongbu.hubu.setHealthy(false)
  await gongbu.restart()
  const ready = await gongbu.send('GET', '/readyz', { authorization: null })
  expect([ready.status, ready.text]).toEqual([503, '{"status":"not_ready"}'])
  for (const target of ['/v2/executions', '/v2/executions/', '//v2/executions?q=1']) {
    const refused = await gongbu.send('POST', target, { body: createBody('tok-a'), authorization: null })
    expect([refused.status, refused.body]).toEqual([503, error(2, 'not_ready')])
  }
  expect((await gongbu.read(id)).body.status).toBe('succeeded')
})

test('admission closes when a health check of Hubu fails and opens with the next good one', async () => {
  await using gongbu = await startHarness({ hubuCheckIntervalMs: 5000 })
  const isReady = async () => (await gongbu.get('/readyz')).status === 200
  const settled = async (wanted: boolean) => {
    gongbu.timers.pass(5000)
    await gongbu.eventually(async () => (await isReady()) === wanted && gongbu.timers.delays().length > 0)
  }
  gongbu.hubu.setHealthy(false)
  await settled(false)
  gongbu.hubu.setHealthy(true)
  await settled(true)
  gongbu.hubu.setProductVersion('9.9.9')
  await settled(false)
})

test('the version document has its eight members, without a credential', async () => {
  await using gongbu = await startHarness()
  expect((await gongbu.send('GET', '/version', { authorization: null })).body).toEqual({
    product_version: '0.2.0',
    source_commit: '5b1e0f9c2d3a4b5c6d7e8f9012a3b4c5d6e7f801',
    build_id: 'local',
    api_schema_version: 2,
    mcp_protocol_version: '2024-11-05',
    mcp_schema_version: 2,
    server_config_schema_version: 2,
    hubu_executor_contract: 'hubu-spend-executor-v4.3',
  })
})

test('only the exact scheme and token are a credential', async () => {
  await using gongbu = await startHarness()
  const wrong = [
    null,
    'bearer cap-1',
    'BEARER cap-1',
    'Bearer',
    'Bearer  cap-1',
    'Bearer cap-2',
    'Bearer cap-1x',
    'cap-1',
  ]
  for (const authorization of wrong) {
    const created = await gongbu.send('POST', '/v2/executions', { body: '{}', authorization })
    expect([created.status, created.body], String(authorization)).toEqual([401, error(2, 'unauthorized')])
    const read = await gongbu.send('GET', '/v1/executions/x', { authorization })
    expect([read.status, read.body]).toEqual([401, error(1, 'unauthorized')])
  }
  const head = 'GET /v1/executions/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
  const right = `Authorization: Bearer ${callerToken}\r\n`
  expect(await sendRaw(gongbu.url(), `${head}${right}Authorization: Bearer wrong\r\n\r\n`)).toMatch(/^HTTP\/1.1 404 /)
  expect(await sendRaw(gongbu.url(), `${head}Authorization: Bearer wrong\r\n${right}\r\n`)).toMatch(/^HTTP\/1.1 401 /)
})

test('anything that is no known method and path is 404, in the version of its path', async () => {
  await using gongbu = await startHarness()
  const unknown: [string, 1 | 2][] = [
    ['GET /nope', 2],
    ['GET /', 2],
    ['GET /v1', 2],
    ['GET /v1/', 1],
    ['DELETE /v1/executions/x', 1],
    ['PUT /v2/executions', 2],
    ['GET /v2/executions', 2],
    ['GET /v2/executions/x', 2],
    ['POST /v1/executions', 1],
    ['POST /v1/executions/x/artifacts', 1],
    ['GET /v1/executions/x/reconciliation', 1],
    ['OPTIONS /v2/executions', 2],
    ['GET /v2/execution-targets', 2],
    ['GET /v1/provider-catalog', 1],
    ['GET /v1//executions/x', 1],
    ['GET //v1/executions/x', 2],
    ['GET /v1/%65xecutions/x', 1],
    ['POST /livez', 2],
    ['GET /readyz/', 2],
    ['POST /sandbox/admission', 2],
  ]
  for (const [line, version] of unknown) {
    const [method = '', target = ''] = line.split(' ')
    const reply = await gongbu.send(method, target)
    expect([reply.status, reply.body], line).toEqual([404, error(version, 'not_found')])
  }
  const brewed = await sendRaw(
    gongbu.url(),
    `BREW /v1/executions/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${callerToken}\r\n\r\n`,
  )
  expect(brewed).toMatch(/^HTTP\/1.1 404 /)
  expect(brewed).toContain('"schema_version":1,"error":{"code":"not_found"')
})

test('a body over 1 MiB is 413 with nothing in it, before the credential counts', async () => {
  await using gongbu = await startHarness()
  const tooLarge = Buffer.alloc(1_048_577, ' ')
  for (const authorization of [`Bearer ${callerToken}`, null]) {
    for (const target of ['/v2/executions', '/nope']) {
      const reply = await gongbu.send('POST', target, { body: tooLarge, authorization })
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([413, '', null])
    }
  }
  const largest = await gongbu.send('POST', '/v2/executions', { body: tooLarge.subarray(1) })
  expect(largest.status).toBe(400)
  const chunked = await sendRaw(
    gongbu.url(),
    'POST /v2/executions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n',
    tooLarge,
    '\r\n0\r\n\r\n',
  )
  expect(chunked).toMatch(/^HTTP\/1.1 413 /)
})

test('outer slashes and the query do not matter, identifiers are literal', async () => {
  await using gongbu = await startHarness()
  const { execution_id: id } = await gongbu.runToEnd('tok-a')
  for (const target of [`/v1/executions/${id}/`, `//v1/executions/${id}//`, `/v1/executions/${id}?a=b`])
    expect((await gongbu.get(target)).body.execution_id).toBe(id)
  for (const other of [id.toUpperCase(), id.replace('-', '%2d'), `${id}%20`, '..%2f'])
    expect((await gongbu.get(`/v1/executions/${other}`)).status).toBe(404)
})

test('a client that half-closes after its request gets its answer', async () => {
  await using gongbu = await startHarness()
  const answer = await new Promise<string>((resolve) => {
    const { hostname, port } = new URL(gongbu.url())
    import('node:net')
      .then(({ connect }) => {
        const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
        let text = ''
        socket.on('data', (chunk) => (text += chunk.toString()))
        socket.on('end', () => resolve(text))
        socket.end('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      })
      .catch(() => resolve(''))
  })
  expect(answer).toContain('{"status":"live"}')
})

test('the sandbox switch closes and opens admission under its own token', async () => {
  await using gongbu = await startHarness({}, { adminToken: 'admin-1' })
  const turn = (body: unknown, authorization = 'Bearer admin-1') =>
    gongbu.send('POST', '/sandbox/admission', { body, authorization })
  expect((await turn({ open: false }, `Bearer ${callerToken}`)).status).toBe(401)
  expect((await turn({ open: 'no' })).status).toBe(400)
  expect((await turn({ open: false })).body).toEqual({ open: false })
  expect((await gongbu.create('tok-a')).status).toBe(503)
  expect((await turn({ open: true })).body).toEqual({ open: true })
  expect((await gongbu.create('tok-a')).status).toBe(200)
})
