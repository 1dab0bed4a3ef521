import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '../../src/studio/routes/export.ts'
import { amountOf, digitsIn } from '../../src/studio/views/amount.ts'
import { sawOf } from '../../src/studio/views/saw.ts'
import { withWrittenNumbers } from '../../src/json/written-number.ts'
import { quotedLabel, quotedText } from '../../src/terminal/quoted-text.ts'

const shown = (text: { parts: ({ t: string } | { u: string })[] }) =>
  text.parts.map((part) => ('t' in part ? part.t : '')).join('')

test('no sign that hides, turns or imitates comes out as text, whatever somebody writes', () => {
  const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(shown(quotedText(text)).replaceAll('⏎\n', '')).not.toMatch(hidden)
      expect(shown(quotedLabel(text))).not.toMatch(hidden)
    }),
  )
})

test('a hidden sign is told by its number, and line breaks stay inside the quotation', () => {
  expect(quotedText('a\u202eb\r\nc')).toEqual({
    parts: [{ t: 'a' }, { u: '202E' }, { t: 'b⏎\nc' }],
    bytes: 8,
    lines: 2,
  })
  expect(quotedText('e\u0301\u0302\u0303').parts).toContainEqual({ u: '0303' })
})

test('amounts keep every digit, also beyond what a number of JavaScript can hold', () => {
  const text = '{"cents":9007199254740993}'
  const value = withWrittenNumbers({ text, value: JSON.parse(text) }) as { cents: unknown }
  expect(amountOf(digitsIn(value.cents)!, 'usd').text).toBe('90071992547409.93')
  expect(amountOf('1', 'usd').text).toBe('0.01')
  expect(amountOf('-250', 'usd').text).toBe('-2.50')
  expect(amountOf('250', 'jpy')).toEqual({ minor: '250', text: '250', currency: 'JPY' })
})

test('of what the agent saw no key, authorization or inner id is shown', () => {
  const key = `hubu:operation:v1:claude-code:${'a'.repeat(32)}`
  const saw = sawOf(
    JSON.stringify({
      decision: 'allow',
      auth_token_id: 'token-1',
      approval: { review: { operation_key: key, reason: `see ${key}` } },
      attempt_history: [{ actor: 'inner', request: { agent_id: 'inner', agent_account_id: 'inner', amount_cents: 1 } }],
    }),
  )
  const text = shown(saw!)
  for (const secret of ['token-1', 'hubu:operation', 'inner']) expect(text).not.toContain(secret)
  expect(text).toContain('"amount_cents": 1')
})

test('a cell of an export is no formula', () => {
  expect(csvLine(['=HYPERLINK("x")', '-1.50', '-x', 'a,b', null])).toBe('"\'=HYPERLINK(""x"")",-1.50,\'-x,"a,b",\r\n')
})
