// Calls that wait for their client.
import { expect, test } from 'vitest'
import { Conversations } from '../../src/wire/conversations.ts'
import type { CallContext } from '../../src/wire/handlers.ts'
import { localCaller } from '../../src/wire/request.ts'
import { FakeClock } from '../support/fake-clock.ts'

const call: CallContext = {
  requestId: 1,
  signal: new AbortController().signal,
  client: { era: 'modern', revision: '', capabilities: { elicitation: {} }, name: '' },
  caller: localCaller,
  progress: () => {},
  concerns: () => {},
  notifyListChangedAfterAnswer: () => {},
}

test('a call that waits for an answer is given up at the end, and no timer is left', async () => {
  const clock = new FakeClock()
  const conversations = new Conversations(clock)
  const seen: { signal?: AbortSignal; answer?: unknown } = {}
  const turn = await conversations.begin(call, async (inner) => {
    seen.signal = inner.signal
    const never = new AbortController().signal
    seen.answer = await inner.ask?.('elicitation/create', { message: 'm' }, never).catch(() => 'given up')
    return {}
  })
  expect(turn).toMatchObject({ kind: 'question' })
  expect(clock.pending).toBe(1)
  conversations.end()
  expect(clock.pending).toBe(0)
  expect(seen.signal?.aborted).toBe(true)
  await new Promise(setImmediate)
  expect(seen.answer).toBe('given up')
  expect(conversations.resume('id' in turn ? turn.id : '', call, {})).toBeUndefined()
})
