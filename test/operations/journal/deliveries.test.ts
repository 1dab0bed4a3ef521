import { expect, test } from 'vitest'
import { createDeliveries } from '../../../src/operations/journal/deliveries.ts'
import { FakeClock } from '../../support/fake-clock.ts'

function begun() {
  const clock = new FakeClock()
  const changed: string[] = []
  const deliveries = createDeliveries(clock, (handle) => void changed.push(handle))
  const told = (handle = 'h') => {
    const answer = deliveries.answerOf(handle)
    return answer && [answer.delivery, answer.basis]
  }
  return { clock, changed, deliveries, told }
}

test('an answer that was written counts as taken when the connection goes on with another request', () => {
  const { deliveries, told } = begun()
  expect(told()).toBeUndefined()
  deliveries.written('h', 'c', 7)
  expect(told()).toEqual(['written', null])
  deliveries.wentOn('other', 8)
  deliveries.wentOn('c', 7)
  expect(told()).toEqual(['written', null])
  deliveries.wentOn('c', 8)
  expect(told()).toEqual(['taken', 'went_on'])
})

test('or when its connection stays open for a minute', () => {
  const { clock, deliveries, told } = begun()
  deliveries.written('h', 'c', 1)
  expect(deliveries.nextWaitMs()).toBe(60_000)
  clock.skip(59_999)
  expect(told()).toEqual(['written', null])
  clock.skip(1)
  expect(told()).toEqual(['taken', 'waited'])
  expect(deliveries.nextWaitMs()).toBeNull()
})

test('a connection that ends changes nothing, and no wait makes it taken afterwards', () => {
  const { clock, deliveries, told } = begun()
  deliveries.written('h', 'c', 1)
  clock.skip(1000)
  deliveries.closed('c')
  expect(deliveries.nextWaitMs()).toBeNull()
  clock.skip(600_000)
  expect(told()).toEqual(['written', null])
})

test('a cancellation drops it, before or after it was written; a use of it is proof for ever', () => {
  const { deliveries, told, changed } = begun()
  deliveries.cancelled('h')
  expect(told()).toEqual(['dropped', 'cancelled'])
  deliveries.written('h', 'c', 2)
  expect(told()).toEqual(['written', null])
  deliveries.used('h')
  deliveries.cancelled('h')
  deliveries.lost('h', 'pipe')
  deliveries.written('h', 'c', 3)
  expect(told()).toEqual(['taken', 'used'])
  expect(changed).toEqual(['h', 'h', 'h'])
})

test('what is final is forgotten', () => {
  const { deliveries, told } = begun()
  deliveries.written('h', 'c', 1)
  deliveries.forget('h')
  expect(told()).toBeUndefined()
  expect(deliveries.nextWaitMs()).toBeNull()
})
