// Which changes the client hears of, and under which addresses.
import { expect, test } from 'vitest'
import { createSubscriptions } from '../../src/gateway/subscriptions.ts'
import { resourceAddress } from '../../src/names/resource-address.ts'

const watching = (uri: string) => {
  const subscriptions = createSubscriptions(resourceAddress)
  subscriptions.add({ server: 's', uri, address: 'given' })
  return subscriptions
}

test('a watched resource is told under the address that the client used', () => {
  expect(watching('memo:a').addressesOf('s', 'memo:a')).toEqual(['given'])
})

test.each([
  ['file:///a', 'file:///a/b'],
  ['file:///a/', 'file:///a/b'],
  ['memo:a', 'memo:a?page=2'],
  ['memo:a', 'memo:a#end'],
])('a part of what is watched is told under its own address: %s, %s', (whole, part) => {
  expect(watching(whole).addressesOf('s', part)).toEqual([resourceAddress('s', part)])
})

test.each([
  ['file:///a', 'file:///ab'],
  ['memo:a', 'memo:a__b'],
  ['memo:a', 'memo:'],
])('an address that only begins alike is no part: %s, %s', (whole, other) => {
  expect(watching(whole).addressesOf('s', other)).toEqual([])
})

test('a part at another server is not told', () => {
  expect(watching('file:///a').addressesOf('t', 'file:///a/b')).toEqual([])
})

test('what is watched under two addresses is watched until both are given up', () => {
  const subscriptions = watching('memo:a')
  subscriptions.add({ server: 's', uri: 'memo:a', address: 'other' })
  expect(subscriptions.remove({ server: 's', uri: 'memo:a', address: 'given' })).toBe(true)
  expect(subscriptions.addressesOf('s', 'memo:a')).toEqual(['other'])
  expect(subscriptions.remove({ server: 's', uri: 'memo:a', address: 'other' })).toBe(false)
  expect(subscriptions.addressesOf('s', 'memo:a')).toEqual([])
})
