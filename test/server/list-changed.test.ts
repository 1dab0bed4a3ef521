import { describe, expect, test } from 'vitest'
import { openSession, request, toolCall } from './session.ts'

const notice = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
const notices = (output: readonly string[]) => output.filter((line) => line.includes('list_changed'))
const ping = request('fence', 'ping')

describe('list_changed', () => {
  test('a change that no request caused is told at once, in exactly two members', async () => {
    const session = openSession()
    await session.handshake()
    session.listChanged.owe()
    expect(await session.next()).toBe(notice)
    await session.end()
  })

  test('nothing is told before initialized, nor kept for later', async () => {
    const session = openSession()
    session.listChanged.owe()
    await session.exchange(request(1, 'initialize'))
    session.listChanged.owe()
    session.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await session.exchange(ping)
    expect(notices(session.output)).toEqual([])
    await session.end()
  })

  test('a change that a request caused is told behind its response', async () => {
    const session = openSession()
    await session.handshake()
    session.send(toolCall(1, 'x'))
    await session.arrivals(1)
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    expect(await session.exchange(ping)).toContain('fence')
    session.calls[0]?.finish({})
    expect(await session.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    expect(await session.next()).toBe(notice)
    await session.end()
  })

  test('behind an error response too', async () => {
    const session = openSession()
    await session.handshake()
    session.send(toolCall(1, 'x'))
    await session.arrivals(1)
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    session.calls[0]?.fail(new Error('x'))
    expect(await session.next()).toContain('"error"')
    expect(await session.next()).toBe(notice)
    await session.end()
  })

  test('several owed for one transition are one', async () => {
    const session = openSession()
    await session.handshake()
    session.send(toolCall(1, 'a'), toolCall(2, 'b'))
    await session.arrivals(2)
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    session.calls[1]?.call.notifyListChangedAfterAnswer()
    session.calls[1]?.finish({})
    await session.next()
    expect(await session.next()).toBe(notice)
    session.calls[0]?.finish({})
    await session.next()
    await session.exchange(ping)
    expect(notices(session.output)).toHaveLength(1)
    await session.end()
  })

  test('two transitions are two notifications', async () => {
    const session = openSession()
    await session.handshake()
    session.listChanged.owe()
    session.listChanged.owe()
    await session.exchange(ping)
    expect(notices(session.output)).toHaveLength(2)
    await session.end()
  })

  test('a cancelled request leaves no notification owed', async () => {
    const session = openSession()
    await session.handshake()
    session.send(toolCall(1, 'x'))
    await session.arrivals(1)
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await session.settle()
    session.calls[0]?.finish({})
    expect(await session.next()).toBe(notice)
    await session.end()
  })

  test('a cause that was answered already owes at once', async () => {
    const session = openSession()
    await session.handshake()
    await session.exchange(toolCall(1, 'echo'))
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    expect(await session.next()).toBe(notice)
    await session.end()
  })

  test('none after the end of input, not even for a call that is still in flight', async () => {
    const session = openSession()
    await session.handshake()
    session.send(toolCall(1, 'x'))
    await session.arrivals(1)
    session.calls[0]?.call.notifyListChangedAfterAnswer()
    const ended = session.end()
    await session.settle()
    session.listChanged.owe()
    session.calls[0]?.finish({})
    await ended
    expect(notices(session.output)).toEqual([])
    expect(session.output).toHaveLength(2)
  })

  test('fifty lists cause none', async () => {
    const session = openSession()
    await session.handshake()
    for (let id = 0; id < 50; id++) await session.exchange(request(id, 'tools/list'))
    expect(notices(session.output)).toEqual([])
    await session.end()
  })
})
