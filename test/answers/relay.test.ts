import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactPieces, prettyPieces } from '../../src/json/print-text.ts'
import { relayHubuAnswer, relayObject } from '../../src/answers/relay.ts'
import { valuePieces } from '../../src/json/print-value.ts'

const whole = (text: string) => [...relayHubuAnswer(text).pieces()].join('')

describe('printing JSON from its text', () => {
  test('is what JSON.stringify makes of the value, wherever parsing loses nothing', () => {
    const sampled = fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, 3, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const exact = JSON.parse(text) as unknown
      expect([...prettyPieces(text, false)].join('')).toBe(JSON.stringify(exact, null, 2))
      expect([...compactPieces(text)].join('')).toBe(JSON.stringify(exact))
      const escaped = [...prettyPieces(text, true)].join('')
      expect(JSON.parse(`"${escaped}"`)).toBe(JSON.stringify(exact, null, 2))
    })
    fc.assert(sampled, { numRuns: 500 })
  })

  test.each([
    '{"id":9007199254740993,"price":1.0,"big":1e400,"exp":1E+2}',
    '[12345678901234567890, 0.1000000000000000000001, -0]',
    '{"same":1,"same":2,"__proto__":{"x":1}}',
    '["\\u0041","\\/","\\ud800","é\u2028"]',
    '"alone"',
    ' 17 ',
    '{ }',
    '[ [ ] , { } ]',
  ])('keeps what Hubu wrote, digit for digit: %s', (text) => {
    const compact = [...compactPieces(text)].join('')
    expect(compact).toBe(text.replaceAll(' ', ''))
    const withoutLayout = [...prettyPieces(text, false)].join('').replaceAll(/[\n ]/g, '')
    expect(withoutLayout).toBe(compact)
  })

  test('cuts a long string into pieces and never inside a surrogate pair', () => {
    const text = JSON.stringify(['x' + '😀'.repeat(50_000), '\\"'.repeat(50_000)])
    for (const pieces of [compactPieces(text), prettyPieces(text, true)]) {
      const all = [...pieces]
      expect(Math.max(...all.map((piece) => piece.length))).toBeLessThan(80_000)
      expect(all.every((piece) => piece.isWellFormed())).toBe(true)
    }
    expect([...compactPieces(text)].join('')).toBe(text)
  })

  test('gives a sign of life while it reads white space, so that others can run', () => {
    const text = `[1,${' '.repeat(2_000_000)}2]`
    expect([...compactPieces(text)].length).toBeGreaterThan(6)
    expect([...compactPieces(text)].join('')).toBe('[1,2]')
  })

  test('stops indenting before hostile nesting multiplies a text by its depth', () => {
    const depth = 500
    const text = '['.repeat(depth) + '0,'.repeat(200_000) + '0' + ']'.repeat(depth)
    let length = 0
    for (const piece of prettyPieces(text, false)) length += piece.length
    expect(length).toBeLessThan(40_000_000)
    expect([...prettyPieces(text, false)].join('').replaceAll(/[\n ]/g, '')).toBe(text)
  })
})

describe('what Hubu answered', () => {
  test('is pretty text and the same value again', () => {
    const value = { a: [1, { b: 'c "d"' }], e: {} }
    expect(JSON.parse(whole(JSON.stringify(value)))).toEqual({
      content: [{ type: 'text', text: JSON.stringify(value, null, 2) }],
      structuredContent: value,
    })
  })

  test('keeps integers beyond 2^53 in both places', () => {
    const json = whole('{"amount_cents":9007199254740993}')
    expect(json).toContain('"structuredContent":{"amount_cents":9007199254740993}')
    expect(json).toContain('\\"amount_cents\\": 9007199254740993')
  })

  test('gives the beginning of its text without printing all of it', () => {
    const { firstText } = relayHubuAnswer(JSON.stringify({ rows: Array(100_000).fill('row') }))
    expect(firstText(20).startsWith('{\n  "rows": [\n    "row"')).toBe(true)
    expect(firstText(20).length).toBeLessThan(100_000)
  })
})

describe('a result that is an object', () => {
  test('is in pieces what JSON.stringify makes of it', () => {
    const long = fc.constantFrom('x', '😀', '"\u0001', '\ud800').map((part) => part.repeat(40_000))
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), long)
    const anyValue = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(anyText, fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(anyText, tie('node'), { maxKeys: 4 }),
      ),
    })).node
    const sampled = fc.property(anyValue, (value) => {
      expect([...valuePieces({ value })].join('')).toBe(JSON.stringify({ value }))
    })
    fc.assert(sampled, { numRuns: 100 })
  })

  test('is the text of JSON.stringify in pieces, with its first filled text and its first picture', () => {
    const result = {
      content: [
        { type: 'text' as const, text: '' },
        { type: 'text' as const, text: 'é'.repeat(70_000) },
        { type: 'image' as const, data: 'QUJD', mimeType: 'image/png' },
        { type: 'image' as const, data: 'QQ==', mimeType: 'image/gif' },
      ],
      isError: true,
    }
    const relayed = relayObject(result)
    expect([...relayed.pieces()].join('')).toBe(JSON.stringify(result))
    expect(relayed.firstText(1)[0]).toBe('é')
    expect(relayed).toMatchObject({ isError: true, media: { mediaType: 'image/png', bytes: 3 } })
    expect(relayObject({ content: result.content.slice(3) }).media?.bytes).toBe(1)
  })
})
