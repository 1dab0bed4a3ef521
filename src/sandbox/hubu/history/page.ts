// Strict, decoded queries and opaque cursors of the history routes. Pure.
import { createHash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { Instant } from '../time/instant.ts'

/** The schema that both routes name. */
export const historySchema = 'hubu-history-v1'

/** A row's place in newest-first order. */
export interface Place {
  created_at: Instant
  id: string
}

/** Which page is asked for. */
export interface Page {
  limit: number
  /** Only rows after this place. */
  after: Place | undefined
}

/** Decodes a query. Throws a 400 for unknown, repeated and empty parameters and for broken encodings. */
export function readHistoryQuery(raw: string, allowed: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of raw.split('&')) {
    if (part === '') continue
    const mark = part.indexOf('=')
    const name = decode(mark < 0 ? part : part.slice(0, mark))
    const value = mark < 0 ? '' : decode(part.slice(mark + 1))
    if (!allowed.includes(name)) throw new Refusal(`unknown query parameter \`${name.slice(0, 100)}\``)
    if (found.has(name)) throw new Refusal(`repeated query parameter \`${name}\``)
    if (value === '') throw new Refusal(`empty query parameter \`${name}\``)
    found.set(name, value)
  }
  return found
}

/** Reads limit and cursor. `binding` is what the cursor must have been made for: route, owner and filters. */
export function readPage(query: ReadonlyMap<string, string>, binding: readonly string[]): Page {
  const limit = query.get('limit') ?? '50'
  if (!/^[0-9]{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
    throw new Refusal('limit must be between 1 and 100')
  const cursor = query.get('cursor')
  return { limit: Number(limit), after: cursor === undefined ? undefined : readCursor(cursor, binding) }
}

/**
 * Cuts a page out of rows in newest-first order that start after the page's cursor, and makes the next cursor. Rows that
 * appear later are newer, so they never shift a page.
 */
export function cutPage<Row extends Place>(
  rows: readonly Row[],
  page: Page,
  binding: readonly string[],
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return { shown, next: last !== undefined && rows.length > page.limit ? writeCursor(last, binding) : null }
}

/** A digest that stands for a text which is not shown; null for none. */
export function reference(text: string | null) {
  if (text === null) return null
  return { digest: `sha256:${createHash('sha256').update(text).digest('hex')}`, redacted: true }
}

function writeCursor({ created_at, id }: Place, binding: readonly string[]): string {
  return Buffer.from(JSON.stringify([digest(binding), created_at, id])).toString('base64url')
}

function readCursor(cursor: string, binding: readonly string[]): Place {
  const invalid = new Refusal('the cursor does not belong to this owner and these filters')
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw invalid
  }
  if (!Array.isArray(parts) || parts.length !== 3) throw invalid
  const [bound, createdAt, id] = parts as unknown[]
  if (bound !== digest(binding) || typeof createdAt !== 'string' || typeof id !== 'string') throw invalid
  return { created_at: createdAt as Instant, id }
}

function digest(binding: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(binding)).digest('base64url')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refusal('broken percent encoding in the query')
  }
}
