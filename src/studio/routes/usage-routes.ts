// What was called through the routers, how often, how long.
import { readUsage } from '../../stats/report.ts'
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import { quotedLabel } from '../../terminal/quoted-text.ts'
import { offOf } from '../files/our-files.ts'
import { formed, oneOf } from '../http/query.ts'
import { beginExport, csvLine, writeOn } from './export.ts'
import type { StudioRooms } from './rooms.ts'
import { get, json, written, type StudioCall, type StudioRoute } from './route.ts'

const windowsMs = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '90d': 7_776_000_000 }
type Window = keyof typeof windowsMs
const windows = oneOf(...(Object.keys(windowsMs) as Window[]))
const buckets = 48
const newest = 50

export const usageRoutes: readonly StudioRoute[] = [
  get('/api/usage/export', exportUsage, { format: oneOf('csv', 'jsonl'), since: windows }),
  get('/api/usage', async ({ rooms, query }) => json(await usageOf(rooms, query)), {
    since: windows,
    server: formed(/^[\w.-]{1,64}$/),
  }),
]

/** Durations fall into classes of at most an eighth of their size, so that SQLite counts and nothing is sorted here. */
const durationClass =
  'case when duration_ms < 16 then duration_ms ' +
  Array.from({ length: 20 }, (_, at) => 2 ** (at + 4))
    .map((size) => `when duration_ms < ${size * 2} then duration_ms / ${size / 8} * ${size / 8}`)
    .join(' ') +
  ' else 16777216 end'

async function usageOf({ files, clock }: StudioRooms, query: Record<string, unknown>) {
  const { since = '24h', server } = query as { since?: Window; server?: string }
  const sinceMs = clock.nowMs() - windowsMs[since]
  const bucketMs = windowsMs[since] / buckets
  const looked = await files.results.look((database) => {
    const report = readUsage(database, { sinceMs, ...(server !== undefined && { server }), recent: newest })
    return { report, ...distributions(database, sinceMs, server ?? null, bucketMs) }
  })
  if (looked.kind === 'fault') return offOf('results', looked.fault)
  const { report, byTool, byBucket } = looked.value
  const { totals, servers, tools, recent } = report
  return {
    state: 'ready' as const,
    totals,
    servers: servers.map((row) => ({ ...row, server: quotedLabel(row.server) })),
    tools: tools.map((row) => ({
      ...row,
      server: quotedLabel(row.server),
      tool: quotedLabel(row.tool),
      namespaced: quotedLabel(row.namespaced),
      ...percentiles(byTool.get(`${row.server}\n${row.tool}`) ?? []),
    })),
    errors: [{ class: 'error', calls: totals.errors }].filter(({ calls }) => calls > 0),
    saved: Math.max(0, Math.floor((totals.received_bytes - totals.sent_bytes) / 4)),
    series: [...byBucket].map(([at, { calls, errors, classes }]) => ({
      at: new Date(sinceMs + at * bucketMs).toISOString(),
      calls,
      errors,
      p95: percentiles(classes).p95,
    })),
    recent: recent.map((row) => ({ ...row, tool: quotedLabel(row.tool) })),
  }
}

type Classes = { ms: number; calls: number }[]

function distributions(database: SqliteDatabase, sinceMs: number, server: string | null, bucketMs: number) {
  const where = 'where at_ms >= :sinceMs and (:server is null or server = :server)'
  const toolRows = prepareOnce(
    database,
    `select server, tool, ${durationClass} as ms, count(*) as calls from tool_call ${where} group by 1, 2, 3 order by 3`,
  ).all({ sinceMs, server }) as { server: string; tool: string; ms: number; calls: number }[]
  const byTool = new Map<string, Classes>()
  for (const row of toolRows) {
    const name = `${row.server}\n${row.tool}`
    byTool.set(name, [...(byTool.get(name) ?? []), row])
  }
  const bucketRows = prepareOnce(
    database,
    `select cast((at_ms - :sinceMs) / :bucketMs as integer) as bucket, ${durationClass} as ms, count(*) as calls,
       sum(1 - is_ok) as errors from tool_call ${where} group by 1, 2 order by 1, 2`,
  ).all({ sinceMs, server, bucketMs }) as { bucket: number; ms: number; calls: number; errors: number }[]
  const byBucket = new Map<number, { calls: number; errors: number; classes: Classes }>()
  for (const { bucket, ms, calls, errors } of bucketRows) {
    const known = byBucket.get(bucket) ?? { calls: 0, errors: 0, classes: [] }
    known.calls += calls
    known.errors += errors
    known.classes.push({ ms, calls })
    byBucket.set(bucket, known)
  }
  return { byTool, byBucket }
}

function percentiles(classes: Classes): { p50: number; p95: number; p99: number } {
  const all = classes.reduce((sum, { calls }) => sum + calls, 0)
  const at = (part: number) => {
    let passed = 0
    for (const { ms, calls } of classes) if ((passed += calls) >= all * part) return ms
    return 0
  }
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

async function exportUsage({ rooms, query, response }: StudioCall) {
  const { format = 'csv', since } = query as { format?: 'csv' | 'jsonl'; since?: Window }
  const view = await usageOf(rooms, since === undefined ? {} : { since })
  if (view.state === 'off') return json(view)
  beginExport(response, 'usage', format)
  const plain = (quoted: { parts: ({ t: string } | { u: string })[] }) =>
    quoted.parts.map((part) => ('t' in part ? part.t : `<U+${part.u}>`)).join('')
  const rows = view.tools.map((row) => [
    plain(row.server),
    plain(row.tool),
    row.calls,
    row.errors,
    row.p50,
    row.p95,
    row.p99,
  ])
  const head = ['server', 'tool', 'calls', 'errors', 'p50_ms', 'p95_ms', 'p99_ms']
  const text =
    format === 'csv'
      ? `\ufeff${csvLine(head)}${rows.map(csvLine).join('')}`
      : view.tools.map((row) => `${JSON.stringify(row)}\n`).join('')
  await writeOn(response, text)
  response.end()
  return written
}
