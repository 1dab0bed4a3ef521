import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isResultPage } from '#generated/validators/router.js'
import { pageLimitBytes } from '../../src/results/budget.ts'
import { noFindings } from '../../src/json/findings.ts'
import { createWorld, jsonBytes, textResult } from './world.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A text result whose serialization has so many bytes. */
const sized = (bytes: number) => textResult('a'.repeat(bytes - 39))
const errorText = (answer: object) => JSON.stringify(answer)

describe('pages', () => {
  test('the joined pages are the serialized result, in the pages of M', async () => {
    using world = createWorld({ budgetBytes: 32_768 })
    const result = sized(40_039)
    const { callId, sha256 } = await world.receipt(result)
    const { bytes, pages } = await world.readAll(callId)
    expect(bytes.toString()).toBe(JSON.stringify(result))
    expect(pages.map((page) => page.nextCursor - page.cursor)).toEqual([8192, 8192, 8192, 8192, 7271])
    expect(pages.map((page) => page.sha256)).toEqual([...Array<undefined>(4), sha256])
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('a page has at most the size of M for its budget', async () => {
    const budgets = [512, 900, 1024, 4096, 25_023, 25_024, 32_768, 0]
    const wanted = [21, 150, 192, 1216, 8191, 8192, 8192, 8192]
    expect(budgets.map(pageLimitBytes)).toEqual(wanted)
    using world = createWorld()
    const { callId } = await world.receipt(sized(9000))
    for (const [index, budgetBytes] of budgets.entries()) {
      using other = createWorld({ budgetBytes, folder: world.folder })
      expect((await other.page({ callId, cursor: 0 })).nextCursor).toBe(wanted[index])
    }
  })

  test('a page at the smallest budget', async () => {
    using world = createWorld()
    const { callId } = await world.receipt(sized(4096))
    const answer = await world.get({ callId, cursor: 0 })
    const page = await world.page({ callId })
    expect(page).toMatchObject({ nextCursor: 21, done: false, totalBytes: 4096, mediaType: 'application/json' })
    expect(Buffer.from(page.data, 'base64')).toHaveLength(21)
    expect(jsonBytes(answer)).toBe(498)
    expect(world.count('stored_result')).toBe(1)
  })

  test('the text of an answer is its data, indented', async () => {
    using world = createWorld()
    const { callId } = await world.receipt(sized(600))
    const answer = await world.get({ callId })
    expect(isResultPage(answer.structuredContent)).toBe(true)
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent, null, 2) }])
  })

  test('a page fits the budget wherever its cursor is', async () => {
    using world = createWorld()
    for (const [bytes, cursor] of [
      [20_000, 15_000],
      [10_000_000, 9_000_000],
    ] as const) {
      const { callId } = await world.receipt(sized(bytes))
      const answer = await world.get({ callId, cursor })
      expect(jsonBytes(answer)).toBeLessThanOrEqual(512)
      // Three bytes more are eight characters in the answer.
      expect(jsonBytes(answer)).toBeGreaterThan(512 - 8)
      expect((answer.structuredContent as { nextCursor: number }).nextCursor).toBeGreaterThan(cursor)
    }
  })

  test('where the last page has no room for the hash, its end makes a page of its own', async () => {
    using world = createWorld({ budgetBytes: 900 })
    const { callId, sha256 } = await world.receipt(sized(4500))
    const { bytes, pages } = await world.readAll(callId)
    expect(bytes).toHaveLength(4500)
    expect(pages.slice(-2).map((page) => [page.nextCursor, page.sha256])).toEqual([
      [4499, undefined],
      [4500, sha256],
    ])
  })

  test('pages may split characters, and a text page never does', async () => {
    using world = createWorld()
    const result = textResult('aé界😀'.repeat(500))
    const { callId } = await world.receipt(result)
    const wanted = JSON.stringify(result)
    expect((await world.readAll(callId)).bytes.toString()).toBe(wanted)
    const { pages } = await world.readAll(callId, 'utf8')
    expect(pages.map((page) => page.data).join('')).toBe(wanted)
    expect(pages.every((page) => !page.data.includes('\ufffd'))).toBe(true)
  })

  test('a text page says that it is text, and cannot begin inside a character', async () => {
    using world = createWorld({ budgetBytes: 900 })
    const { callId } = await world.receipt(textResult('界'.repeat(500)))
    const start = JSON.stringify(textResult('')).length - 4
    const page = await world.page({ callId, cursor: start, encoding: 'utf8' })
    expect(page.encoding).toBe('utf8')
    expect(page.data.startsWith('界界')).toBe(true)
    const inside = await world.get({ callId, cursor: start + 1, encoding: 'utf8' })
    expect(inside.isError).toBe(true)
    expect(errorText(inside)).toContain('inside a character')
    expect((await world.page({ callId, cursor: start + 1 })).status).toBe('ok')
  })

  test('the end is an empty last page, and one further is out of range', async () => {
    using world = createWorld({ budgetBytes: 900 })
    const { callId } = await world.receipt(sized(4096))
    const end = await world.get({ callId, cursor: 4096 })
    expect(end.structuredContent).toMatchObject({ status: 'ok', data: '', done: true, nextCursor: 4096 })
    for (const cursor of [4097, 1e9, Number.MAX_SAFE_INTEGER]) {
      const past = await world.get({ callId, cursor })
      expect(past.isError).toBeUndefined()
      expect(past.structuredContent).toMatchObject({ status: 'cursor_out_of_range', callId, cursor, totalBytes: 4096 })
      expect(isResultPage(past.structuredContent)).toBe(true)
    }
  })
})

describe('what cannot be read', () => {
  test('unknown and expired ids are unavailable in the same words', async () => {
    using world = createWorld()
    const { callId } = await world.receipt(sized(4096))
    world.clock.skip(dayMs - 1)
    expect((await world.page({ callId })).status).toBe('ok')
    world.clock.skip(1)
    const expired = await world.get({ callId })
    const reasons = [expired]
    for (const unknown of ['0'.repeat(32), 'x', "' or 1=1", callId.toUpperCase()]) {
      const answer = await world.get({ callId: unknown })
      expect(answer.structuredContent).toMatchObject({ status: 'unavailable', callId: unknown })
      reasons.push(answer)
    }
    expect(reasons.every((answer) => answer.isError === undefined && isResultPage(answer.structuredContent))).toBe(true)
    expect(new Set(reasons.map((answer) => (answer.structuredContent as { reason: string }).reason)).size).toBe(1)
  })

  test.each([
    ['no id', {}, 'callId is required'],
    ['a blank id', { callId: '  ' }, 'callId'],
    ['an id that is no text', { callId: 7 }, 'callId'],
    ['an endless id', { callId: 'x'.repeat(129) }, 'callId'],
    ['a negative cursor', { callId: 'x', cursor: -1 }, 'nonnegative'],
    ['a fractional cursor', { callId: 'x', cursor: 1.5 }, 'cursor must be integer'],
    ['a textual cursor', { callId: 'x', cursor: '0' }, 'cursor must be integer'],
    ['a null cursor', { callId: 'x', cursor: null }, 'cursor must be integer'],
    ['another encoding', { callId: 'x', encoding: 'hex' }, 'encoding must be one of'],
    ['an empty search', { callId: 'x', find: '' }, 'find'],
    ['another argument', { callId: 'x', page: 1 }, 'only callId, cursor, encoding and find'],
  ])('%s is refused in one sentence', async (_name, args, words) => {
    using world = createWorld()
    const answer = await world.get(args)
    expect(answer.isError).toBe(true)
    expect(answer.structuredContent).toBeUndefined()
    expect(errorText(answer)).toContain(words)
  })

  test.each([
    ['duplicateKey', 'twice'],
    ['protoKey', '__proto__'],
    ['inexactNumber', 'cursor'],
  ])('a call whose text showed %s is refused', async (finding, words) => {
    using world = createWorld()
    const answer = await world.results.getResult({ callId: 'x' }, { ...noFindings, [finding]: true }, world.viewer)
    expect(answer.isError).toBe(true)
    expect(errorText(answer)).toContain(words)
  })

  test('a result out of scope gives no byte, whatever the cursor', async () => {
    using world = createWorld()
    const origin = { server: 'atlas', tool: 'atlas_geocode', namespaced: 'atlas__geocode' }
    const { callId } = await world.receipt(sized(4096), origin)
    const asked: string[] = []
    const isInScope = (server: string, tool: string) => {
      asked.push(`${server}/${tool}`)
      return false
    }
    using scoped = createWorld({ folder: world.folder, isInScope })
    for (const args of [{ cursor: 0 }, { cursor: 1e9 }, { find: 'a' }]) {
      const answer = await scoped.get({ callId, ...args })
      expect(answer.isError).toBe(true)
      expect(errorText(answer)).toContain('out of scope')
      expect(answer.structuredContent).toBeUndefined()
    }
    expect(new Set(asked)).toEqual(new Set(['atlas/atlas_geocode']))
  })

  test('no store is an error, and a file that nobody made yet is not', async () => {
    using nowhere = createWorld({ path: undefined })
    expect((await nowhere.get({ callId: 'x' })).isError).toBe(true)
    using world = createWorld()
    expect((await world.page({ callId: 'x' })).status).toBe('unavailable')
    expect(world.count('stored_result')).toBe(0)
  })
})
