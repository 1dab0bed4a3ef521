// When the client is told of a resource that changes.
import { expect, test } from 'vitest'
import { ResourceNews } from '../../src/gateway/resource-news.ts'
import { ToClient } from '../../src/server/to-client.ts'
import { FakeClock } from '../support/fake-clock.ts'

const uri = 'mcphub://s/a'

/** A client on a wire that the test changes, and how often it was told. */
function watching() {
  const clock = new FakeClock()
  const wire = { isThere: true, isBehind: false }
  let told = 0
  const client = new ToClient()
  client.bind({
    isThere: () => wire.isThere,
    isBehind: () => wire.isBehind,
    request: () => Promise.reject(new Error('nobody is asked here')),
    notify: () => void told++,
  })
  const news = new ResourceNews({ clock, tell: (uri) => client.tell('notifications/resources/updated', { uri }) })
  return { clock, wire, news, told: () => told }
}

test('of changes at once the first is told now and the last after a tenth of a second, and then nothing', () => {
  const { clock, news, told } = watching()
  for (let n = 0; n < 3; n++) news.changed(uri)
  expect(told()).toBe(1)
  clock.advance(100)
  expect(told()).toBe(2)
  clock.advance(1000)
  expect(told()).toBe(2)
  expect(clock.pending).toBe(0)
})

test('a change is told as soon as a client that was behind has read on', () => {
  const { clock, wire, news, told } = watching()
  wire.isBehind = true
  news.changed(uri)
  clock.advance(300)
  expect(told()).toBe(0)
  wire.isBehind = false
  clock.advance(100)
  expect(told()).toBe(1)
  clock.advance(1000)
  expect(told()).toBe(1)
})

test('a change after the end of input is told nobody, and nothing waits for a client that is gone', () => {
  const { clock, wire, news, told } = watching()
  news.changed(uri)
  news.changed(uri)
  wire.isThere = false
  clock.advance(200)
  expect(told()).toBe(1)
  expect(clock.pending).toBe(0)
})
