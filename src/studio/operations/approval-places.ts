// Which operation an approval belongs to. The registry has no index for that, so it is looked through once, and then kept up.
import type { SqliteDatabase } from '../../storage/database.ts'
import { prepareOnce } from '../../storage/kept-database.ts'
import type { Clock } from '../../timing/clock.ts'
import type { KeptFile } from '../files/kept-file.ts'
import { sliceRows } from './places.ts'

/** An operation that was ever put to a human. */
export interface AskedOperation {
  approvalId: string
  handle: string
  createdAt: string
}

/** Finds operations by approvals. */
export interface ApprovalPlaces {
  /** Looks at what is new; a registry that cannot be read leaves what is known. */
  catchUp(): Promise<void>
  handleOf(approvalId: string): string | undefined
  /** Every one, the newest first. */
  all(): readonly AskedOperation[]
}

const most = 100_000

export function createApprovalPlaces(registry: KeptFile, clock: Pick<Clock, 'turn'>): ApprovalPlaces {
  let known = new Map<string, AskedOperation>()
  /** Rows that Hubu has not answered yet: they may still be put to a human. */
  let open = new Set<number>()
  let highest = 0
  let identity: string | undefined
  let catching: Promise<void> | undefined

  function forget(): void {
    known = new Map()
    open = new Set()
    highest = 0
  }

  function take(rows: readonly Row[]): void {
    for (const { place, approvalId, decision, handle, createdAt } of rows) {
      highest = Math.max(highest, place)
      if (decision === null) open.add(place)
      else open.delete(place)
      if (approvalId === null) continue
      known.set(approvalId, { approvalId, handle, createdAt })
      if (known.size > most) known.delete(known.keys().next().value!)
    }
  }

  async function run(): Promise<void> {
    const present = registry.version()?.split('/')[0]
    if (present !== identity) forget()
    identity = present
    for (;;) {
      const looked = await registry.look((database) => {
        take(openRows(database, [...open]))
        const rows = rowsAfter(database, highest)
        take(rows)
        return rows.length
      })
      if (looked.kind === 'fault' || looked.value < sliceRows) return
      await clock.turn()
    }
  }

  return {
    catchUp: () => (catching ??= run().finally(() => (catching = undefined))),
    handleOf: (approvalId) => known.get(approvalId)?.handle,
    all: () => [...known.values()].reverse(),
  }
}

interface Row {
  place: number
  approvalId: string | null
  decision: string | null
  handle: string
  createdAt: string
}

/** The time lies behind the stored result, so it is read only where somebody is asked. */
const columns = `rowid as place, approval_request_id as approvalId, decision, operation_handle as handle,
  case when approval_request_id is null then '' else created_at end as createdAt`

function rowsAfter(database: SqliteDatabase, place: number): Row[] {
  const sql = `select ${columns} from harness_operations where rowid > ? order by rowid limit ${sliceRows}`
  return prepareOnce(database, sql).all(place) as Row[]
}

function openRows(database: SqliteDatabase, places: readonly number[]): Row[] {
  if (places.length === 0) return []
  const sql = `select ${columns} from harness_operations where rowid in (select value from json_each(?))`
  return prepareOnce(database, sql).all(JSON.stringify(places)) as Row[]
}
