import { describe, expect, test } from 'vitest'
import { RouterError } from '../../src/errors/router-error.ts'
import { JsonText } from '../../src/answers/json-text.ts'
import { openSession, request, toolCall } from './session.ts'

const ping = request('fence', 'ping')
const pong = '{"jsonrpc":"2.0","id":"fence","result":{}}'
const error = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`

describe('one line in, one line out', () => {
  test.each([
    ['ping with id "x"', '{"jsonrpc":"2.0","id":"x","method":"ping"}', '{"jsonrpc":"2.0","id":"x","result":{}}'],
    ['not JSON', 'not JSON', error('null', -32700, 'Parse error')],
    ['an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', error('null', -32700, 'Parse error')],
    ['a method of another type', '{"jsonrpc":"2.0","id":1,"method":7}', error('null', -32700, 'Parse error')],
    ['no jsonrpc', '{"id":1,"method":"ping"}', error('1', -32600, 'Invalid Request')],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":2,"method":"ping"}', error('2', -32600, 'Invalid Request')],
    ['no method', '{"jsonrpc":"2.0","id":3}', error('3', -32600, 'Invalid Request')],
    ['a method that we do not have', request(4, 'resources/list'), error('4', -32601, 'Method not found')],
    ['initialized with an id', request(5, 'notifications/initialized'), error('5', -32601, 'Method not found')],
    ['a method named like a property of Object', request(6, 'constructor'), error('6', -32601, 'Method not found')],
    ['server/discover as the first line', request(7, 'server/discover'), error('7', -32601, 'Method not found')],
    ['an object as id', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', '{"jsonrpc":"2.0","id":{"a":1},"result":{}}'],
    [
      'ping with null params',
      '{"jsonrpc":"2.0","id":8,"method":"ping","params":null}',
      '{"jsonrpc":"2.0","id":8,"result":{}}',
    ],
    ['ping with an array as params', request(9, 'ping', []), '{"jsonrpc":"2.0","id":9,"result":{}}'],
  ])('%s', async (_name, line, want) => {
    const session = openSession()
    expect(await session.exchange(line)).toBe(want)
    expect(await session.exchange(ping)).toBe(pong)
    expect(await session.end()).toBe('end_of_input')
    expect(session.output).toHaveLength(2)
    expect(session.faults).toEqual([])
  })

  test.each(['1.5', '9007199254740993', '""', '"1"', '0', '-0', '[]', 'true'])(
    'a call with the id %s is answered under exactly this id',
    async (rawId) => {
      const session = openSession()
      const answer = await session.exchange(
        `{"jsonrpc":"2.0","id":${rawId},"method":"tools/call","params":{"name":"echo"}}`,
      )
      expect(answer).toBe(`{"jsonrpc":"2.0","id":${rawId},"result":{"echo":{"name":"echo"}}}`)
      await session.end()
    },
  )

  test.each([
    ['an unknown notification', '{"jsonrpc":"2.0","method":"nope"}'],
    ['no id and no jsonrpc', '{"method":"ping"}'],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a result that nobody asked for', '{"jsonrpc":"2.0","id":44,"result":{}}'],
    ['an error answer', '{"jsonrpc":"2.0","id":44,"error":{"code":-32700,"message":"x"}}'],
    ['a cancellation of nothing', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":44}}'],
    [
      'progress for nothing',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
    ],
    ['blank lines', '\r\n \n\t\n'],
  ])('%s gets no answer', async (_name, line) => {
    const session = openSession()
    session.send(line)
    expect(await session.exchange(ping)).toBe(pong)
    expect(session.faults).toEqual([])
    await session.end()
  })

  test('a BOM before the first line is ignored', async () => {
    const session = openSession()
    expect(await session.exchange(`\ufeff${JSON.stringify(ping)}\r`)).toBe(pong)
    await session.end()
  })

  test('bytes that are not UTF-8 get a parse error and the next line is served', async () => {
    const session = openSession()
    session.stdin.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]))
    expect(await session.next()).toBe(error('null', -32700, 'Parse error'))
    expect(await session.exchange(ping)).toBe(pong)
    await session.end()
  })

  test('a line over 16 MiB gets one error with its id, and the session goes on', async () => {
    const session = openSession()
    session.stdin.write('{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"')
    for (let mebibyte = 0; mebibyte < 17; mebibyte++) session.stdin.write(Buffer.alloc(1024 * 1024, 'x'))
    session.stdin.write('"}}\n')
    expect(await session.next()).toBe(error('"big"', -32600, 'Invalid Request'))
    expect(await session.exchange(ping)).toBe(pong)
    await session.end()
  })

  test('a line of 10.5 MiB is served', async () => {
    const session = openSession()
    const prompt = 'p'.repeat(10.5 * 1024 * 1024)
    const answer = await session.exchange(toolCall(1, 'echo', { arguments: { prompt } }))
    expect(answer.length).toBeGreaterThan(prompt.length)
    expect(await session.exchange(ping)).toBe(pong)
    await session.end()
  })
})

describe('what reaches the handlers', () => {
  test.each(['null', '[]', '"x"', '5', '{"name":"x","arguments":null}', '{"name":"x","arguments":[],"extra":1}'])(
    'the params %s arrive as they are',
    async (raw) => {
      const session = openSession()
      session.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${raw}}`)
      await session.arrivals(1)
      expect(session.calls[0]?.params).toEqual(JSON.parse(raw))
      session.calls[0]?.finish({})
      expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
      await session.end()
    },
  )

  test('missing params arrive as undefined', async () => {
    const session = openSession()
    session.send('{"jsonrpc":"2.0","id":1,"method":"tools/call"}')
    await session.arrivals(1)
    expect(session.calls[0]?.params).toBeUndefined()
    session.calls[0]?.fail(new RouterError('params_invalid', 'Invalid params'))
    expect(await session.next()).toBe(error('1', -32602, 'Invalid params'))
    await session.end()
  })

  test('an own __proto__ key arrives with its finding', async () => {
    const session = openSession()
    session.send(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"a":1}}}}',
    )
    expect(await session.next()).toContain('"arguments":{"__proto__":{"a":1}}')
    expect(session.calls[0]?.findings).toMatchObject({ protoKey: true })
    await session.end()
  })

  test.each([
    ['a number as version', { protocolVersion: 5 }],
    ['no clientInfo', { protocolVersion: '2099-01-01' }],
    ['an empty version', { protocolVersion: '' }],
    ['an array', [1]],
  ])('initialize with %s reaches the handler untouched', async (_name, params) => {
    const session = openSession()
    expect(JSON.parse(await session.exchange(request(1, 'initialize', params)))).toMatchObject({
      result: { seen: params },
    })
    await session.end()
  })

  test('initialize without params is answered, and calls before it are served', async () => {
    const session = openSession()
    expect(await session.exchange(toolCall(1, 'echo'))).toContain('"result"')
    expect(await session.exchange(request(2, 'initialize'))).toContain('"protocolVersion":"2024-11-05"')
    await session.end()
  })

  test('tools/list ignores its params', async () => {
    const session = openSession()
    expect(await session.exchange(request(1, 'tools/list', { cursor: 'z' }))).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
    )
    await session.end()
  })

  test('further methods are served by name and only by name', async () => {
    const session = openSession({ other: { 'resources/read': (params) => Promise.resolve({ read: params }) } })
    expect(await session.exchange(request(1, 'resources/read', { uri: 'u' }))).toContain(
      '"result":{"read":{"uri":"u"}}',
    )
    expect(await session.exchange(request(2, 'resources/list'))).toBe(error('2', -32601, 'Method not found'))
    await session.end()
  })
})

describe('what the handlers answer', () => {
  test('a RouterError is sent as it says, without a prefix', async () => {
    const session = openSession()
    session.send(toolCall(1, 'x'), toolCall(2, 'y'))
    await session.arrivals(2)
    session.calls[0]?.fail(new RouterError('backend_unavailable', 'Hubu is away.', { data: { owner: 'hubu' } }))
    expect(JSON.parse(await session.next())).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32010, message: 'Hubu is away.', data: { code: 'backend_unavailable', owner: 'hubu' } },
    })
    session.calls[1]?.fail(new RouterError('tool_unknown', 'No such tool.'))
    expect(await session.next()).toBe(error('2', -32602, 'No such tool.'))
    expect(session.faults).toEqual([])
    await session.end()
  })

  test.each([new TypeError('token s3cret at /home/x'), 'text', undefined, null, { code: 5, message: 'mine' }])(
    'the fault %s becomes internal_error and tells nothing, but is reported',
    async (fault) => {
      const session = openSession()
      session.send(toolCall(1, 'x'))
      await session.arrivals(1)
      session.calls[0]?.fail(fault)
      const answer = JSON.parse(await session.next()) as { error: { code: number; data: unknown; message: string } }
      expect(answer.error).toMatchObject({ code: -32603, data: { code: 'internal_error' } })
      expect(answer.error.message).not.toMatch(/s3cret|home|mine/)
      if (fault !== undefined) expect(session.faults).toEqual([fault])
      await session.end()
    },
  )

  test('a serialized result is spliced in as it is, on one line', async () => {
    const session = openSession()
    session.send(toolCall('s', 'x'), toolCall(2, 'y'))
    await session.arrivals(2)
    session.calls[0]?.finish(new JsonText('{"content":[],"big":12345678901234567890,"text":"é𝄞"}'))
    expect(await session.next()).toBe(
      '{"jsonrpc":"2.0","id":"s","result":{"content":[],"big":12345678901234567890,"text":"é𝄞"}}',
    )
    session.calls[1]?.finish(new JsonText('{\n  "a": "x\\ny"\r\n}'))
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":2,"result":{   "a": "x\\ny"  }}')
    await session.end()
  })

  test('a result that is no JSON becomes an error and not silence', async () => {
    const session = openSession()
    const cycle: { self?: object } = {}
    cycle.self = cycle
    for (const [id, result] of [cycle, { big: 1n }, undefined].entries()) {
      session.send(toolCall(id, 'x'))
      await session.arrivals(id + 1)
      session.calls[id]?.finish(result as object)
      expect(JSON.parse(await session.next())).toMatchObject({ id, error: { code: -32603 } })
    }
    await session.end()
  })
})
