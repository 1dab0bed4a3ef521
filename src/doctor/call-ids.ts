import { metaToolDefinitions } from '#generated/meta-tools.js'
import { findTool } from '../catalog/catalog.ts'
import { looksRepeating } from '../operations/guard/repeating-ids.ts'
import type { SqliteDatabase } from '../storage/database.ts'
import { warning, type Finding } from './finding.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The clients whose call ids repeat, as far as a registry tells: by what was refused within a day, and by their latest ids. */
export function platformsWithRepeatingIds(database: SqliteDatabase, nowMs: number): string[] {
  const hasRefusals = database.prepare("select 1 from sqlite_schema where name = 'guard_refusals'").get() !== undefined
  const reused = hasRefusals
    ? database
        .prepare<[string], string>(
          "select distinct platform from guard_refusals where reason = 'id_reused' and refused_at > ? and platform is not null",
        )
        .pluck()
        .all(new Date(nowMs - dayMs).toISOString())
    : []
  const latest = database
    .prepare<[], { platform: string; id: string }>(
      `select platform, harness_call_id as id from harness_operations where platform <> 'guarded'
       order by created_at desc limit 200`,
    )
    .all()
  const shaped = latest.filter(({ id }) => looksRepeating(id, isToolName))
  return [...new Set([...reused, ...shaped.map(({ platform }) => platform)])].sort()
}

const isToolName = (name: string): boolean =>
  findTool(name) !== undefined || metaToolDefinitions.some((tool) => tool.name === name)

/** What is said of one of them. */
export function repeatingIds(platform: string): Finding {
  return warning(
    'call ids',
    `those of ${platform} seem to repeat: a second purchase gets the answer of the first one, or is refused`,
    'Make that client send another id with every call, or set HUBU_UNIFIED_IDENTITY=replace in its entry.',
  )
}
