// Any result, any budget: what is said fits, and nothing is lost.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OkPage, ResultReceipt } from '#generated/types/router.js'
import type { ContentBlock, ToolResult } from '../../src/answers/answer.ts'
import { isResultPage, isResultReceipt } from '#generated/validators/router.js'
import { createWorld, jsonBytes, textResult } from './world.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.stringMatching(/^["\\\n\u0001 ]{0,300}$/),
  fc.constantFrom('', '界', '😀', 'é', '"', '\\', '\u0000').chain((part) => fc.nat(400).map((n) => part.repeat(n))),
)
const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  anyText.map((text) => ({ type: 'text' as const, text })),
  fc.base64String({ maxLength: 400 }).map((data) => ({ type: 'image' as const, data, mimeType: 'image/png' })),
)
const anyResult: fc.Arbitrary<ToolResult> = fc.record(
  {
    content: fc.array(anyBlock, { maxLength: 4 }),
    structuredContent: fc.option(fc.dictionary(anyText, fc.jsonValue()), { nil: undefined }),
    isError: fc.constant(true),
  },
  { requiredKeys: ['content'] },
)
const anyName = fc.oneof(fc.string({ maxLength: 20 }), anyText)
const anyOrigin = fc.record({ server: anyName, tool: anyName, namespaced: anyName })
const anyBudget = fc.oneof(fc.integer({ min: 512, max: 700 }), fc.integer({ min: 512, max: 40_000 }))

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a receipt and every page fit the budget, and the joined pages have the hash', async () => {
  const sampled = fc.asyncProperty(
    anyResult,
    anyOrigin,
    anyBudget,
    fc.constantFrom('base64' as const, 'utf8' as const),
    fc.boolean(),
    async (result, origin, budgetBytes, encoding, links) => {
      using world = createWorld({ budgetBytes, knowsLinks: links })
      const answer = await world.store(result, origin)
      const receipt = answer?.structuredContent as ResultReceipt
      expect(isResultReceipt(receipt)).toBe(true)
      expect(jsonBytes(answer)).toBeLessThanOrEqual(budgetBytes)
      expect(answer?.isError).toBe(result.isError)
      expect(receipt.preview?.isWellFormed() ?? true).toBe(true)
      const wanted = Buffer.from(JSON.stringify(result))
      expect(receipt.originalBytes).toBe(wanted.length)
      const parts: Buffer[] = []
      for (let cursor = 0; ;) {
        const page = await world.get({ callId: receipt.callId, cursor, encoding })
        expect(isResultPage(page.structuredContent)).toBe(true)
        expect(jsonBytes(page)).toBeLessThanOrEqual(budgetBytes)
        const { data, nextCursor, done, sha256 } = page.structuredContent as OkPage
        const bytes = Buffer.from(data, encoding)
        expect(bytes.length).toBe(nextCursor - cursor)
        parts.push(bytes)
        cursor = nextCursor
        if (!done) continue
        // A receipt with long names may have no room for the hash; the last page has it.
        if (budgetBytes >= 700) expect(sha256).toBe(hashOf(wanted))
        break
      }
      const joined = Buffer.concat(parts)
      expect(joined.equals(wanted)).toBe(true)
      if (receipt.sha256) expect(receipt.sha256).toBe(hashOf(joined))
    },
  )
  await fc.assert(sampled, { numRuns: 150 })
})

test('every cursor of a result gives a page that fits, in both encodings or in the one that can', async () => {
  using world = createWorld({ budgetBytes: 640 })
  const result = textResult('aé界😀"\\\u0001'.repeat(40))
  const wanted = Buffer.from(JSON.stringify(result))
  const { callId } = await world.receipt(result)
  for (let cursor = 0; cursor <= wanted.length; cursor++) {
    for (const encoding of ['base64', 'utf8'] as const) {
      const answer = await world.get({ callId, cursor, encoding })
      expect(jsonBytes(answer)).toBeLessThanOrEqual(640)
      const isInside = encoding === 'utf8' && (wanted[cursor]! & 0xc0) === 0x80
      expect(answer.isError === true).toBe(isInside)
      if (isInside) continue
      const { data, nextCursor } = answer.structuredContent as OkPage
      expect(Buffer.from(data, encoding).equals(wanted.subarray(cursor, nextCursor))).toBe(true)
      expect(nextCursor > cursor || cursor === wanted.length).toBe(true)
    }
  }
})
