// What becomes of the answers of operations, as the server tells it: the twin guard decides by it.
import { expect, test } from 'vitest'
import { AnswerTracks } from '../../src/server/answer-tracks.ts'
import type { AnswerWatch } from '../../src/wire/handlers.ts'
import { openSession, request, toolCall } from './session.ts'

const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

/** A session, and everything that its watch was told. */
function watched() {
  const told: string[] = []
  const answers: AnswerWatch = {
    written: (handle) => void told.push(`written ${handle}`),
    wentOn: () => void told.push('went on'),
    cancelled: (handle) => void told.push(`cancelled ${handle}`),
    lost: (handle) => void told.push(`lost ${handle}`),
    closed: () => void told.push('closed'),
  }
  const session = openSession({}, { answers })
  /** A call whose operation is known. What was told until then, of the request itself, is left out. */
  const spend = async (id: number, handle: string) => {
    session.send(toolCall(id, 'spend'))
    await session.arrivals(session.calls.length + 1)
    const arrived = session.calls.at(-1)!
    told.splice(0)
    arrived.call.concerns(handle)
    return arrived
  }
  return { session, told, spend }
}

test('an answer is told when its line has left, and the next request shows that the client went on', async () => {
  const { session, told, spend } = watched()
  const call = await spend(1, 'h1')
  call.finish({ ok: true })
  await session.next()
  await session.settle()
  expect(told).toEqual(['written h1'])
  await session.exchange(request(2, 'ping'))
  expect(told).toEqual(['written h1', 'went on'])
  await session.end()
  expect(told.at(-1)).toBe('closed')
})

test('a call that is cancelled before its answer was never handed over', async () => {
  const { session, told, spend } = watched()
  const call = await spend(1, 'h1')
  session.send(cancel(1))
  await session.settle()
  call.finish({ ok: true })
  await session.end()
  expect(told).toEqual(['cancelled h1', 'closed'])
})

test('a call that was cancelled before its operation was known counts as cancelled too', async () => {
  const { session, told } = watched()
  session.send(toolCall(1, 'spend'))
  await session.arrivals(1)
  session.send(cancel(1))
  await session.settle()
  session.calls[0]!.call.concerns('h1')
  expect(told).toContain('cancelled h1')
  session.calls[0]!.finish({})
  await session.end()
  expect(told).not.toContain('written h1')
})

test('a cancellation that names an answered call says that nobody waited for the answer', async () => {
  const { session, told, spend } = watched()
  const call = await spend(1, 'h1')
  call.finish({ ok: true })
  await session.next()
  await session.settle()
  session.send(cancel(1))
  await session.settle()
  expect(told).toEqual(['written h1', 'cancelled h1'])
  await session.end()
})

test('the answer of a cancelled call that never leaves was not lost on the way', () => {
  const told: string[] = []
  const note = (what: string) => (handle: string) => void told.push(`${what} ${handle}`)
  const tracks = new AnswerTracks({
    written: note('written'),
    cancelled: note('cancelled'),
    lost: note('lost'),
    wentOn: () => {},
    closed: () => {},
  })
  tracks.concerns(1, 'h1', false)
  tracks.cancelled(1)
  tracks.answered(1, 'result')
  tracks.closed()
  expect(told).toEqual(['cancelled h1'])
})

test('a refusal is not the answer of its operation', async () => {
  const { session, told, spend } = watched()
  const call = await spend(1, 'h1')
  call.fail(new Error('no'))
  await session.next()
  await session.end()
  expect(told).toEqual(['closed'])
})

test('an answer for which the pipe is broken is lost', async () => {
  const { session, told, spend } = watched()
  const call = await spend(1, 'h1')
  session.stdout.destroy()
  await session.settle()
  call.finish({ ok: true })
  await session.done
  expect(told.filter((one) => one.startsWith('written'))).toEqual([])
  expect(told.at(-1)).toBe('closed')
})
