// The sandbox's Hubu and Gongbu in the test's own process: what they know survives every kill of a router.
import { readFileSync } from 'node:fs'
import type { OperationRow } from '../../src/operations/row.ts'
import { startGongbu } from '../../src/sandbox/gongbu/server.ts'
import { seedHubu } from '../../src/sandbox/hubu/seed.ts'
import { startHubu } from '../../src/sandbox/hubu/server.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { testStamp } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { slowWire, type SlowWire } from './slow-wire.ts'

const tokens = { api: 'hubu-token', approval: 'approval-token', reconciliation: 'reconciliation-token' }
const gongbuToken = 'gongbu-token'
const policyYaml = 'id: open\nversion: "1"\ndefault_effect: allow\nrules: []\n'

/** How the routers on one registry file reach the backends. */
export interface Way {
  hubu: SlowWire
  gongbu: SlowWire
  /** The environment of such a router. */
  env: Record<string, string>
}

/** Both backends, how a router reaches them, and what they have done. */
export interface GovernedBackends extends AsyncDisposable {
  accountId: string
  folder: string
  /** A way of its own to both backends, for the routers on one registry file. */
  way(registry: string): Promise<Way>
  /** Amounts of the payments on Hubu's ledger, in cents, in order. */
  payments(): Promise<number[]>
  /** How many executions Hubu has settled. */
  settlements(): Promise<number>
  /** Spend requests that Hubu has answered. */
  spendRequests(): number
}

/** Starts both; `delayMs` is how long each piece of data takes between a router and them. */
export async function governedBackends(delayMs: () => number): Promise<GovernedBackends> {
  const folder = tempFolder()
  const databasePath = folder.file('hubu.sqlite3')
  let spends = 0
  const hubu = await startHubu({
    databasePath,
    stamp: testStamp,
    tokens,
    log: ({ method, path }) => void (method === 'POST' && /^\/spend(\/authorize)?$/.test(path) && spends++),
  })
  const seeded = await seedHubu(
    { databasePath, stamp: testStamp },
    { username: 'human', agentName: 'agent', policyYaml, budgetCents: 1_000_000_000 },
  )
  const gongbu = await startGongbu({
    databasePath: folder.file('gongbu.sqlite3'),
    artifactFolder: folder.file('artifacts'),
    stamp: testStamp,
    callerToken: gongbuToken,
    hubu: { url: hubu.url, token: tokens.api },
  })
  const wires: SlowWire[] = []
  const ask = async (path: string) => {
    const response = await fetch(`${hubu.url}${path}`, { headers: { authorization: `Bearer ${tokens.api}` } })
    return (await response.json()) as { transactions: { entries: { direction: string; amount_cents: number }[] }[] }
  }
  return {
    accountId: seeded.accountId,
    folder: folder.path,
    async way(registry) {
      const [toHubu, toGongbu] = [await slowWire(hubu.url, delayMs), await slowWire(gongbu.url, delayMs)]
      wires.push(toHubu, toGongbu)
      const env = {
        PATH: process.env.PATH ?? '',
        XDG_CONFIG_HOME: folder.path,
        XDG_DATA_HOME: folder.path,
        HUBU_UNIFIED_HUBU_ENDPOINT: toHubu.url,
        HUBU_UNIFIED_HUBU_BEARER_TOKEN: tokens.api,
        HUBU_UNIFIED_GONGBU_ENDPOINT: toGongbu.url,
        HUBU_UNIFIED_GONGBU_BEARER_TOKEN: gongbuToken,
        HUBU_UNIFIED_OPERATION_STATE_PATH: registry,
        HUBU_UNIFIED_OPERATION_TICK_MS: '20',
      }
      return { hubu: toHubu, gongbu: toGongbu, env }
    },
    payments: async () =>
      (await ask('/ledger')).transactions.map(({ entries }) => {
        const debit = entries.find(({ direction }) => direction === 'debit')
        return debit?.amount_cents ?? Number.NaN
      }),
    settlements: () => {
      const database = openDatabase(databasePath)
      const count = database.prepare('select count(*) from settlements').pluck().get() as number
      database.close()
      return Promise.resolve(count)
    },
    spendRequests: () => spends,
    async [Symbol.asyncDispose]() {
      for (const wire of wires) await wire[Symbol.asyncDispose]()
      await gongbu.close()
      await hubu.close()
      folder[Symbol.dispose]()
    },
  }
}

/** The rows of a registry file, beside whoever uses it. */
export function rowsOf(registry: string): OperationRow[] {
  const database = openDatabase(registry)
  try {
    return database.prepare<[], OperationRow>('select * from harness_operations').all()
  } finally {
    database.close()
  }
}

/** Whether any of a registry's files holds this text. */
export function isOnDisk(registry: string, text: string): boolean {
  return ['', '-wal', '-shm'].some((side) => {
    try {
      return readFileSync(registry + side).includes(text)
    } catch {
      return false
    }
  })
}
