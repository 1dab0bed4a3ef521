import { describe, expect, test } from 'vitest'
import { parseAddress, resourceAddress, templateAddress } from '../../src/names/resource-address.ts'

describe("an address of a mounted server's resource", () => {
  test.each([
    ['s', 'file:///a b', 'mcphub://s/file%3A%2F%2F%2Fa%20b'],
    ['my-s', '/', 'mcphub://my-s/%2F'],
    ['s', 'mcphub://t/x%2F', 'mcphub://s/mcphub%3A%2F%2Ft%2Fx%252F'],
  ])('of %s and %s leads back to both', (server, uri, address) => {
    expect(resourceAddress(server, uri)).toBe(address)
    expect(parseAddress(address)).toEqual({ server, uri })
  })

  test('made from a template holds what was filled in, untouched', () => {
    expect(templateAddress('s', 'db://{table}{/row}{?q}')).toBe('mcphub://s//db://{table}{/row}{?q}')
    expect(parseAddress('mcphub://s//db://a%2Fb/1?q=%20')).toEqual({ server: 's', uri: 'db://a%2Fb/1?q=%20' })
    expect(parseAddress('mcphub://s///x')).toEqual({ server: 's', uri: '/x' })
  })

  test.each(['mcphub://s', 'mcphub://s/', 'mcphub://s//', 'mcphub:///x', 'mcphub://s/a/b', 'mcphub://s/%zz', 'x:y'])(
    'is not %s',
    (address) => expect(parseAddress(address)).toBeUndefined(),
  )
})
