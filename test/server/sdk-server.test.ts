// The SDK's server and ours hear the same lines and have the same handlers: what both answer is the same.
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { expect, test } from 'vitest'
import { invalidParams } from '../../src/answers/refusals.ts'
import { openSession, request, toolCall } from './session.ts'

type Line = { id?: unknown; result?: unknown; error?: { code: number }; method?: string; params?: unknown }

const refusal = Object.assign(new Error('no such prompt'), { code: -32602 })

/** The SDK's server with the handlers of a test session, and what it writes. */
async function openSdk() {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const lines: Line[] = []
  stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line !== '') lines.push(JSON.parse(line) as Line)
  })
  const server = new Server({ name: 'x', version: '1' })
  server.removeRequestHandler('initialize')
  server.fallbackRequestHandler = ({ method, params }) => {
    if (method === 'initialize')
      return Promise.resolve({
        protocolVersion: '2024-11-05',
        serverInfo: { name: 'x', version: '1' },
        seen: params ?? null,
      })
    if (method === 'tools/list') return Promise.resolve({ tools: [] })
    if (method === 'tools/call' && params?.name === 'echo') return Promise.resolve({ echo: params })
    if (method === 'tools/call') return new Promise(() => {})
    if (method === 'prompts/get') return Promise.reject(refusal)
    return Promise.reject(Object.assign(new Error('Method not found'), { code: -32601 }))
  }
  await server.connect(new StdioServerTransport(stdin, stdout))
  return { server, lines, send: (line: object) => stdin.write(`${JSON.stringify(line)}\n`) }
}

const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

const corpus: [string, object[]][] = [
  [
    'a handshake',
    [
      request(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'c', version: '1' },
      }),
    ],
  ],
  ['a ping', [request('p', 'ping')]],
  ['an empty list', [request(0, 'tools/list', {})]],
  ['a call', [toolCall(-1, 'echo', { arguments: { a: [1, null, 'x'] } })]],
  ['two calls with ids that look alike', [toolCall(1, 'echo'), toolCall('1', 'echo')]],
  ['an unknown method', [request(2, 'no/such')]],
  ['a refusal', [request(3, 'prompts/get', { name: 'p' })]],
  [
    'a cancelled call',
    [toolCall(4, 'slow'), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } }],
  ],
  ['a cancellation of nothing', [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } }]],
  ['an unknown notification', [{ jsonrpc: '2.0', method: 'notifications/no-such', params: {} }]],
  ['an answer that nobody waits for', [{ jsonrpc: '2.0', id: 77, result: {} }]],
]

test.each(corpus)('%s is answered as the SDK answers it', async (_what, lines) => {
  const session = openSession({ other: { 'prompts/get': () => Promise.reject(invalidParams('no such prompt')) } })
  const sdk = await openSdk()
  for (const line of lines) {
    session.send(line)
    sdk.send(line)
  }
  await session.settle()
  await settle()
  const ours = session.output.map((line) => JSON.parse(line) as Line)
  expect(ours.map(shapeOf)).toEqual(sdk.lines.map(shapeOf))
  await sdk.server.close()
  for (const { call, finish } of session.calls) if (call.signal.aborted) finish({})
  await session.end()
})

/** What must be equal of two answers. An error's message and data are each server's own. */
function shapeOf({ error, ...line }: Line): object {
  return error === undefined ? line : { ...line, error: error.code }
}
