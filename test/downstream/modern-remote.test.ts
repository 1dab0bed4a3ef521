// A server of the modern era behind HTTP: how it is found, what it is sent, and what its answers mean.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { call, lost, mountRemote, remoteServer } from './remote-server.ts'

const key = (name: string) => `io.modelcontextprotocol/${name}`
const revision = '2026-07-28'

interface Asked {
  id: number
  method: string
  params: { name?: string; _meta: Record<string, unknown> }
  headers: IncomingHttpHeaders
}
type Respond = (asked: Asked, response: ServerResponse, result: (value: object) => void) => void

const marked = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
const broken = { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }

/** With two tools, `call` and one whose mark breaks the rules; calls are answered by the test. */
async function modernServer(respond: Respond, versions = [revision]) {
  const seen: Asked[] = []
  const verbs: string[] = []
  const server = createServer((request, response) => {
    verbs.push(request.method ?? '')
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const asked = { ...(JSON.parse(body) as Asked), headers: request.headers }
      seen.push(asked)
      const { id, method } = asked
      const say = (status: number, more: object) =>
        response
          .writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': 'nobody asked for it' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...more }))
      const result = (value: object) => void say(200, { result: { resultType: 'complete', ...value } })
      if (!versions.includes(revision))
        say(400, { error: { code: -32022, message: 'no', data: { supported: versions } } })
      else if (method === 'server/discover') result({ supportedVersions: versions, capabilities: { tools: {} } })
      else if (method === 'tools/list')
        result({
          tools: [
            { name: 'call', inputSchema: marked },
            { name: 'broken', inputSchema: broken },
          ],
        })
      else if (method === 'subscriptions/listen')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      else respond(asked, response, result)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    verbs,
    calls: () => seen.filter(({ method }) => method === 'tools/call'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const done: Respond = (_asked, _response, result) => result({ content: [] })

test('it is found by its first answer and gets no handshake, no session and no goodbye', async () => {
  await using server = await modernServer(done)
  {
    await using mounts = await mountRemote({ url: server.url })
    expect(await call(mounts)).toMatchObject({ kind: 'result', json: '{"content":[]}' })
  }
  expect(server.seen[0]?.method).toBe('server/discover')
  expect(server.seen.map(({ method }) => method)).not.toContain('initialize')
  expect(new Set(server.verbs)).toEqual(new Set(['POST']))
  expect(server.seen.filter(({ headers }) => headers['mcp-session-id'] !== undefined)).toEqual([])
})

test('headers repeat the revision, the method, the name and marked arguments', async () => {
  await using server = await modernServer(done)
  await using mounts = await mountRemote({ url: server.url })
  for (const region of ['eu', 'Zürich', '', ' x', '=?base64?eA==?=', null, undefined])
    await mounts.call('r', 'call', { region }, {})
  const [first] = server.calls()
  expect(first?.headers).toMatchObject({
    'mcp-protocol-version': revision,
    'mcp-method': 'tools/call',
    'mcp-name': 'call',
  })
  expect(first?.params._meta).toMatchObject({ [key('protocolVersion')]: revision, [key('clientCapabilities')]: {} })
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
  expect(server.calls().map(({ headers }) => headers['mcp-param-region'])).toEqual([
    'eu',
    ...['Zürich', '', ' x', '=?base64?eA==?='].map(base64),
    undefined,
    undefined,
  ])
})

test('a tool whose mark breaks the rules is not shown, and the reason is told', async () => {
  await using server = await modernServer(done)
  await using mounts = await mountRemote({ url: server.url })
  expect(mounts.servers()[0]?.notes.join()).toMatch(/x-mcp-header/)
})

test("the revision's own errors are told with their data whatever their status is, and other refusals by their status", async () => {
  const data = { requiredCapabilities: { elicitation: {} } }
  await using server = await modernServer(({ id }, response) => {
    const isFirst = server.calls().length === 1
    const error = { code: isFirst ? -32021 : -1, message: 'no', data }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
  })
  await using mounts = await mountRemote({ url: server.url })
  expect(await call(mounts)).toMatchObject({ kind: 'error', code: -32021, dataJson: JSON.stringify(data) })
  expect(await call(mounts)).toMatchObject({ kind: 'refused' })
})

test('an answer that is cut has an unknown outcome and is asked for once', async () => {
  await using server = await modernServer((_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"jsonrpc"', () => response.destroy())
  })
  await using mounts = await mountRemote({ url: server.url })
  expect(await call(mounts)).toEqual(lost)
  expect(server.calls()).toHaveLength(1)
})

test('a call that is given up closes its response, and nothing is sent', async () => {
  let note = () => {}
  const closed = new Promise<void>((resolve) => (note = resolve))
  const stop = new AbortController()
  await using server = await modernServer((_asked, response) => {
    response.on('close', note)
    stop.abort()
  })
  await using mounts = await mountRemote({ url: server.url })
  expect(await mounts.call('r', 'call', {}, { signal: stop.signal })).toMatchObject({ why: 'cancelled' })
  await closed
  expect(server.seen.map(({ method }) => method)).not.toContain('notifications/cancelled')
})

test('a server of another revision is not mounted, and is asked for no handshake', async () => {
  await using server = await modernServer(done, ['2099-01-01'])
  await using mounts = await mountRemote({ url: server.url })
  expect(mounts.servers()[0]?.error).toMatch(/version of MCP/)
  expect(server.seen.map(({ method }) => method)).toEqual(['server/discover'])
})

test('a server of the older era is mounted by its handshake', async () => {
  await using server = await remoteServer()
  await using mounts = await mountRemote({ url: server.url })
  expect(mounts.servers()[0]?.isConnected).toBe(true)
  expect(server.methods[0]).toBe('initialize')
})
