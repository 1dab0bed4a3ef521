// The second generation of the SDK's server and ours hear the same lines: both answer the same, in either era.
import { Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CapabilitySnapshot } from '#generated/types/router.js'
import { initializeResult } from '../../src/calls/initialize.ts'
import { openSession, request } from './session.ts'

interface Line {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; data?: unknown }
}

const key = (name: string) => `io.modelcontextprotocol/${name}`
const modern = (id: unknown, method: string, params: object = {}, meta: object = {}) =>
  request(id, method, {
    ...params,
    _meta: { [key('protocolVersion')]: '2026-07-28', [key('clientCapabilities')]: {}, ...meta },
  })
const begin = (protocolVersion: unknown, more: object = {}) =>
  request('begin', 'initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
    ...more,
  })
const cancel = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const called = { content: [{ type: 'text' as const, text: 'hi' }] }

/** What both hear, and for what they answer otherwise, why. */
const corpus: { what: string; lines: object[]; otherwise?: string }[] = [
  ...versions.map((version) => ({ what: `a handshake of ${version}`, lines: [begin(version), ready] })),
  ...['2099-01-01', '1999-01-01', ''].map((version) => ({
    what: `a handshake of "${version}"`,
    lines: [begin(version), ready],
    otherwise: 'the SDK proposes its newest revision, we propose the oldest, which every client knows',
  })),
  { what: 'a ping after a handshake', lines: [begin('2025-11-25'), ready, request(0, 'ping')] },
  { what: 'a list after a handshake', lines: [begin('2025-06-18'), ready, request('l', 'tools/list')] },
  { what: 'a call after a handshake', lines: [begin('2025-06-18'), ready, request(2, 'tools/call', { name: 'say' })] },
  { what: 'a method that is not there', lines: [begin('2025-11-25'), ready, request(3, 'no/such', {})] },
  {
    what: 'a look for the modern era after a handshake',
    lines: [begin('2025-11-25'), ready, modern(4, 'server/discover')],
  },
  { what: 'a look, and a handshake after all', lines: [modern(1, 'server/discover'), begin('2025-11-25'), ready] },
  { what: 'a look', lines: [modern('d', 'server/discover')] },
  {
    what: 'a look at what is served after the first look',
    lines: [modern(1, 'server/discover'), modern(2, 'server/discover')],
  },
  { what: 'a list', lines: [modern(1, 'tools/list')] },
  { what: 'a call', lines: [modern(0, 'tools/call', { name: 'say' })] },
  {
    what: 'two calls whose ids look alike',
    lines: [modern(1, 'tools/call', { name: 'say' }), modern('1', 'tools/list')],
  },
  { what: 'a method that the era has not', lines: [modern(1, 'tools/list'), modern(2, 'ping')] },
  { what: 'a method that nobody has', lines: [modern(1, 'tools/list'), modern(2, 'no/such')] },
  { what: 'a request that says nothing of itself', lines: [modern(1, 'tools/list'), request(2, 'tools/list', {})] },
  { what: 'a handshake too late', lines: [modern(1, 'tools/list'), begin('2025-11-25')] },
  {
    what: 'a revision that nobody serves',
    lines: [modern(1, 'tools/list', {}, { [key('protocolVersion')]: '2099-01-01' })],
  },
  {
    what: 'capabilities that are a list',
    lines: [modern(1, 'tools/list'), modern(2, 'tools/list', {}, { [key('clientCapabilities')]: [] })],
  },
  { what: 'a cancelled call', lines: [modern(1, 'tools/call', { name: 'slow' }), cancel(1), modern(2, 'tools/list')] },
  { what: 'a cancellation of nothing', lines: [modern(1, 'tools/list'), cancel(99), modern(2, 'tools/list')] },
  {
    what: 'a notification that nobody knows',
    lines: [modern(1, 'tools/list'), { jsonrpc: '2.0', method: 'notifications/odd' }, modern(2, 'tools/list')],
  },
  {
    what: 'an answer that nobody waits for',
    lines: [modern(1, 'tools/list'), { jsonrpc: '2.0', id: 77, result: {} }, modern(2, 'tools/list')],
  },
  {
    what: 'another revision once the process is modern',
    lines: [modern(1, 'tools/list'), modern(2, 'tools/list', {}, { [key('protocolVersion')]: '2099-01-01' })],
    otherwise: 'the SDK looks at the revision of the first request only',
  },
  {
    what: 'an id that is a fraction',
    lines: [modern(1, 'tools/list'), modern(1.5, 'tools/list'), modern(2, 'tools/list')],
    otherwise: 'the SDK says nothing, and whoever asked waits for ever',
  },
]

const capabilities = { tools: { listChanged: true } }
const snapshot = { generated_at: '' } as CapabilitySnapshot

/** The SDK's server with the same three tools, and what it writes. */
function openSdk() {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const lines: Line[] = []
  stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line !== '') lines.push(JSON.parse(line) as Line)
  })
  const create = () => {
    const server = new Server({ name: 'x', version: '1' }, { capabilities })
    server.setRequestHandler('tools/list', () => ({ tools: [] }))
    server.setRequestHandler('tools/call', ({ params }) => (params.name === 'say' ? called : new Promise(() => {})))
    return server
  }
  const { close } = serveStdio(create, { transport: new StdioServerTransport(stdin, stdout) })
  return { lines, send: (line: object) => stdin.write(`${JSON.stringify(line)}\n`), close }
}

/** Everything that is ready to happen on either side has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await nextTurn()
}

test.each(corpus)('$what is answered as the second generation answers it', async ({ lines, otherwise }) => {
  const session = openSession(
    {
      initialize: (params) => Promise.resolve(initializeResult(params, snapshot, { name: 'x', version: '1' })),
      callTool: ({ params }, { signal }) =>
        (params as { name: string }).name === 'say'
          ? Promise.resolve(called)
          : new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
    },
    { discover: () => ({ supportedVersions: ['2026-07-28'], capabilities }) },
  )
  const sdk = openSdk()
  for (const line of lines) {
    session.send(line)
    sdk.send(line)
    await settle()
  }
  const ours = session.output.map((line) => shapeOf(JSON.parse(line) as Line))
  if (otherwise === undefined) expect(ours).toEqual(sdk.lines.map(shapeOf))
  else expect(ours, otherwise).not.toEqual(sdk.lines.map(shapeOf))
  await sdk.close()
  for (let signals = 0; signals < 2; signals++) session.signals.emit('SIGTERM')
  await session.done
})

/** What must be equal of two answers: not an error's words, how long an answer stays fresh, and what is ours of a handshake. */
function shapeOf({ error, result, ...line }: Line): object {
  if (error !== undefined)
    return { ...line, error: { code: error.code, ...(error.code === -32022 && { data: error.data }) } }
  const { ttlMs, capabilities: _ours, ...rest } = result ?? {}
  return { ...line, result: { ...rest, ...(ttlMs !== undefined && { ttlMs: typeof ttlMs }) } }
}
