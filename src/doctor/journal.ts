// What the journal of purchases says of itself: that it is kept, its size, and what it lacks.
import type { SqliteDatabase } from '../storage/database.ts'
import { hasJournalTables } from '../operations/added-tables.ts'
import { findOperationsIn } from '../operations/find/find.ts'
import { readRegistry } from '../operations/read-registry.ts'
import { ok, warning, type Finding } from './finding.ts'

const largeBytes = 1024 ** 3
/** What happened is sealed within a fraction of a second while a router runs. */
const sealedWithinMs = 5 * 60_000
const dayMs = 24 * 60 * 60_000

/** Findings about the journal of a registry that can be read; none for one that cannot, of which its own check tells. */
export function checkJournal(statePath: string | undefined, now: Date): Finding[] {
  const read = readRegistry(statePath, (database) => (hasJournalTables(database) ? look(database, now) : undefined))
  if (read.kind === 'unreadable') return []
  if (read.value === undefined) return [ok('journal', 'no journal is kept in this registry')]
  const { entries, bytes, missing, lastAt, behind, doubtful } = read.value
  const size = `${entries} entries, ${(bytes / 1024 ** 2).toFixed(1)} MiB`
  const findings = [
    bytes >= largeBytes
      ? warning('journal', `it is large: ${size}`, 'Keep room for it and its backups; nothing has to be done at once.')
      : ok('journal', size),
  ]
  if (missing > 0)
    findings.push(
      warning(
        'journal gap',
        `${missing} operations are not in it: they are older than it, or a router of another release made them`,
        'Update every router that uses this registry.',
      ),
    )
  if (behind > 0 && lastAt !== null && now.getTime() - Date.parse(lastAt) > sealedWithinMs)
    findings.push(
      warning(
        'journal',
        `${behind} operations have changed and nothing was written since ${lastAt}`,
        'Start a router on this registry.',
      ),
    )
  if (doubtful > 0)
    findings.push(
      warning(
        'purchases in doubt',
        `of ${doubtful} purchases of the last day nobody knows whether they were paid; equal ones may be refused`,
        'Look at them with hubu-unified-mcp operations find --answer unknown --check.',
      ),
    )
  return findings
}

function look(database: SqliteDatabase, now: Date) {
  const one = <T>(sql: string) => database.prepare(sql).pluck().get() as T
  const since = new Date(now.getTime() - dayMs)
  return {
    entries: one<number>('select count(*) from operation_journal'),
    bytes: one<number>('select coalesce(sum(length(entry) + coalesce(length(opening), 0)), 0) from operation_journal'),
    missing: one<number>(
      'select max(0, (select count(*) from harness_operations) - (select count(*) from operation_journal where operation = seq))',
    ),
    lastAt: one<string | null>(`select entry ->> '$.at' from operation_journal order by seq desc limit 1`) ?? null,
    behind: one<number>(`select count(*) from harness_operations join operation_facts using (operation_handle)
      where is_final = 0 and max(created_at, coalesce(result_recorded_at, ''), coalesce(operation_updated_at, ''))
        > (select entry ->> '$.at' from operation_journal order by seq desc limit 1)`),
    doubtful: findOperationsIn(database, { answer: 'unknown', since, limit: 1000 }, now).operations.length,
  }
}
