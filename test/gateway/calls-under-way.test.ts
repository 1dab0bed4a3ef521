// Whose call a question of a mounted server belongs to.
import { expect, test } from 'vitest'
import { CallsUnderWay, type MountedSource } from '../../src/gateway/calls-under-way.ts'
import { withAnswers } from '../../src/gateway/rounds.ts'

const { signal } = new AbortController()

function underWay(isRemote = false) {
  const present = { connection: {} }
  const calls = new CallsUnderWay({
    onLogLevel: () => {},
    askTheOne: () => () => Promise.reject(new Error('there is no single client')),
    connectionOf: () => present.connection,
    isRemote: () => isRemote,
  })
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
  return { calls, of, present, askedDuring, givenUp }
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

test('over HTTP it goes to the call on whose stream it comes, whatever else runs', async () => {
  const { calls, of, askedDuring } = underWay(true)
  let end = () => {}
  const other = calls.during('s', of('alice'), async () => {
    await new Promise<void>((resolve) => (end = resolve))
    return { kind: 'result' }
  })
  expect(await askedDuring('bob')).toMatchObject({ answer: { asked: 'bob' } })
  end()
  await other
})

test('what a server logs in no single call is told with whose calls run, and to nobody while several principals have some', async () => {
  const { calls, of } = underWay()
  const told: unknown[] = []
  const log = () => calls.log('s', {}, (principal) => told.push(principal) > 0)
  log()
  await calls.during('s', of('alice'), async () => {
    log()
    await calls.during('s', of('bob'), () => Promise.resolve(log()).then(() => ({ kind: 'result' })))
    return { kind: 'result' }
  })
  expect(told).toEqual([undefined, 'alice'])
})

test('the limit of a call ends its questions, too', async () => {
  const limit = new AbortController()
  const value = { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } }
  const ended = withAnswers(() => Promise.resolve({ kind: 'result', isOpen: true, value }), {
    label: 's',
    ask: (_method, _params, asked) =>
      new Promise((_resolve, reject) => asked.addEventListener('abort', () => reject(new Error('over')))),
    source: { client: { era: 'modern', revision: '', capabilities: {}, name: '' } },
    signals: [signal, limit.signal],
  })
  await Promise.resolve()
  limit.abort()
  expect(await ended).toMatchObject({ kind: 'asked_in_vain' })
})
