// Who names purchases, and whether that fits the clients that were seen.
import type { SpendSettings } from '../config/spend-settings.ts'
import { hasJournalTables } from '../operations/added-tables.ts'
import { readRegistry } from '../operations/read-registry.ts'
import { ok, warning, type Finding } from './finding.ts'

const dayMs = 24 * 60 * 60_000

/** What the setting allows and what it costs; a warning where the client of this principal was seen sending ids of its own. */
export function checkIdentity(
  statePath: string | undefined,
  { identity, principal, twinWindowMs }: SpendSettings,
  now: Date,
): Finding {
  const check = 'spend identity'
  if (identity === 'harness')
    return ok(check, 'harness: a client that sends an id with each call can spend; the spends of any other are refused')
  const window = `${Math.round(twinWindowMs / 60_000)} minutes`
  const meaning =
    `${identity}: the router names purchases as ${principal}; two equal ones that are both meant become one while the first is open and ` +
    `for ${window} after it, and a person confirms a second one`
  if (identity === 'replace' || !sentIds(statePath, principal, now)) return ok(check, meaning)
  return warning(
    check,
    `${meaning}. A client of ${principal} sent ids of its own within the last day, and with those it would do better`,
    'If its ids are distinct, leave HUBU_UNIFIED_IDENTITY out of its entry; if they repeat, set it to replace.',
  )
}

function sentIds(statePath: string | undefined, principal: string, now: Date): boolean {
  const read = readRegistry(statePath, (database) => {
    if (!hasJournalTables(database)) return false
    const since = new Date(now.getTime() - dayMs).toISOString()
    const named = database.prepare<[string, string]>(
      `select 1 from operation_journal where operation = seq and entry ->> '$.principal' = ? and entry ->> '$.identity' = 'harness'
         and entry ->> '$.happened_at' > ? limit 1`,
    )
    return named.get(principal, since) !== undefined
  })
  return read.kind === 'read' && read.value
}
