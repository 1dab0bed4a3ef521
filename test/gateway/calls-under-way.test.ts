// Whose call a question of a mounted server belongs to.
import { expect, test } from 'vitest'
import { CallsUnderWay, type MountedSource } from '../../src/gateway/calls-under-way.ts'
import { withAnswers } from '../../src/gateway/rounds.ts'

const { signal } = new AbortController()

function underWay() {
  const present = { connection: {} }
  const calls = new CallsUnderWay(
    () => {},
    () => () => Promise.reject(new Error('there is no single client')),
    () => present.connection,
  )
  const of = (principal: string): MountedSource => ({
    signal,
    client: { era: 'modern', revision: '', capabilities: {}, name: '' },
    caller: { principal, rights: new Set() },
    ask: () => Promise.resolve({ asked: principal }),
  })
  /** What becomes of a question while the call of this principal runs. */
  const askedDuring = (principal: string) =>
    calls.during('s', of(principal), async () => {
      const answer = await calls.ask('s', 'elicitation/create', {}, signal).catch(() => 'nobody')
      return { kind: 'result', answer }
    })
  const givenUp = (principal: string) => calls.during('s', of(principal), () => Promise.resolve({ kind: 'unknown' }))
  return { present, askedDuring, givenUp }
}

test('a question goes to the only call, and after one that was given up to nobody else\u2019s', async () => {
  const { present, askedDuring, givenUp } = underWay()
  expect(await askedDuring('bob')).toMatchObject({ answer: { asked: 'bob' } })
  await givenUp('alice')
  expect(await askedDuring('bob')).toMatchObject({ answer: 'nobody' })
  expect(await askedDuring('alice')).toMatchObject({ answer: { asked: 'alice' } })
  present.connection = {}
  expect(await askedDuring('bob')).toMatchObject({ answer: { asked: 'bob' } })
})

test('the limit of a call ends its questions, too', async () => {
  const limit = new AbortController()
  const value = { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } }
  const ended = withAnswers(() => Promise.resolve({ kind: 'result', isOpen: true, value }), {
    label: 's',
    ask: (_method, _params, asked) =>
      new Promise((_resolve, reject) => asked.addEventListener('abort', () => reject(new Error('over')))),
    signals: [signal, limit.signal],
  })
  await Promise.resolve()
  limit.abort()
  expect(await ended).toMatchObject({ kind: 'asked_in_vain' })
})
