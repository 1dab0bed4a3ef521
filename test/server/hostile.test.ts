import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSession, request } from './session.ts'

const lines = fc.oneof(
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
  fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text)),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2, null),
        id: fc.jsonValue({ maxDepth: 1 }),
        method: fc.constantFrom<unknown>(
          ...['ping', 'initialize', 'tools/list', 'tools/call', 'notifications/cancelled', 'notifications/initialized'],
          ...['notifications/progress', 'tasks/get', 'logging/setLevel', '__proto__', 'toString', '', 7, null],
        ),
        params: fc.oneof(
          fc.jsonValue({ maxDepth: 2 }),
          fc.record({
            requestId: fc.jsonValue({ maxDepth: 1 }),
            _meta: fc.jsonValue({ maxDepth: 2 }),
            task: fc.jsonValue(),
          }),
          fc.constant({
            name: 'echo',
            _meta: { progressToken: 1, 'io.modelcontextprotocol/related-task': { taskId: 'x' } },
          }),
        ),
        result: fc.jsonValue({ maxDepth: 1 }),
        error: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: ['method'] },
    )
    .map((message) => Buffer.from(JSON.stringify(message))),
  fc
    .constantFrom(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"x":1}}}',
      '[[[[',
      '{"id":',
      '\ufeff',
    )
    .map((text) => Buffer.from(text)),
)

test('5,000 hostile lines leave the session alive, each with at most one answer, and every answer is one JSON object', async () => {
  const session = openSession({ callTool: () => Promise.resolve({ content: [] }) })
  const sent = fc.sample(lines, 5000)
  for (const line of sent) session.stdin.write(Buffer.concat([line, Buffer.from('\n')]))
  session.send(request('last', 'ping'))
  expect(await session.end()).toBe('end_of_input')
  expect(session.output).toContain('{"jsonrpc":"2.0","id":"last","result":{}}')
  expect(session.output.length).toBeLessThanOrEqual(sent.length + 1)
  expect(session.output.length).toBeGreaterThan(1000)
  for (const line of session.output) {
    const message = JSON.parse(line) as Record<string, unknown>
    expect(Object.keys(message)).toEqual(['jsonrpc', 'id', 'result' in message ? 'result' : 'error'])
    if ('error' in message) expect([-32700, -32600, -32601]).toContain((message.error as { code: number }).code)
  }
  expect(session.faults).toEqual([])
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
})

test('1,000 junk lines get one reply each, and 1,000 error answers none', async () => {
  const session = openSession()
  session.send(...Array.from({ length: 1000 }, () => 'junk'))
  session.send(
    ...Array.from(
      { length: 1000 },
      () => '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ),
  )
  session.send(
    ...Array.from({ length: 1000 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32700,"message":"x"}}`),
  )
  await session.end()
  expect(session.output).toHaveLength(1000)
})

test('20,000 blank lines around a ping get nothing', async () => {
  const session = openSession()
  session.stdin.write('\n \r\n\t\n\r\n'.repeat(5000))
  session.send(request(1, 'ping'))
  session.stdin.write('\r\n'.repeat(20_000))
  await session.end()
  expect(session.output).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}'])
})

test('headers of another protocol are junk, the body behind them is served', async () => {
  const session = openSession()
  session.stdin.write(`Content-Length: 40\r\n\r\n${JSON.stringify(request(1, 'ping'))}\n`)
  await session.end()
  expect(session.output).toEqual([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ])
})
