// Looks for a text in the stored bytes, chunk by chunk.
import type { FoundPage } from '#generated/types/router.js'
import { type ToolResult, dataAnswer } from '../answers/answer.ts'
import { fitsBudget, jsonBytes } from './budget.ts'
import { beginsInside, characterStart, firstCharacterEnd } from './characters.ts'
import { chunkBytes } from './chunker.ts'
import type { StoredResult } from './statements.ts'

/** The most places that one answer names. */
const mostMatches = 20
/** How much text is shown on each side of a match, where the budget has room for it. */
const contextSizesBytes = [80, 20, 0] as const

/** Reads `count` bytes from `from` on; fewer at the end of the result. */
export type ReadBytes = (from: number, count: number) => Promise<Buffer>

/** Where in a result to look for what. */
export interface Search {
  readonly result: Pick<StoredResult, 'callId' | 'totalBytes'>
  readonly text: string
  /** From 0 to `totalBytes`. */
  readonly cursor: number
  readonly budgetBytes: number
}

/**
 * The places at and after the cursor where the text stands, as it is or as JSON escapes it, as many as fit the budget and at
 * most 20. Rejects with whatever reading rejects with.
 */
export async function findText(search: Search, read: ReadBytes): Promise<ToolResult> {
  const forms = writtenForms(search.text)
  const longest = Math.max(...forms.map((form) => form.length))
  const { totalBytes } = search.result
  let matches: FoundPage['matches'] = []
  let at = search.cursor
  while (at < totalBytes) {
    let next = at + chunkBytes
    // What begins in this chunk may end in the next.
    const bytes = await read(at, chunkBytes + longest - 1)
    for (const { offset, length } of occurrences(bytes, forms, chunkBytes)) {
      const place = at + offset
      const end = place + length
      const longer = await withMatch(search, matches, { place, end }, read)
      if (longer === undefined) return toAnswer(search, matches, place)
      matches = longer
      if (matches.length >= mostMatches) return toAnswer(search, matches, end)
      next = Math.max(next, end)
    }
    at = next
  }
  return toAnswer(search, matches, totalBytes)
}

/** The matches with one more and as much of its context as fits; undefined when it has to wait for the next answer. */
async function withMatch(
  search: Search,
  matches: FoundPage['matches'],
  { place, end }: { place: number; end: number },
  read: ReadBytes,
): Promise<FoundPage['matches'] | undefined> {
  for (const size of contextSizesBytes) {
    const from = Math.max(0, place - size)
    const context = size === 0 ? '' : wholeText(await read(from, end + size - from))
    const longer = [...matches, { offset: place, context }]
    if (fitsBudget(jsonBytes(toAnswer(search, longer, end)), search.budgetBytes)) return longer
  }
  // The first place is told in any case, so that a search always goes on.
  return matches.length === 0 ? [{ offset: place, context: '' }] : undefined
}

function toAnswer({ result }: Search, matches: FoundPage['matches'], nextCursor: number): ToolResult {
  const { callId, totalBytes } = result
  const page: FoundPage = {
    status: 'ok',
    callId,
    matches,
    nextCursor,
    done: nextCursor >= totalBytes,
    totalBytes,
  }
  return dataAnswer(page)
}

/**
 * A stored result is JSON, and its text blocks often hold JSON themselves: quotes, backslashes and line breaks of the text
 * stand there escaped once or twice.
 */
function writtenForms(text: string): Buffer[] {
  const once = escaped(text)
  return [...new Set([text, once, escaped(once)])].map((form) => Buffer.from(form))
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Every occurrence of one of the forms that begins before `limit`, in order; those that overlap an earlier one are left out. */
function* occurrences(bytes: Buffer, forms: readonly Buffer[], limit: number) {
  let from = 0
  for (;;) {
    let best: { offset: number; length: number } | undefined
    for (const form of forms) {
      const offset = bytes.indexOf(form, from)
      if (offset < 0 || offset >= limit) continue
      if (best === undefined || offset < best.offset) best = { offset, length: form.length }
    }
    if (best === undefined) return
    yield best
    from = best.offset + best.length
  }
}

/** The characters that are whole in these bytes. */
function wholeText(bytes: Buffer): string {
  const start = beginsInside(bytes) ? firstCharacterEnd(bytes) : 0
  let end = characterStart(bytes, bytes.length - 1)
  if (firstCharacterEnd(bytes.subarray(end)) === lengthOf(bytes[end] ?? 0)) end = bytes.length
  return bytes.toString('utf8', start, Math.max(start, end))
}

/** How many bytes the character has that begins with this byte. */
function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}
