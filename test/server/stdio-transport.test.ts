import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { StdioTransport, type StdioTransportOptions } from '../../src/server/stdio-transport.ts'
import type { CoreAnswer } from '../../src/wire/request.ts'
import { request, toolCall } from './session.ts'

/** A transport with nobody behind it. */
function open(options: StdioTransportOptions = {}) {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const transport = new StdioTransport({ stdin, stdout }, options)
  const begun: { id: number; method: string; params: unknown }[] = []
  const answered: [number, string][] = []
  transport.onBegin = (id, { method, params }) => void begun.push({ id, method, params })
  transport.onAnswered = (id, kind) => answered.push([id, kind])
  return {
    transport,
    stdin,
    begun,
    answered,
    send: (...lines: object[]) => stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    output: () => ((stdout.read() as Buffer | null) ?? '').toString(),
  }
}

const ok: CoreAnswer = { kind: 'result', json: '{"ok":true}' }

/** Holds everything back until it is called. */
function heldBack(transport: StdioTransport): () => void {
  let free = () => {}
  transport.hold(new Promise<void>((resolve) => (free = resolve)), 60_000)
  return () => free()
}

test('requests get numbers of our own from 1, whatever ids the client chose', async () => {
  const { send, begun } = open()
  send(request({ a: 1 }, 'tools/call', { arguments: [1] }), request(1.5, 'x'))
  await nextTurn()
  expect(begun).toEqual([
    { id: 1, method: 'tools/call', params: { arguments: [1] } },
    { id: 2, method: 'x', params: undefined },
  ])
})

test('what is held back comes in order when it is free', async () => {
  const { transport, send, begun } = open()
  const free = heldBack(transport)
  send(toolCall(1, 'a'), toolCall(2, 'b'))
  await nextTurn()
  expect(begun).toEqual([])
  free()
  await nextTurn()
  expect(begun).toMatchObject([{ id: 1 }, { id: 2 }])
})

test('reading pauses while more frames or bytes wait than allowed, and goes on when they do not', async () => {
  for (const options of [{ maxWaitingFrames: 2 }, { maxWaitingBytes: 150 }]) {
    const { transport, stdin, send, begun } = open(options)
    const free = heldBack(transport)
    send(toolCall(1, 'a'), toolCall(2, 'b'))
    await nextTurn()
    expect(stdin.isPaused()).toBe(false)
    send(request(3, 'ping'))
    await nextTurn()
    expect(stdin.isPaused()).toBe(true)
    send(toolCall(4, 'd'))
    await nextTurn()
    expect(begun).toEqual([])
    free()
    await nextTurn()
    await nextTurn()
    expect(stdin.isPaused()).toBe(false)
    expect(begun).toHaveLength(4)
  }
})

test('what waits is not begun while the output is full, ping neither', async () => {
  const { transport, stdin, send, begun, output } = open({ maxInFlight: 1 })
  send(toolCall(1, 'a'), toolCall(2, 'b'))
  await nextTurn()
  transport.answer(1, { kind: 'result', json: JSON.stringify({ big: 'b'.repeat(3_000_000) }) })
  send(request(3, 'ping'))
  await nextTurn()
  expect(begun).toHaveLength(1)
  expect(transport.output.isFull).toBe(true)
  expect(stdin.isPaused()).toBe(true)
  while (transport.output.isFull) {
    output()
    await nextTurn()
  }
  await nextTurn()
  expect(begun).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, method: 'ping' }])
})

test('each request is answered once, under its own id, and told once', async () => {
  const { transport, send, output, answered } = open()
  send(request('a', 'x'))
  await nextTurn()
  transport.answer(1, ok)
  transport.answer(1, { kind: 'result', json: '{"ok":false}' })
  transport.answer(77, ok)
  expect(output()).toBe('{"jsonrpc":"2.0","id":"a","result":{"ok":true}}\n')
  expect(answered).toEqual([[1, 'result']])
})

test('after close nothing is begun and nothing written', async () => {
  const { transport, stdin, send, output, begun, answered } = open()
  send(request('a', 'x'))
  await nextTurn()
  transport.close()
  send(request('b', 'x'))
  stdin.write('junk\n')
  await nextTurn()
  transport.notify('notifications/tools/list_changed')
  transport.answer(1, ok)
  expect(output()).toBe('')
  expect(begun).toHaveLength(1)
  expect(answered).toEqual([[1, 'none']])
})

test('a question to the client whose connection ends is refused, and nothing is written for it any more', async () => {
  const { transport, output } = open()
  const { signal } = new AbortController()
  const asked = transport.ask('roots/list', {}, signal)
  expect(JSON.parse(output())).toEqual({ jsonrpc: '2.0', id: 1, method: 'roots/list', params: {} })
  transport.close()
  await expect(asked).rejects.toMatchObject({ code: -32000, message: 'Connection closed' })
  expect(output()).toBe('')
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
