import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolNames } from '#generated/ownership.js'
import { startBridge } from '../../scripts/clients/bridge.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const command = (env: Record<string, string>) => ({
  command: process.execPath,
  args: [built.bin],
  env: { ...env, HUBU_UNIFIED_RESPONSE_BUDGET: '0' },
})

test('an HTTP client lists, calls and hears of progress through the bridge, and its end is the end of the process behind', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await using stub = await stubRouter({
    hubu: ({ path }) =>
      path === '/ledger' ? released.then(() => ({ status: 200, json: { entries: [] } })) : undefined,
  })
  {
    await using bridge = await startBridge(command(stub.env))
    const client = new Client({ name: 'http', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(bridge.url)))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames)
    const heard: number[] = []
    const slow = await client.callTool({ name: 'hubu_list_ledger' }, undefined, {
      onprogress: ({ progress }) => {
        heard.push(progress)
        release()
      },
    })
    expect(slow.structuredContent).toEqual({ entries: [] })
    expect(heard[0]).toBe(1)
    await client.close()
  }
})

test('a foreign host, a foreign origin and an unknown session are turned away before any process starts', async () => {
  await using bridge = await startBridge({ command: '/nonexistent', args: [], env: {} })
  const hello = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  })
  const ask = (headers: Record<string, string>) =>
    fetch(bridge.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: hello,
    }).then(({ status }) => status)
  expect(await ask({ origin: 'http://evil.example' })).toBe(403)
  expect(await ask({ 'mcp-session-id': 'nobody' })).toBe(404)
})
