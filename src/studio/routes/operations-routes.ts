// Operations: lists, one with its story, and all of them as a file.
import { findOperationsIn } from '../../operations/find/find.ts'
import { timelineBefore } from '../../operations/find/timeline.ts'
import { reportsOn } from '../../operations/find/report.ts'
import { hidePrivateKeys } from '../../redaction/private-operation.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import { dateOf } from '../../timing/clock.ts'
import { offOf } from '../files/our-files.ts'
import { StudioError } from '../http/error-codes.ts'
import { formed, instant, oneOf, wholeNumber, type QueryOf } from '../http/query.ts'
import { operationOf, operationsPage, WrongCursor, type OperationsQuery } from '../operations/page.ts'
import { sawOf } from '../views/saw.ts'
import type { Moment } from '../views/shown.ts'
import { beginExport, csvLine, writeOn } from './export.ts'
import type { StudioRooms } from './rooms.ts'
import { get, json, written, type StudioCall, type StudioRoute } from './route.ts'

const states = [
  ...(['awaiting_hubu_result', 'approval_required', 'authorized', 'accepted', 'queued'] as const),
  ...(['dispatching', 'reconciling', 'succeeded', 'failed'] as const),
] as const

const filters = {
  state: oneOf(...states),
  tool: formed(/^[a-z0-9_]{1,64}$/),
  platform: formed(/^[\w.-]{1,64}$/),
  code: formed(/^[a-z0-9_]{1,128}$/),
  from: instant,
  to: instant,
  q: formed(/^[\w.:-]{4,255}$/),
}
const listQuery = { ...filters, cursor: formed(/^[\w.-]{1,64}$/), limit: wholeNumber(1, 200) }

export const operationsRoutes: readonly StudioRoute[] = [
  get('/api/operations/export', exportAll, { ...filters, format: oneOf('csv', 'jsonl') }),
  get('/api/operations/DIGITS', one),
  get(
    '/api/operations',
    async ({ rooms, query }) => {
      const page = await pageOf(rooms, query as QueryOf<typeof listQuery>)
      if ('kind' in page) return json(offOf('registry', page.fault))
      return json({ state: 'ready', ...page, counts: await countsOf(rooms) })
    },
    listQuery,
  ),
]

async function pageOf({ files, clock }: StudioRooms, query: OperationsQuery) {
  const looked = await files.registry.look((database) => {
    try {
      return operationsPage(database, query, dateOf(clock), clock)
    } catch (error) {
      if (error instanceof WrongCursor) return 'wrong'
      throw error
    }
  })
  if (looked.kind === 'fault') return looked
  if (looked.value === 'wrong') throw new StudioError('bad_request')
  return looked.value
}

const countedEveryMs = 10_000
const counted = new WeakMap<StudioRooms, { atMs: number; counts: Record<string, number> }>()

/** How many operations are in each state of a worker; those that have none are one number. */
async function countsOf(rooms: StudioRooms): Promise<Record<string, number>> {
  const known = counted.get(rooms)
  const nowMs = rooms.clock.monotonicMs()
  if (known !== undefined && nowMs - known.atMs < countedEveryMs) return known.counts
  const looked = await rooms.files.registry.look(
    (database) =>
      prepareOnce(
        database,
        "select coalesce(operation_state, 'without_worker') as state, count(*) as count from harness_operations group by operation_state",
      ).all() as { state: string; count: number }[],
  )
  if (looked.kind === 'fault') return {}
  const counts = Object.fromEntries(looked.value.map(({ state, count }) => [state, count]))
  counted.set(rooms, { atMs: nowMs, counts })
  return counts
}

async function one({ rooms, ids: [digits] }: StudioCall) {
  const now = dateOf(rooms.clock)
  const looked = await rooms.files.registry.look((database) => {
    const operation = operationOf(database, digits!, now)
    if (operation === undefined) return undefined
    const report = reportsOn(database, digits!, now)[0]
    const { hasJournal } = findOperationsIn(database, { digits: digits!, limit: 1 }, now)
    const result = prepareOnce(database, 'select result_json from harness_operations where operation_handle = ?')
      .pluck()
      .get(operation.handle) as string | null
    const told = report?.timeline ?? []
    const own = told.some(({ in_journal: inJournal }) => inJournal) ? timelineBefore(operation) : []
    const isTold = (word: string) => told.some((step) => step.word === word)
    const timeline: Moment[] = [...told, ...own.filter(({ word }) => word !== 'last change' && !isTold(word))]
      .map(({ at, word, detail, in_journal: inJournal }) => ({
        at,
        kind: word,
        text: inJournal && detail !== '' ? `${word}: ${detail}` : word,
        router: null,
        source: inJournal ? ('journal' as const) : ('registry' as const),
        inferred: false,
      }))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    const { answer, sentence } = report ?? { answer: 'unknown', sentence: '' }
    return { operation, timeline, saw: sawOf(result), hasJournal, answer, sentence }
  })
  if (looked.kind === 'fault') return json(offOf('registry', looked.fault))
  if (looked.value === undefined) throw new StudioError('not_found')
  return json({ state: 'ready', ...looked.value })
}

const mostRows = 100_000
const head = [
  'handle',
  'tool',
  'platform',
  'state',
  'code',
  'amount',
  'currency',
  'approval',
  'execution',
  'created',
  'updated',
]

async function exportAll({ rooms, query, response }: StudioCall) {
  const { format = 'csv', ...filter } = query as QueryOf<typeof filters> & { format?: 'csv' | 'jsonl' }
  const first = await pageOf(rooms, { ...filter, limit: 200 })
  if ('kind' in first) return json(offOf('registry', first.fault))
  beginExport(response, 'operations', format)
  if (format === 'csv') await writeOn(response, `\ufeff${csvLine(head)}`)
  let page = first
  let rows = 0
  for (;;) {
    const text = page.items.map((item) =>
      format === 'jsonl'
        ? `${JSON.stringify(item)}\n`
        : csvLine([
            ...[item.handle, item.tool, item.platform, item.state, item.result?.code ?? null],
            ...[item.amount?.text ?? null, item.amount?.currency ?? null, item.approvalRequestId, item.executionId],
            ...[item.createdAt, item.updatedAt],
          ]),
    )
    rows += text.length
    if (!(await writeOn(response, hidePrivateKeys(text.join(''))))) return written
    if (page.next === null || rows >= mostRows) break
    await rooms.clock.turn()
    const next = await pageOf(rooms, { ...filter, limit: 200, cursor: page.next })
    if ('kind' in next) break
    page = next
  }
  response.end()
  return written
}
