// The first generation of the official client over HTTP, and the money path behind two processes on one registry.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mounted } from '../e2e/lazy-router.ts'
import { buildBin } from '../support/built-bin.ts'
import { healthyGongbu, healthyHubu } from '../support/healthy-backends.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { backendsIn, startHttpRouter, type HttpRouter } from './lab.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

async function connect({
  url,
  token,
}: HttpRouter): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'official', version: '1' })
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return { client, transport }
}

const spend = {
  name: 'hubu_authorize_spend',
  arguments: { account_id: 'account-1', amount_cents: 25, reason: 'a picture' },
}

test('a whole session: list, read, buy, deliver again, and go on at a process that was started anew', async () => {
  await using hubu = await healthyHubu()
  await using gongbu = await healthyGongbu()
  using folder = tempFolder()
  const options = { bin: built.bin, folder: folder.path, env: backendsIn(folder.path, { hubu, gongbu }) }
  const first = await startHttpRouter(options)
  const { client, transport } = await connect(first)
  expect(transport.sessionId).toMatch(/^hs1\./)
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('hubu_authorize_spend')
  await client.ping()
  const bought = await client.callTool({ ...spend, _meta: { callId: 'call-1' } })
  const again = await client.callTool({ ...spend, _meta: { callId: 'call-1' } })
  expect(again.structuredContent).toEqual(bought.structuredContent)
  const sessionId = transport.sessionId!
  expect(await first.stop()).toBe(0)
  const second = await startHttpRouter(options)
  const response = await fetch(second.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${second.token}`,
      'Mcp-Session-Id': sessionId,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { ...spend, _meta: { callId: 'call-1' } },
    }),
  })
  const { result } = (await response.json()) as { result: typeof bought }
  expect(result.structuredContent).toEqual(bought.structuredContent)
  expect(hubu.exchanges.filter(({ request }) => request.path === '/spend/authorize')).toHaveLength(1)
  expect(await second.stop()).toBe(0)
})

test('log messages of a mounted server come with the call that they belong to, from the level that the session wants', async () => {
  using folder = tempFolder()
  const router = await startHttpRouter({ bin: built.bin, folder: folder.path, config: { servers: { s: mounted() } } })
  const { client } = await connect(router)
  const heard: unknown[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params))
  await client.setLoggingLevel('error')
  await client.callTool({ name: 's__log' })
  expect(heard).toEqual([])
  await client.setLoggingLevel('info')
  await client.callTool({ name: 's__log' })
  expect(heard).toEqual([{ level: 'info', logger: 's/x', data: { a: 1 } }])
  await client.close()
  expect(await router.stop()).toBe(0)
})
