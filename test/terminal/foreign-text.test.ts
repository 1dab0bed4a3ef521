import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanJson, cleanText, jsonLines, label, quote } from '../../src/terminal/foreign-text.ts'

/** Everything that a terminal obeys, or that turns, hides or imitates other signs. */
const hidden = [
  ['an escape', '\u001b', '1B'],
  ['a bell', '\u0007', '7'],
  ['a carriage return', '\r', 'D'],
  ['a delete', '\u007f', '7F'],
  ['a control of eight bits that begins a sequence', '\u009b', '9B'],
  ['a right-to-left override', '\u202e', '202E'],
  ['an isolate', '\u2066', '2066'],
  ['a zero width space', '\u200b', '200B'],
  ['a soft hyphen', '\u00ad', 'AD'],
  ['a byte order mark', '\ufeff', 'FEFF'],
  ['a tag', '\u{e0041}', 'E0041'],
  ['a Hangul filler', '\u3164', '3164'],
  ['a half width filler', '\uffa0', 'FFA0'],
  ['a blank of braille', '\u2800', '2800'],
  ['a grapheme joiner', '\u034f', '34F'],
  ['a selector of variants', '\u{e0100}', 'E0100'],
  ['a line separator', '\u2028', '2028'],
  ['a paragraph separator', '\u2029', '2029'],
  ['a space that does not break', '\u00a0', 'A0'],
  ['an ideographic space', '\u3000', '3000'],
  ['a private sign', '\ue000', 'E000'],
  ['a torn surrogate', '\ud800', 'D800'],
] as const

test.each(hidden)('%s is shown by its number in texts and escaped in JSON', (_what, sign, code) => {
  const shown = `<U+${code.padStart(4, '0')}>`
  expect(cleanText(`a${sign}b`)).toBe(`a${shown}b`)
  expect(label(`a${sign}b`)).toBe(`a${shown}b`)
  const json = jsonLines({ name: `a${sign}b` })
  expect(json).toMatch(/^\{\n {2}"name": "a\\[\\ux0-9a-fA-Fr]+b"\n\}\n$/)
  expect(JSON.parse(json)).toEqual({ name: `a${sign}b` })
})

test('letters of all scripts and emoji stay as they are', () => {
  for (const text of ['Größe', '寿司', 'שלום', 'نص', 'é', 'é́', '❤️ 🎉', 'ไทย', 'a < b & c'])
    expect([cleanText(text), label(text), cleanJson(text)]).toEqual([text, text, text])
})

test('marks that pile up on one letter are shown by their numbers from the third on', () => {
  expect(label('e\u0301\u0301\u0301\u0302x')).toBe('e\u0301\u0301<U+0301><U+0302>x')
})

test('an output keeps its lines and tabs, a name in a line of ours breaks none', () => {
  expect(cleanText('a\tb\r\nc\n')).toBe('a\tb\nc\n')
  expect(label('a\nrow\t2\r\nrow')).toBe('a⏎row<U+0009>2⏎row')
})

test('a quotation ends where the text ends', () => {
  expect(quote('harmless"\namount  0.01 \u202e')).toBe('"harmless\\"\\namount  0.01 <U+202E>"')
})

test('a long name is cut and says how much is missing', () => {
  expect(label('x'.repeat(90), 80)).toBe(`${'x'.repeat(80)}… (10 more)`)
})

test('no text brings a sign through that a terminal obeys, and JSON keeps its value', () => {
  const anyText = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(anyText, (text) => {
      expect(label(text) + quote(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\u2800\u3164]/u)
      const json = jsonLines([text])
      expect(JSON.parse(json)).toEqual([text])
      expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\u2800\u3164]/u)
    }),
  )
})
