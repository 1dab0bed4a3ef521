import { expect, test } from 'vitest'
import { LineBuffer } from '../../src/downstream/line-buffer.ts'

test.each([1, 2, 3, 5, 1000])('lines come whole and in order when they arrive in pieces of %i bytes', (size) => {
  const text = 'first\n\n界😀 second\r\nno end'
  const bytes = Buffer.from(text)
  const lines = new LineBuffer()
  const found: string[] = []
  for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)))
  expect(found).toEqual(['first', '', '界😀 second\r'])
  expect(lines.push(Buffer.from('\n'))).toEqual(['no end'])
})

test('a line of megabytes is followed by others', () => {
  const lines = new LineBuffer()
  const part = Buffer.alloc(65_536, 'a')
  for (let n = 0; n < 64; n++) expect(lines.push(part)).toEqual([])
  expect(lines.push(Buffer.from('\nb\nc')).map(({ length }) => length)).toEqual([4_194_304, 1])
  expect(lines.push(Buffer.from('\n'))).toEqual(['c'])
})
