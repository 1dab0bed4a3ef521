// The embedded Hubu, history routes included, over HTTP on loopback. Its state in one SQLite file.
import { randomUUID } from 'node:crypto'
import { migrate, openDatabase } from '../../storage/database.ts'
import { withFaults } from '../faults/inject.ts'
import { createFaultPlan } from '../faults/plan.ts'
import { listen, type HttpAnswer, type HttpListener, type HttpRequest } from '../http/listen.ts'
import { prepareChecks } from './authenticate.ts'
import { expireHolds } from './budgets/holds.ts'
import { dispatch, refused } from './dispatch.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Hubu, Stamp } from './hubu.ts'
import type { LogEntry } from './log.ts'
import { checkLeases, defaultLeases, type LeaseConfiguration } from './leases.ts'
import { Refusal } from './refusal.ts'
import { openRows } from './rows.ts'
import { schemaSteps } from './schema.ts'
import { instantOf, systemClock, writeInstant } from './time/instant.ts'
import { ensureOwner } from './users/users.ts'

export type { LeaseConfiguration } from './leases.ts'

/** How to run a Hubu. Address defaults to a free port of 127.0.0.1; clock and ids default to the system's. */
export interface HubuOptions {
  databasePath: string
  host?: string
  port?: number
  stamp: Stamp
  /** Pairwise different secrets. `admin` opens `/sandbox/faults` (faults/inject.ts); without it there is no such route. */
  tokens: { api: string; approval: string; reconciliation: string; admin?: string }
  now?: () => Date
  randomUuid?: () => string
  leases?: LeaseConfiguration
  /** Hears of every answered request but healthy health checks. */
  log?: (entry: LogEntry) => void
}

/** A running server. `close` lets the answers in the making go out and closes the file. */
export interface RunningHubu {
  url: string
  port: number
  close(): Promise<void>
}

/**
 * Starts a Hubu on its file, which is created if it is missing. Overdue holds are expired first. Rejects when the
 * tokens or leases are unusable, the file cannot be opened or the address is taken.
 */
export async function startHubu(options: HubuOptions): Promise<RunningHubu> {
  const checks = prepareChecks(options.tokens)
  const { hubu, close } = openHubu(options)
  let listener: HttpListener
  try {
    hubu.rows.immediately(() => {
      ensureOwner(hubu)
      expireHolds(hubu.rows, hubu.now())
    })
    // The handling itself is synchronous, so state changes are serialized while connections are read side by side.
    const commit = createGroupCommit(hubu.rows)
    const handle = withFaults((request: HttpRequest) => commit(() => dispatch(hubu, checks, request)), {
      plan: createFaultPlan(),
      adminToken: options.tokens.admin,
      answers: { json, error: (status) => json(status, { error: 'injected error' }) },
    })
    listener = await listen({
      host: options.host,
      port: options.port,
      handle: async (request) => {
        const answer = await handle(request)
        const { method, path } = request
        if (path !== '/health' || answer.status !== 200)
          options.log?.({ at: writeInstant(hubu.now()), method, path, status: answer.status })
        return answer
      },
      refuse: (reason) => refused(new Refusal(reason)),
    })
  } catch (error) {
    close()
    throw error
  }
  return {
    url: listener.url,
    port: listener.port,
    async close() {
      await listener.close()
      close()
    },
  }
}

function json(status: number, body: unknown): HttpAnswer {
  return { status, body: JSON.stringify(body) }
}

/** Opens the state of a Hubu without serving it. */
export function openHubu(options: Pick<HubuOptions, 'databasePath' | 'stamp' | 'now' | 'randomUuid' | 'leases'>): {
  hubu: Hubu
  close(): void
} {
  const leases = checkLeases(options.leases ?? defaultLeases)
  const database = openDatabase(options.databasePath)
  try {
    migrate(database, schemaSteps)
  } catch (error) {
    database.close()
    throw error
  }
  const { now } = options
  const hubu: Hubu = {
    rows: openRows(database),
    now: now === undefined ? systemClock() : () => instantOf(now()),
    randomUuid: options.randomUuid ?? randomUUID,
    leases,
    stamp: options.stamp,
  }
  return { hubu, close: () => database.close() }
}
