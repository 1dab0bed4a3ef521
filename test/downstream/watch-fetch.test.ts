// How fast a remote server's stream is read, by what it sends without having been asked.
import { expect, test } from 'vitest'
import { ResultTexts } from '../../src/downstream/raw-result.ts'
import { watchFetch } from '../../src/downstream/watch-fetch.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'

const count = 5000
const events = (from: number) =>
  Array.from({ length: count }, (_, n) => `data: {"jsonrpc":"2.0","id":${from + n},"result":{}}\n\n`).join('')

/** An older server: it takes each request with 202 and answers on its one stream, in these pieces. */
function olderServer(clock: FakeClock, pieces: readonly string[]) {
  return watchFetch(
    (_url, init) => {
      if (init?.method === 'POST') return Promise.resolve(new Response(null, { status: 202 }))
      const body = new ReadableStream({
        start: (stream) => {
          for (const piece of pieces) stream.enqueue(Buffer.from(piece))
          stream.close()
        },
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    },
    {
      texts: new ResultTexts(),
      clock,
      tell: () => {},
      onStreamEnd: () => {},
      onAnswer: () => {},
      onResumeRefused: () => {},
    },
  )
}

type Watched = ReturnType<typeof olderServer>

const post = (fetch: Watched, message: object) =>
  fetch('http://s/post', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...message }) })

async function ask(fetch: Watched, times: number): Promise<void> {
  for (let id = 0; id < times; id++) await post(fetch, { id, method: 'ping' })
}

test('answers that were asked for are read without a rest', async () => {
  const clock = new FakeClock({ sleepMs: (ms) => ms })
  const fetch = olderServer(clock, [events(0)])
  await ask(fetch, count)
  await (await fetch('http://s/sse')).text()
  expect(clock.slept).toEqual([])
})

test.each<[string, number, string[]]>([
  ['that nobody asked for', 0, [events(0)]],
  ['to requests that have been answered', count, [events(0), events(0)]],
])('answers %s are read as slowly as anything else that nobody asked for', async (_what, asked, pieces) => {
  const clock = new FakeClock({ sleepMs: (ms) => ms })
  const fetch = olderServer(clock, pieces)
  await ask(fetch, asked)
  await (await fetch('http://s/sse')).text()
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(7000)
})

test('an answer to a request that was cancelled was not asked for', async () => {
  const clock = new FakeClock({ sleepMs: (ms) => ms })
  const fetch = olderServer(clock, [events(0)])
  await ask(fetch, count)
  for (let requestId = 0; requestId < count; requestId++)
    await post(fetch, { method: 'notifications/cancelled', params: { requestId } })
  await (await fetch('http://s/sse')).text()
  expect(clock.slept).not.toEqual([])
})

test('a connection that is closed while its stream rests leaves no timer', async () => {
  const clock = new FakeClock()
  const fetch = olderServer(clock, [events(0)])
  const closing = new AbortController()
  await fetch('http://s/sse', { signal: closing.signal })
  await settle()
  expect(clock.pending).toBe(1)
  closing.abort()
  await settle()
  expect(clock.pending).toBe(0)
})
