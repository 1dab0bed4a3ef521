// Who hears of a resource that changes.
import { expect, test } from 'vitest'
import { resourceAddress } from '../../src/names/resource-address.ts'
import { NewsHub } from '../../src/wire/news-hub.ts'
import { localCaller } from '../../src/wire/request.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** The addresses that a listener to `watched` hears of when these change. */
async function heard(watched: string, ...changed: string[]): Promise<string[]> {
  const told: string[] = []
  const hub = new NewsHub({ digests: () => ({}), subscribe: () => Promise.resolve(), clock: new FakeClock() })
  const { signal } = new AbortController()
  await hub.watch(watched, { caller: localCaller, signal, onUpdated: (uri) => void told.push(uri) })
  for (const uri of changed) hub.updated(uri)
  return told
}

test('a part of what is watched is told, at a border of the server\u2019s own address and of the same server only', async () => {
  const part = resourceAddress('s', 'file:///a/b')
  const others = [resourceAddress('s', 'file:///ab'), resourceAddress('t', 'file:///a/b')]
  expect(await heard(resourceAddress('s', 'file:///a'), part, ...others)).toEqual([part])
})

test('an address that is none of ours has its borders where they stand', async () => {
  expect(await heard('memo:a', 'memo:a?b', 'memo:ab', resourceAddress('s', 'memo:a?b'))).toEqual(['memo:a?b'])
})
