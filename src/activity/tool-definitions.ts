// This room is what happens beside the calls and is kept over them: the tools that mounted servers have listed.
import type { SqliteDatabase } from '../storage/database.ts'

/** A tool as its server lists it now; `definition` is canonical JSON, or its beginning where that is very long. */
export interface SeenTool {
  tool: string
  digest: string
  definition: string
}

/** A tool that is another one than the one that was accepted. */
export interface ChangedTool {
  server: string
  tool: string
  /** The version that was accepted last, and the present one; as in SeenTool. */
  accepted: string
  present: string
  /** When the present one was seen first, in milliseconds since 1970. */
  atMs: number
}

/** What a list says about tools that nobody accepted as they are. */
export interface ListedChanges {
  /** Every one of them. */
  changed: string[]
  /** Those that were otherwise when they were listed last. */
  fresh: string[]
}

/** So many versions of a tool are kept, and the one that was accepted last. */
const keptVersions = 20

/** What was listed, in one file for all routers of a person. What was seen first is accepted. Everything throws what SQLite throws. */
export class ToolDefinitions {
  readonly #database: SqliteDatabase
  readonly #latest
  readonly #isAccepted
  readonly #seen
  readonly #trim
  readonly #changed
  readonly #acceptPresent

  constructor(database: SqliteDatabase) {
    this.#database = database
    this.#latest = database.prepare<[string, string], Latest>(
      `select digest, last_seen_ms lastSeenMs, is_accepted isAccepted from tool_definition
       where server = ? and tool = ? order by last_seen_ms desc limit 1`,
    )
    this.#isAccepted = database
      .prepare('select is_accepted from tool_definition where server = ? and tool = ? and digest = ?')
      .pluck()
    this.#seen = database.prepare(
      `insert into tool_definition values (:server, :tool, :digest, :definition, :atMs, :atMs, :isFirst)
       on conflict do update set last_seen_ms = :atMs`,
    )
    this.#trim = database.prepare(trimSql)
    this.#changed = database.prepare<[], ChangedTool>(changedSql)
    this.#acceptPresent = database.prepare(acceptSql)
  }

  /** Takes note of what a server lists. Nothing is written where nothing has changed. */
  note(server: string, tools: readonly SeenTool[], nowMs: number): ListedChanges {
    const isNew = ({ tool, digest }: SeenTool) => this.#latest.get(server, tool)?.digest !== digest
    const fresh = tools.some(isNew) ? this.#write(server, tools.filter(isNew), nowMs) : []
    const changed = tools.filter(({ tool, digest }) => !this.isAccepted(server, tool, digest)).map(({ tool }) => tool)
    return { changed, fresh }
  }

  /** Whether this version of a tool is accepted. */
  isAccepted(server: string, tool: string, digest: string): boolean {
    return this.#isAccepted.get(server, tool, digest) === 1
  }

  /** Every tool whose present definition nobody accepted. */
  changed(): ChangedTool[] {
    return this.#changed.all()
  }

  /** Accepts the present definitions of a server; gives what was accepted by that. */
  accept(server: string): ChangedTool[] {
    return this.#atOnce(() => {
      const accepted = this.changed().filter((one) => one.server === server)
      this.#acceptPresent.run({ server })
      return accepted
    })
  }

  close(): void {
    this.#database.close()
  }

  /** Gives the tools that nobody accepted so. */
  #write(server: string, tools: readonly SeenTool[], nowMs: number): string[] {
    return this.#atOnce(() =>
      tools.flatMap(({ tool, digest, definition }) => {
        const latest = this.#latest.get(server, tool)
        // The order of versions holds also when the clock is set back.
        const atMs = Math.max(nowMs, (latest?.lastSeenMs ?? 0) + 1)
        this.#seen.run({ server, tool, digest, definition, atMs, isFirst: latest === undefined ? 1 : 0 })
        this.#trim.run({ server, tool })
        return this.isAccepted(server, tool, digest) ? [] : [tool]
      }),
    )
  }

  #atOnce<T>(work: () => T): T {
    return this.#database.transaction(work).immediate()
  }
}

interface Latest {
  digest: string
  lastSeenMs: number
  isAccepted: number
}

const present = `last_seen_ms = (select max(last_seen_ms) from tool_definition other
  where other.server = tool_definition.server and other.tool = tool_definition.tool)`

const trimSql = `
  delete from tool_definition where server = :server and tool = :tool
    and digest not in (select digest from tool_definition where server = :server and tool = :tool
      order by last_seen_ms desc limit ${keptVersions})
    and digest is not (select digest from tool_definition where server = :server and tool = :tool and is_accepted = 1
      order by last_seen_ms desc limit 1)`

const changedSql = `
  select server, tool, definition present, first_seen_ms atMs,
    coalesce((select definition from tool_definition accepted where accepted.server = tool_definition.server
      and accepted.tool = tool_definition.tool and is_accepted = 1 order by last_seen_ms desc limit 1), '') accepted
  from tool_definition where is_accepted = 0 and ${present} order by server, tool`

const acceptSql = `update tool_definition set is_accepted = 1 where server = :server and is_accepted = 0 and ${present}`
