import { describe, expect, test } from 'vitest'
import type { FoundPage } from '#generated/types/router.js'
import { isResultPage } from '#generated/validators/router.js'
import { chunkBytes } from '../../src/results/chunker.ts'
import { findText } from '../../src/results/find.ts'
import { createWorld, jsonBytes, textResult } from './world.ts'

async function found(world: ReturnType<typeof createWorld>, args: object): Promise<FoundPage> {
  const answer = await world.get(args)
  expect(isResultPage(answer.structuredContent)).toBe(true)
  if (world.options.budgetBytes > 0) expect(jsonBytes(answer)).toBeLessThanOrEqual(world.options.budgetBytes)
  return answer.structuredContent as FoundPage
}

/** Every offset of a text, by following the answers. */
async function allOffsets(world: ReturnType<typeof createWorld>, callId: string, find: string): Promise<number[]> {
  const offsets: number[] = []
  for (let cursor = 0; ;) {
    const page = await found(world, { callId, find, cursor })
    offsets.push(...page.matches.map((match) => match.offset))
    if (page.done) return offsets
    expect(page.nextCursor).toBeGreaterThan(cursor)
    cursor = page.nextCursor
  }
}

function offsetsIn(text: string, part: string): number[] {
  const bytes = Buffer.from(text)
  const offsets: number[] = []
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + Buffer.byteLength(part))) offsets.push(at)
  return offsets
}

describe('find', () => {
  test('answers byte offsets with a little context, and each is a cursor', async () => {
    using world = createWorld({ budgetBytes: 2000 })
    const result = textResult(`${'界'.repeat(400)} the needle lies here ${'é'.repeat(4000)}`)
    const { callId } = await world.receipt(result)
    const { matches, done, nextCursor, totalBytes } = await found(world, { callId, find: 'needle' })
    expect(matches.map((match) => match.offset)).toEqual(offsetsIn(JSON.stringify(result), 'needle'))
    expect(matches[0]?.context).toContain('the needle lies here')
    expect(matches[0]?.context).not.toContain('\ufffd')
    expect([done, nextCursor]).toEqual([true, totalBytes])
    const page = await world.page({ callId, cursor: matches[0]?.offset, encoding: 'utf8' })
    expect(page.data.startsWith('needle')).toBe(true)
  })

  test.each([512, 2000, 0])('names every place once, at a budget of %i', async (budgetBytes) => {
    using maker = createWorld()
    const result = textResult(Array.from({ length: 90 }, (_, row) => `row ${row} ${'x'.repeat(row * 9)}`).join('\n'))
    const { callId } = await maker.receipt(result)
    using world = createWorld({ budgetBytes, folder: maker.folder })
    expect(await allOffsets(world, callId, 'row ')).toEqual(offsetsIn(JSON.stringify(result), 'row '))
  })

  test('finds what lies across the border of two chunks', async () => {
    using world = createWorld({ budgetBytes: 4096 })
    const before = JSON.stringify(textResult('')).length - 4
    const text = `${'x'.repeat(chunkBytes - before - 3)}needle${'x'.repeat(chunkBytes)}`
    const { callId } = await world.receipt(textResult(text))
    expect(await allOffsets(world, callId, 'needle')).toEqual([chunkBytes - 3])
  })

  test('finds quotes and line breaks as the result has them, escaped once or twice', async () => {
    using world = createWorld({ budgetBytes: 4096 })
    const inner = JSON.stringify({ name: 'Ada "Countess" Lovelace' }, null, 2)
    const { callId } = await world.receipt({
      content: [{ type: 'text', text: inner + ' '.repeat(5000) }],
      structuredContent: { name: 'Ada "Countess" Lovelace' },
    })
    expect(await allOffsets(world, callId, 'Ada "Countess"')).toHaveLength(2)
    expect(await allOffsets(world, callId, '"name": "Ada')).toHaveLength(1)
  })

  test('names no place twice where a text repeats itself across chunks', async () => {
    using world = createWorld({ budgetBytes: 0 })
    const result = textResult('a'.repeat(2 * chunkBytes))
    const { callId } = await world.receipt(result)
    expect(await allOffsets(world, callId, 'a'.repeat(200))).toEqual(offsetsIn(JSON.stringify(result), 'a'.repeat(200)))
  })

  test('fits the smallest budget however far its places are', async () => {
    const totalBytes = 1024 ** 3
    const cursor = totalBytes - 40_000
    const tail = Buffer.from(`needle${'"'.repeat(39_994)}`)
    const read = (from: number, count: number) =>
      Promise.resolve(tail.subarray(Math.max(0, from - cursor), Math.max(0, from - cursor + count)))
    const result = { callId: 'a'.repeat(32), totalBytes }
    const answer = await findText({ result, text: 'needle', cursor, budgetBytes: 512 }, read)
    expect(jsonBytes(answer)).toBeLessThanOrEqual(512)
    expect((answer.structuredContent as FoundPage).matches).toEqual([{ offset: cursor, context: '' }])
  })

  test('says that nothing was found, begins at the cursor, and keeps to the statuses of pages', async () => {
    using world = createWorld({ budgetBytes: 900 })
    const { callId } = await world.receipt(textResult(`needle ${'x'.repeat(2000)}`))
    expect((await found(world, { callId, find: 'nothing' })).matches).toEqual([])
    expect((await found(world, { callId, find: 'needle', cursor: 100 })).matches).toEqual([])
    expect((await found(world, { callId, find: 'needle', cursor: 1e9 })).status).toBe('cursor_out_of_range')
    expect((await found(world, { callId: 'x', find: 'needle' })).status).toBe('unavailable')
  })
})
