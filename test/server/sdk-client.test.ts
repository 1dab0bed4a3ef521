import type { Readable, Writable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import type { ArrivedCall } from './session.ts'
import { handHandlers, openSession } from './session.ts'

/** The client's half of a pair of streams, made of the SDK's own framing. */
function clientTransport(streams: { read: Readable; write: Writable }): Transport {
  const buffer = new ReadBuffer()
  const transport: Transport = {
    start: () => {
      streams.read.on('data', (chunk: Buffer) => {
        buffer.append(chunk)
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message)
      })
      return Promise.resolve()
    },
    send: (message: JSONRPCMessage) => {
      streams.write.write(serializeMessage(message))
      return Promise.resolve()
    },
    close: () => {
      streams.write.end()
      transport.onclose?.()
      return Promise.resolve()
    },
  }
  return transport
}

test('the official client completes initialize, list, call, ping, progress, list_changed and cancel', async () => {
  const calls: ArrivedCall[] = []
  const handlers = handHandlers(calls, {
    initialize: (params) =>
      Promise.resolve({
        protocolVersion: (params as { protocolVersion: string }).protocolVersion,
        serverInfo: { name: 'hubu-unified-mcp', version: '9.9.9' },
        capabilities: { tools: { listChanged: true } },
      }),
    listTools: () => Promise.resolve({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] }),
  })
  const session = openSession({}, { handlers })
  const client = new Client({ name: 'test', version: '1' })
  let changes = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++)
  await client.connect(clientTransport({ read: session.stdout, write: session.stdin }))
  expect(client.getServerVersion()).toMatchObject({ name: 'hubu-unified-mcp', version: '9.9.9' })

  expect((await client.listTools()).tools).toHaveLength(1)
  await client.ping()
  session.listChanged.owe()
  await client.ping()
  expect(changes).toBe(1)

  const seen: number[] = []
  const answer = client.callTool({ name: 'x', arguments: { a: 1 } }, undefined, {
    onprogress: ({ progress }) => void seen.push(progress),
  })
  while (calls.length < 1) await session.settle()
  expect(calls[0]?.params).toMatchObject({ name: 'x', arguments: { a: 1 } })
  session.clock.advance(2500)
  await client.ping()
  expect(seen).toEqual([1, 2])
  calls[0]?.finish({ content: [{ type: 'text', text: 'done' }] })
  expect((await answer).content).toEqual([{ type: 'text', text: 'done' }])

  const abort = new AbortController()
  const cancelled = client.callTool({ name: 'slow' }, undefined, { signal: abort.signal })
  while (calls.length < 2) await session.settle()
  abort.abort('enough')
  await expect(cancelled).rejects.toThrow('enough')
  await client.ping()
  expect(calls[1]?.call.signal.aborted).toBe(true)
  expect(calls[1]?.call.signal.reason).toContain('enough')
  calls[1]?.finish({ content: [] })

  await client.close()
  expect((await session.done).reason).toBe('end_of_input')
  expect(session.faults).toEqual([])
})

test('a tool error of ours reaches the official client with code, message and data', async () => {
  const calls: ArrivedCall[] = []
  const session = openSession(
    {},
    {
      handlers: handHandlers(calls, {
        initialize: () =>
          Promise.resolve({
            protocolVersion: '2024-11-05',
            serverInfo: { name: 'x', version: '1' },
            capabilities: { tools: {} },
          }),
      }),
    },
  )
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(clientTransport({ read: session.stdout, write: session.stdin }))
  const call = client.callTool({ name: 'y' })
  while (calls.length < 1) await session.settle()
  calls[0]?.fail(Object.assign(new Error('secret'), { code: -32000 }))
  await expect(call).rejects.toMatchObject({ code: -32603, data: { code: 'internal_error' } })
  await client.close()
  await session.done
})
