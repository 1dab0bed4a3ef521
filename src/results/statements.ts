import type { SqliteDatabase } from '../storage/database.ts'

/** One stored result, without its bytes. Times are milliseconds since 1970. */
export interface StoredResult {
  callId: string
  /** Whose it is. */
  principal: string
  server: string
  tool: string
  isError: boolean
  mediaType: string | null
  createdAtMs: number
  expiresAtMs: number
  totalBytes: number
  sha256: string
}

/** One call that runs or ran in the background. */
export interface DetachedRow {
  callId: string
  /** Whose it is. */
  principal: string
  server: string
  tool: string
  publicName: string
  startedAtMs: number
  /** By then it has ended, whoever ran it. */
  latestEndMs: number
  endedAtMs: number | null
  /** The finished result as JSON text. */
  result: string | null
  error: string | null
  /** Null while it runs. */
  endKind: 'result' | 'failed' | 'cancelled' | 'outcome_unknown' | null
  /** The process that ran it: by its own random name, its host and its id there. */
  owner: string
  host: string
  processId: number
}

/** The same without what it brought: only its size, null when nothing is kept, and whether its tool called it an error. */
export type DetachedFacts = Omit<DetachedRow, 'result' | 'error'> & { resultBytes: number | null; isError: boolean }

/** What is known of a result before its bytes are. */
export type ResultHeader = Pick<
  StoredResult,
  'callId' | 'principal' | 'server' | 'tool' | 'isError' | 'mediaType' | 'createdAtMs' | 'expiresAtMs'
>

/** What is known of a result once it is stored whole. */
export type CompletedFacts = Pick<StoredResult, 'totalBytes' | 'sha256' | 'createdAtMs' | 'expiresAtMs'>

/** Every query on the results file, prepared once. All of them take one step of bounded length. */
export interface Statements {
  begin(header: ResultHeader): void
  addChunk(callId: string, sequence: number, bytes: Uint8Array): void
  /** Makes a result readable; false when its header is gone. */
  complete(callId: string, facts: CompletedFacts): boolean
  /** A result of this principal that is complete and not expired; without one: of anybody. */
  find(callId: string, nowMs: number, principal?: string): StoredResult | undefined
  chunk(callId: string, sequence: number): Buffer | undefined
  /** Complete results that are not expired, newest first, after the one given; without a principal those of all. */
  list(
    nowMs: number,
    count: number,
    how: { principal?: string | undefined; after?: { createdAtMs: number; callId: string } | undefined },
  ): StoredResult[]
  /** Some result that may go: expired, or left unfinished. */
  expired(nowMs: number): string | undefined
  /** Any result at all. */
  any(): string | undefined
  /** Removes up to `count` chunks of a result, its last first, and with the last of them its header; says how many. */
  remove(callId: string, count: number): number
  freePages(): number
  /** Writes a call as it stands now. */
  putDetached(row: DetachedRow): void
  findDetached(callId: string): DetachedRow | undefined
  /** Calls that are not over since before `sinceMs`, newest first. */
  listDetached(sinceMs: number): DetachedFacts[]
  /** Removes ended calls of before `sinceMs`, all but the newest `count` of each principal, and calls that must have ended long ago. */
  pruneDetached(sinceMs: number, count: number): void
  /** Gives up to `pages` free pages back to the file system; how many are still free. */
  shrink(pages: number): number
}

const columns = `call_id as callId, principal, server, tool, is_error as isError, media_type as mediaType,
  created_at_ms as createdAtMs, expires_at_ms as expiresAtMs, total_bytes as totalBytes, sha256`

const detachedColumns = `call_id as callId, principal, server, tool, public_name as publicName, started_at_ms as startedAtMs,
  latest_end_ms as latestEndMs, ended_at_ms as endedAtMs, end_kind as endKind, owner, host, process_id as processId`

/** Prepares the statements on an opened and migrated file. */
export function prepareStatements(database: SqliteDatabase): Statements {
  const begin = database.prepare(
    `insert into stored_result (call_id, principal, server, tool, is_error, media_type, created_at_ms, expires_at_ms)
     values (@callId, @principal, @server, @tool, @isError, @mediaType, @createdAtMs, @expiresAtMs)`,
  )
  const addChunk = database.prepare('insert into result_chunk (call_id, sequence, bytes) values (?, ?, ?)')
  const complete = database.prepare(
    `update stored_result
     set total_bytes = @totalBytes, sha256 = @sha256, created_at_ms = @createdAtMs, expires_at_ms = @expiresAtMs
     where call_id = @callId and sha256 is null`,
  )
  const find = database.prepare(
    `select ${columns} from stored_result
     where call_id = @callId and sha256 is not null and expires_at_ms > @nowMs and principal = coalesce(@principal, principal)`,
  )
  const chunk = database.prepare('select bytes from result_chunk where call_id = ? and sequence = ?').pluck()
  const listed = (whose: string) =>
    database.prepare(
      `select ${columns} from stored_result
       where ${whose} sha256 is not null and expires_at_ms > @nowMs and (created_at_ms, call_id) < (@createdAtMs, @callId)
       order by created_at_ms desc, call_id desc limit @count`,
    )
  const listAll = listed('')
  const listOwn = listed('principal = @principal and')
  const expired = database.prepare('select call_id from stored_result where expires_at_ms <= ? limit 1').pluck()
  const any = database.prepare('select call_id from stored_result limit 1').pluck()
  const lastSequence = database.prepare('select max(sequence) from result_chunk where call_id = ?').pluck()
  const removeChunks = database.prepare('delete from result_chunk where call_id = ? and sequence > ?')
  const removeHeader = database.prepare('delete from stored_result where call_id = ?')
  const freePages = () => database.pragma('freelist_count', { simple: true }) as number
  const putDetached = database.prepare(
    `insert or replace into detached_call values (@callId, @server, @tool, @publicName, @startedAtMs, @latestEndMs,
       @endedAtMs, @result, @error, @owner, @host, @processId, @endKind, @principal)`,
  )
  const findDetached = database.prepare(`select ${detachedColumns}, result, error from detached_call where call_id = ?`)
  const listDetached = database.prepare(
    `select ${detachedColumns}, octet_length(result) as resultBytes,
       coalesce(json_valid(result) and json_extract(result, '$.isError'), 0) as isError
     from detached_call where coalesce(ended_at_ms, latest_end_ms) >= ? order by started_at_ms desc, call_id`,
  )
  const pruneDetached = database.prepare(
    `delete from detached_call where coalesce(ended_at_ms, latest_end_ms) < @sinceMs or call_id in (
       select call_id from (
         select call_id, row_number() over (partition by principal order by ended_at_ms desc, call_id) as place
         from detached_call where ended_at_ms is not null)
       where place > @count)`,
  )
  // SQLite has no booleans.
  const withFlag = <Row extends { isError: boolean }>(row: Row): Row => ({ ...row, isError: Boolean(row.isError) })
  return {
    begin: (header) => void begin.run({ ...header, isError: Number(header.isError) }),
    addChunk: (callId, sequence, bytes) => void addChunk.run(callId, sequence, bytes),
    complete: (callId, facts) => complete.run({ callId, ...facts }).changes === 1,
    find: (callId, nowMs, principal) => {
      const row = find.get({ callId, nowMs, principal: principal ?? null }) as StoredResult | undefined
      return row && withFlag(row)
    },
    chunk: (callId, sequence) => chunk.get(callId, sequence) as Buffer | undefined,
    list: (nowMs, count, { principal, after = { createdAtMs: Number.MAX_SAFE_INTEGER, callId: '' } }) => {
      const { createdAtMs, callId } = after
      const bounds = { nowMs, count, createdAtMs, callId }
      const rows = principal === undefined ? listAll.all(bounds) : listOwn.all({ ...bounds, principal })
      return (rows as StoredResult[]).map(withFlag)
    },
    expired: (nowMs) => expired.get(nowMs) as string | undefined,
    any: () => any.get() as string | undefined,
    remove: (callId, count) => {
      const last = (lastSequence.get(callId) as number | null) ?? -1
      const removed = removeChunks.run(callId, last - count).changes
      if (last < count) removeHeader.run(callId)
      return removed
    },
    freePages,
    putDetached: (row) => void putDetached.run(row),
    findDetached: (callId) => findDetached.get(callId) as DetachedRow | undefined,
    listDetached: (sinceMs) => (listDetached.all(sinceMs) as DetachedFacts[]).map(withFlag),
    pruneDetached: (sinceMs, count) => void pruneDetached.run({ sinceMs, count }),
    shrink: (pages) => {
      database.pragma(`incremental_vacuum(${pages})`)
      return freePages()
    },
  }
}
