import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { StdioTransport, type StdioTransportOptions } from '../../src/server/stdio-transport.ts'
import { request, toolCall } from './session.ts'

/** A transport without the SDK behind it. */
function open(options: StdioTransportOptions = {}) {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const transport = new StdioTransport({ stdin, stdout }, options)
  const messages: JSONRPCMessage[] = []
  const answered: [number, string][] = []
  transport.onmessage = (message) => void messages.push(message)
  transport.onAnswered = (id, kind) => answered.push([id, kind])
  return {
    transport,
    stdin,
    messages,
    answered,
    send: (...lines: object[]) => stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    output: () => ((stdout.read() as Buffer | null) ?? '').toString(),
  }
}

test('the SDK gets integer ids from 1 and the params in a frame that its schemas do not look into', async () => {
  const { transport, send, messages } = open()
  await transport.start()
  send(request({ a: 1 }, 'tools/call', { arguments: [1] }), request(1.5, 'x'))
  await nextTurn()
  expect(messages).toMatchObject([
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { frame: { params: { arguments: [1] }, findings: { depth: 1 } } },
    },
    { jsonrpc: '2.0', id: 2, method: 'x', params: { frame: { params: undefined, findings: { depth: 0 } } } },
  ])
})

test('requests wait for start, and then come in order', async () => {
  const { transport, send, messages } = open()
  send(toolCall(1, 'a'), toolCall(2, 'b'))
  await nextTurn()
  expect(messages).toEqual([])
  await transport.start()
  expect(messages).toMatchObject([{ id: 1 }, { id: 2 }])
})

test('reading pauses while more frames or bytes wait than allowed, and goes on when they do not', async () => {
  for (const options of [{ maxWaitingFrames: 2 }, { maxWaitingBytes: 150 }]) {
    const { transport, stdin, send, messages } = open(options)
    send(toolCall(1, 'a'), toolCall(2, 'b'))
    await nextTurn()
    expect(stdin.isPaused()).toBe(false)
    send(request(3, 'ping'))
    await nextTurn()
    expect(stdin.isPaused()).toBe(true)
    send(toolCall(4, 'd'))
    await nextTurn()
    await transport.start()
    expect(messages).toHaveLength(3)
    await nextTurn()
    expect(stdin.isPaused()).toBe(false)
    expect(messages).toHaveLength(4)
  }
})

test('what waits is not begun while the output is full, ping neither', async () => {
  const { transport, stdin, send, messages, output } = open({ maxInFlight: 1 })
  await transport.start()
  send(toolCall(1, 'a'), toolCall(2, 'b'))
  await nextTurn()
  await transport.send({ jsonrpc: '2.0', id: 1, result: { big: 'b'.repeat(3_000_000) } })
  send(request(3, 'ping'))
  await nextTurn()
  expect(messages).toHaveLength(1)
  expect(transport.output.isFull).toBe(true)
  expect(stdin.isPaused()).toBe(true)
  while (transport.output.isFull) {
    output()
    await nextTurn()
  }
  await nextTurn()
  expect(messages).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, method: 'ping' }])
})

test('each request is answered once, under its own id, and told once', async () => {
  const { transport, send, output, answered } = open()
  await transport.start()
  send(request('a', 'x'))
  await nextTurn()
  await transport.send({ jsonrpc: '2.0', id: 1, result: { ok: true } })
  await transport.send({ jsonrpc: '2.0', id: 1, result: { ok: false } })
  await transport.send({ jsonrpc: '2.0', id: 77, result: {} })
  transport.release(1)
  expect(output()).toBe('{"jsonrpc":"2.0","id":"a","result":{"ok":true}}\n')
  expect(answered).toEqual([[1, 'result']])
})

test('a handler that is done without an answer leaves an error and no silence', async () => {
  const { transport, send, output, answered } = open()
  await transport.start()
  send(request('a', 'x'))
  await nextTurn()
  transport.release(1)
  expect(JSON.parse(output())).toMatchObject({ id: 'a', error: { code: -32603, data: { code: 'internal_error' } } })
  expect(answered).toEqual([[1, 'error']])
})

test('after close nothing is begun and nothing written', async () => {
  const { transport, stdin, send, output, messages, answered } = open()
  await transport.start()
  send(request('a', 'x'))
  await nextTurn()
  await transport.close()
  send(request('b', 'x'))
  stdin.write('junk\n')
  await nextTurn()
  transport.notify('notifications/tools/list_changed')
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
  expect(output()).toBe('')
  expect(messages).toHaveLength(1)
  expect(answered).toEqual([[1, 'none']])
})

test('a notification is written as it is, exactly', () => {
  const { transport, output } = open()
  transport.notify('notifications/tools/list_changed')
  transport.notify('notifications/progress', '{"progressToken":1.0}')
  expect(output()).toBe(
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n' +
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1.0}}\n',
  )
})
