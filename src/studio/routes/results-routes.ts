// Stored results: what is kept, piece by piece, and the files in it.
import { createHash } from 'node:crypto'
import type { OkPage, FoundPage } from '#generated/types/router.js'
import { blobsIn } from '../../results/blobs.ts'
import { chunkBytes } from '../../results/chunker.ts'
import { findText } from '../../results/find.ts'
import { pageReadBytes, toPage } from '../../results/page.ts'
import { prepareStatements, type Statements, type StoredResult } from '../../results/statements.ts'
import { readBytes } from '../../results/stored-bytes.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import { quotedLabel, quotedText } from '../../terminal/quoted-text.ts'
import { securityHeaders } from '../http/answer.ts'
import { StudioError } from '../http/error-codes.ts'
import { formed, oneOf, wholeNumber } from '../http/query.ts'
import { offOf } from '../files/our-files.ts'
import { writeOn } from './export.ts'
import type { StudioRooms } from './rooms.ts'
import { get, json, post, written, type StudioCall, type StudioRoute } from './route.ts'

const pageBudgetBytes = 32 * 1024
const findBudgetBytes = 16 * 1024
const shownLimitBytes = 64 * 1024 * 1024
const keptMs = 24 * 60 * 60 * 1000

export const resultsRoutes: readonly StudioRoute[] = [
  get('/api/results', list, {
    server: formed(/^[\w.-]{1,64}$/),
    tool: formed(/^[\w./-]{1,128}$/),
    cursor: formed(/^\d{1,16}\.[0-9a-f]{32}$/),
    limit: wholeNumber(1, 100),
  }),
  get('/api/results/CALL', async ({ rooms, ids: [id] }) => {
    const result = await resultOf(rooms, id!)
    const files =
      result.totalBytes > shownLimitBytes
        ? []
        : filesIn(await wholeOf(rooms, result)).map(({ mediaType, bytes, shown }, at) => ({
            number: at + 1,
            mediaType: quotedLabel(mediaType),
            bytes: bytes.length,
            shown,
          }))
    return json({ state: 'ready', result: rowOf(result), files, isShown: result.totalBytes <= shownLimitBytes })
  }),
  get(
    '/api/results/CALL/page',
    async ({ rooms, ids: [id], query }) => {
      const { cursor = 0, encoding = 'utf8' } = query as { cursor?: number; encoding?: 'utf8' | 'base64' }
      const result = await resultOf(rooms, id!)
      if (cursor > result.totalBytes) throw new StudioError('bad_request')
      const bytes = await piece(rooms, result, cursor, pageReadBytes(pageBudgetBytes))
      const page = toPage({ result, cursor, encoding, budgetBytes: pageBudgetBytes }, bytes)
      if (page === undefined) throw new StudioError('bad_request')
      return json({ ...(page.structuredContent as OkPage), shown: quotedText(bytesText(page.structuredContent)) })
    },
    { cursor: wholeNumber(0, Number.MAX_SAFE_INTEGER), encoding: oneOf('utf8', 'base64') },
  ),
  post(
    '/api/results/CALL/find',
    async ({ rooms, ids: [id], body }) => {
      const { text, cursor } = body as { text: string; cursor: number }
      const result = await resultOf(rooms, id!)
      if (text === '' || !Number.isSafeInteger(cursor) || cursor < 0 || cursor > result.totalBytes)
        throw new StudioError('bad_request')
      const search = { result, text, cursor, budgetBytes: findBudgetBytes }
      const found = await findText(search, (from, count) => piece(rooms, result, from, count))
      const { matches, nextCursor, done } = found.structuredContent as FoundPage
      const places = matches.map(({ offset, context }) => ({ at: offset, context: quotedText(context) }))
      return json({ places, nextCursor, done })
    },
    { text: 'string', cursor: 'number' },
  ),
  get('/api/results/CALL/bytes', async ({ rooms, ids: [id], response }) => {
    const result = await resultOf(rooms, id!)
    if ((await hashOf(rooms, result)) !== result.sha256) throw new StudioError('damaged')
    response.writeHead(200, bytesHead(`${id}.json`, result.totalBytes))
    for (let at = 0; at < result.totalBytes; at += chunkBytes) {
      const bytes = await piece(rooms, result, at, chunkBytes)
      if (!(await writeOn(response, bytes))) break
    }
    response.end()
    return written
  }),
  get('/api/results/CALL/files/NUMBER', async ({ rooms, ids: [id, number], response }) => {
    const result = await resultOf(rooms, id!)
    if (result.totalBytes > shownLimitBytes) throw new StudioError('not_found')
    const file = filesIn(await wholeOf(rooms, result))[Number(number) - 1]
    if (file === undefined) throw new StudioError('not_found')
    response.writeHead(200, bytesHead(`${id}-${number}`, file.bytes.length))
    response.end(file.bytes)
    return written
  }),
]

function bytesHead(name: string, bytes: number): Record<string, string> {
  return {
    ...securityHeaders,
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Length': String(bytes),
  }
}

const bytesText = (page: unknown): string => (page as OkPage).data

const prepared = new WeakMap<SqliteDatabase, Statements>()

function statementsOf(database: SqliteDatabase): Statements {
  const known = prepared.get(database) ?? prepareStatements(database)
  prepared.set(database, known)
  return known
}

async function list({ rooms, query }: StudioCall) {
  const { server, tool, cursor, limit = 50 } = query as Record<string, string> & { limit?: number }
  const [, atMs, callId] = /^(\d+)\.([0-9a-f]{32})$/.exec(cursor ?? '') ?? []
  const nowMs = rooms.clock.nowMs()
  const looked = await rooms.files.results.look((database) => {
    const statements = statementsOf(database)
    const found: StoredResult[] = []
    let after = atMs === undefined ? undefined : { createdAtMs: Number(atMs), callId: callId! }
    for (;;) {
      const page = statements.list(nowMs, limit + 1, { after })
      found.push(...page.filter((one) => (!server || one.server === server) && (!tool || one.tool === tool)))
      after = page.at(-1)
      if (page.length <= limit || found.length > limit) break
    }
    return { found, calls: cursor === undefined ? statements.listDetached(nowMs - keptMs) : [] }
  })
  if (looked.kind === 'fault') return json(offOf('results', looked.fault))
  const { found, calls } = looked.value
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return json({
    state: 'ready',
    items: shown.map(rowOf),
    calls: calls.slice(0, 100).map((call) => ({
      callId: call.callId,
      server: quotedLabel(call.server),
      tool: quotedLabel(call.tool),
      state: call.endKind ?? 'running',
      startedAt: new Date(call.startedAtMs).toISOString(),
      endedAt: call.endedAtMs === null ? null : new Date(call.endedAtMs).toISOString(),
      bytes: call.resultBytes,
    })),
    next: last !== undefined && found.length > limit ? `${last.createdAtMs}.${last.callId}` : null,
  })
}

function rowOf(result: StoredResult) {
  return {
    callId: result.callId,
    server: quotedLabel(result.server),
    tool: quotedLabel(result.tool),
    bytes: result.totalBytes,
    sha256: result.sha256,
    mediaType: result.mediaType === null ? null : quotedLabel(result.mediaType),
    isError: result.isError,
    createdAt: new Date(result.createdAtMs).toISOString(),
    expiresAt: new Date(result.expiresAtMs).toISOString(),
  }
}

async function resultOf({ files, clock }: StudioRooms, callId: string): Promise<StoredResult> {
  const looked = await files.results.look((database) => statementsOf(database).find(callId, clock.nowMs()))
  if (looked.kind === 'fault' || looked.value === undefined) throw new StudioError('not_found')
  return looked.value
}

/** Throws StudioError: it is gone, or damaged. */
async function piece({ files }: StudioRooms, result: StoredResult, from: number, count: number): Promise<Buffer> {
  const looked = await files.results.look((database) => readBytes(statementsOf(database), result, from, count))
  if (looked.kind === 'fault') throw new StudioError(looked.fault === 'unreadable' ? 'damaged' : 'not_found')
  return looked.value
}

async function wholeOf(rooms: StudioRooms, result: StoredResult): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let at = 0; at < result.totalBytes; at += chunkBytes) parts.push(await piece(rooms, result, at, chunkBytes))
  return Buffer.concat(parts)
}

async function hashOf(rooms: StudioRooms, result: StoredResult): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < result.totalBytes; at += chunkBytes) {
    hash.update(await piece(rooms, result, at, chunkBytes))
    await rooms.clock.turn()
  }
  return hash.digest('hex')
}

const pictures: [mediaType: string, start: RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
]

/** The files in a result; `shown` is the type of a picture by its own first bytes, whatever it is called. */
function filesIn(bytes: Buffer): { mediaType: string; bytes: Buffer; shown: string | null }[] {
  try {
    return blobsIn(bytes.toString()).map((blob) => {
      const start = blob.bytes.toString('latin1', 0, 16)
      const shown = pictures.find(([, form]) => form.test(start))?.[0] ?? null
      return { ...blob, shown }
    })
  } catch {
    return []
  }
}
