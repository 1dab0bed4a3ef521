// Which era a process on stdio turns out to be of, and what each era gets from then on.
import { expect, test } from 'vitest'
import { openSession, request, toolCall } from './session.ts'

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const subscription = 'io.modelcontextprotocol/subscriptionId'

const modern = (id: unknown, method: string, params: object = {}, meta: object = {}) =>
  request(id, method, { ...params, _meta: { [version]: '2026-07-28', [capabilities]: {}, ...meta } })

/** A session with what is told of it before anything else. */
const open = (...given: Parameters<typeof openSession>) =>
  openSession(given[0], { discover: () => ({ supportedVersions: ['2026-07-28'] }), ...given[1] })

const parsed = async (answer: Promise<string>) =>
  JSON.parse(await answer) as {
    id: unknown
    result?: Record<string, unknown>
    error?: { code: number; data?: unknown }
  }

/** Nothing is watched here, and no server logs. */
const quietNews = { watch: () => Promise.reject(new Error('nothing is watched here')), onLog: () => () => {} }

test('a look at what is spoken here waits for nothing and decides nothing', async () => {
  const session = open({}, { handlers: new Promise(() => {}) })
  const found = await parsed(session.exchange(modern('d', 'server/discover')))
  expect(found).toMatchObject({
    id: 'd',
    result: { resultType: 'complete', supportedVersions: ['2026-07-28'], ttlMs: 60000, cacheScope: 'private' },
  })
  expect(found.result?._meta).toEqual({ 'io.modelcontextprotocol/serverInfo': { name: 'x', version: '1' } })
  session.signals.emit('SIGTERM')
  await session.done
})

test('after a look a handshake makes the process one of the revisions with a handshake, for good', async () => {
  const session = open()
  await session.exchange(modern(1, 'server/discover'))
  await session.handshake()
  expect(await parsed(session.exchange(request(2, 'ping')))).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  expect((await parsed(session.exchange(modern(3, 'server/discover')))).error?.code).toBe(-32601)
  expect((await parsed(session.exchange(modern(4, 'tools/list')))).result).toEqual({ tools: [] })
  await session.end()
})

test('a request that says its revision makes the process modern, for good', async () => {
  const session = open()
  const list = await parsed(session.exchange(modern(1, 'tools/list')))
  expect(list.result).toMatchObject({ resultType: 'complete', tools: [], ttlMs: 5000, cacheScope: 'private' })
  const refused = await parsed(session.exchange(request(2, 'initialize', { protocolVersion: '2025-11-25' })))
  expect(refused.error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  })
  const bare = await parsed(session.exchange(request(3, 'tools/list', {})))
  expect(bare.error?.code).toBe(-32602)
  await session.end()
})

test.each([
  ['a revision that is not served', modern(1, 'tools/list', {}, { [version]: '2099-01-01' }), -32022],
  ['a revision with a handshake', modern(1, 'tools/list', {}, { [version]: '2025-11-25' }), -32022],
  ['capabilities that are none', modern(1, 'tools/list', {}, { [capabilities]: [] }), -32602],
  ['a level that is none', modern(1, 'tools/list', {}, { 'io.modelcontextprotocol/logLevel': 'loud' }), -32602],
  ['a client without a name', modern(1, 'tools/list', {}, { 'io.modelcontextprotocol/clientInfo': {} }), -32602],
  ['an id that is a fraction', modern(1.5, 'tools/list'), -32600],
])('%s is refused, and nothing is decided by it', async (_what, line, code) => {
  const session = open()
  expect((await parsed(session.exchange(line))).error?.code).toBe(code)
  expect((await parsed(session.exchange(request(2, 'ping')))).result).toEqual({})
  await session.end()
})

test('a message that gives a member twice is refused in the modern era', async () => {
  const session = open()
  const line = JSON.stringify(modern(1, 'tools/list'))
  const twice = line.replace('"method":', '"method":"tools/call","method":')
  expect((await parsed(session.exchange(twice))).error?.code).toBe(-32600)
  expect((await parsed(session.exchange(modern(2, 'tools/list')))).result?.tools).toEqual([])
  await session.end()
})

test.each(['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'nope'])(
  'the modern era has no %s',
  async (method) => {
    const session = open({ other: { 'logging/setLevel': () => Promise.resolve({}) } })
    await session.exchange(modern(1, 'tools/list'))
    expect((await parsed(session.exchange(modern(2, method)))).error?.code).toBe(-32601)
    await session.end()
  },
)

test('a key that is given twice anywhere in the parameters is refused before any handler', async () => {
  const session = open()
  const line = JSON.stringify(modern(1, 'tools/call', { name: 'echo' }))
  const twice = line.replace('"_meta":{', '"_meta":{"a":1,"a":2,')
  expect((await parsed(session.exchange(twice))).error?.code).toBe(-32602)
  expect(session.calls).toEqual([])
  await session.end()
})

test('what a call says of its client reaches the handler with it, and its progress goes out under its token', async () => {
  const session = open()
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' } }
  session.send(modern('c', 'tools/call', { name: 'slow' }, { ...meta, [capabilities]: { roots: {} } }))
  await session.arrivals(1)
  const [arrived] = session.calls
  expect(arrived?.call.client).toEqual({
    era: 'modern',
    revision: '2026-07-28',
    capabilities: { roots: {} },
    name: 'agent',
  })
  session.clock.advance(1000)
  expect(JSON.parse(await session.next())).toMatchObject({ params: { progressToken: 'p', progress: 1 } })
  arrived?.finish({ content: [], _meta: { kept: 1 } })
  expect((await parsed(session.next())).result).toEqual({
    resultType: 'complete',
    content: [],
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x', version: '1' }, kept: 1 },
  })
  await session.end()
})

test('a cancelled call is aborted and gets no answer', async () => {
  const session = open()
  session.send(modern('c', 'tools/call', { name: 'slow' }))
  await session.arrivals(1)
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
  await session.settle()
  expect(session.calls[0]?.call.signal.aborted).toBe(true)
  session.calls[0]?.finish({ content: [] })
  expect((await parsed(session.exchange(modern(2, 'tools/list')))).id).toBe(2)
  await session.end()
})

test('answers and notifications of the other era ask for nothing', async () => {
  const session = open()
  await session.exchange(modern(1, 'tools/list'))
  session.send({ jsonrpc: '2.0', id: 99, result: {} }, { jsonrpc: '2.0', method: 'notifications/initialized' })
  expect((await parsed(session.exchange(modern(2, 'tools/list')))).id).toBe(2)
  expect(session.output).toHaveLength(2)
  await session.end()
})

test('what a handshake begins is begun before the first request is answered', async () => {
  let begun = 0
  const session = open({ began: () => Promise.resolve(void begun++) })
  await session.exchange(modern(1, 'server/discover'))
  expect(begun).toBe(0)
  session.send(toolCall('x', 'echo', { _meta: { [version]: '2026-07-28', [capabilities]: {} } }))
  await session.next()
  expect(begun).toBe(1)
  await session.end()
})

test('a subscription is acknowledged, and ended by an answer when the input ends', async () => {
  let changed = () => {}
  const news = {
    digests: () => ({ tools: String(digest) }),
    onChange: (listener: () => void) => ((changed = listener), () => {}),
    ...quietNews,
  }
  let digest = 0
  const session = open({ news })
  const asked = { notifications: { toolsListChanged: true, promptsListChanged: true } }
  expect(JSON.parse(await session.exchange(modern(7, 'subscriptions/listen', asked)))).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true }, _meta: { [subscription]: 7 } },
  })
  changed()
  digest++
  changed()
  expect(JSON.parse(await session.next())).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: { [subscription]: 7 } },
  })
  session.stdin.end()
  expect((await parsed(session.next())).result).toMatchObject({ resultType: 'complete', _meta: { [subscription]: 7 } })
  await session.done
})

test('a subscription that is cancelled says nothing more', async () => {
  const news = {
    digests: () => ({ tools: '' }),
    onChange: () => () => {},
    ...quietNews,
  }
  const session = open({ news })
  await session.exchange(modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
  session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'l' } })
  await session.settle()
  await session.end()
  expect(session.output).toHaveLength(1)
})

test('a subscription to nothing is acknowledged and ended at once, and the seventeenth is refused', async () => {
  const news = {
    digests: () => ({ tools: '' }),
    onChange: () => () => {},
    ...quietNews,
  }
  const session = open({ news })
  await session.exchange(modern('none', 'subscriptions/listen', { notifications: {} }))
  expect((await parsed(session.next())).result?.resultType).toBe('complete')
  const asked = { notifications: { toolsListChanged: true } }
  for (let n = 0; n < 16; n++) await session.exchange(modern(n, 'subscriptions/listen', asked))
  const refused = await parsed(session.exchange(modern('more', 'subscriptions/listen', asked)))
  expect(refused.error).toMatchObject({ code: -32603, data: { code: 'too_many_subscriptions' } })
  await session.end()
})
