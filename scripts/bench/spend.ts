// What a spend costs: the first delivery, the same one again, many at once, and the look at its status.
import path from 'node:path'
import type { Pool } from 'undici'
import { openDatabase } from '../../src/storage/database.ts'
import { atMost, median, timed, type BenchRow } from './row.ts'
import type { RouterProcess } from './router-process.ts'

const spends = 150
const parallel = 16
const bursts = 9

/** The floor is the bare POST on a new connection, as a spend uses, plus two commits to a file of the same kind. */
export async function benchSpend(router: RouterProcess, pool: Pool, folder: string): Promise<BenchRow[]> {
  const database = openDatabase(path.join(folder, 'floor.sqlite3'))
  database.exec('create table rows (id integer primary key, text text)')
  const commit = database.transaction(() => database.prepare('insert into rows (text) values (?)').run('x'.repeat(600)))
  const bare = async (n: number) => {
    commit.immediate()
    const operationKey = `floor-${n}`.padEnd(40, '0')
    const body = JSON.stringify({ ...spend, operation_key: operationKey, task_id: null })
    const headers = { 'content-type': 'application/json' }
    await (await pool.request({ method: 'POST', path: '/spend/authorize', body, headers })).body.text()
    commit.immediate()
  }
  const times = { floor: [] as number[], first: [] as number[], again: [] as number[], status: [] as number[] }
  for (let n = 0; n < spends; n++) {
    times.floor.push(await timed(() => bare(n)))
    times.first.push(await timed(() => authorize(router, `call-${n}`)))
    times.again.push(await timed(() => authorize(router, `call-${n}`)))
    times.status.push(await timed(() => status(router)))
  }
  const burstMs: number[] = []
  for (let n = 0; n < bursts; n++)
    burstMs.push(
      await timed(() =>
        Promise.all(Array.from({ length: parallel }, (_, at) => authorize(router, `burst-${n}-${at}`))),
      ),
    )
  database.close()
  const row = { floor: median(times.floor), unit: 'ms' } as const
  const what = 'the bare POST plus two commits'
  return [
    atMost(3, { ...row, name: 'one spend', value: median(times.first) }, what),
    atMost(1, { ...row, name: 'the same, delivered again', value: median(times.again) }, what),
    atMost(1, { ...row, name: 'the status of a spend', value: median(times.status) }, what),
    atMost(3, { ...row, name: `${parallel} spends at once, each`, value: median(burstMs) / parallel }, what),
  ]
}

const spend = { account_id: 'a', amount_cents: 1, reason: 'bench' }
const handles = new WeakMap<RouterProcess, string>()

/** Authorizes a spend under a call id and keeps its handle for `status`. Throws when it was not decided. */
export async function authorize(router: RouterProcess, callId: string): Promise<void> {
  const reply = await call(router, 'hubu_authorize_spend', { ...spend, reason: callId }, { callId })
  const handle = reply.result?.structuredContent?.operation_handle
  if (typeof handle !== 'string') throw new Error(`a spend was not decided: ${JSON.stringify(reply).slice(0, 300)}`)
  handles.set(router, handle)
}

/** Asks for the state of the spend that was authorized last. */
export function status(router: RouterProcess): Promise<unknown> {
  return call(router, 'hubu_operation_status', { operation_handle: handles.get(router) })
}

interface Reply {
  result?: { structuredContent?: Record<string, unknown> }
}

/** One tool call. */
export function call(router: RouterProcess, name: string, args: object, meta?: object): Promise<Reply> {
  return router.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) }) as Promise<Reply>
}
