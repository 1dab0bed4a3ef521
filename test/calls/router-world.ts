// Router processes in this process: the real rooms on a real registry file, with scripted backends and time that tests move.
import { testCaller } from '../support/caller.ts'
import { believed } from '../support/believed-clock.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createWaitingDelivery } from '../../src/calls/waiting-delivery.ts'
import { plainRules, type SpendRules } from '../../src/operations/spend-rules.ts'
import { startApprovalWorker } from '../../src/operations/waiting/approval-worker.ts'
import { toGongbuExecutions } from '../../src/calls/worker-executions.ts'
import { createMonitor } from '../../src/capabilities/monitor.ts'
import { RouterError } from '../../src/errors/router-error.ts'
import { openRegistry } from '../../src/operations/open-registry.ts'
import { createRegistry, type Registry } from '../../src/operations/registry.ts'
import type { OperationRow } from '../../src/operations/row.ts'
import { startWorker } from '../../src/operations/worker.ts'
import type { Worker } from '../../src/operations/worker-loop.ts'
import { Secret } from '../../src/redaction/secret.ts'
import type { SqliteDatabase } from '../../src/storage/database.ts'
import { registryDown, registryUp, stamp } from '../capabilities/world.ts'
import { createRandom } from '../simulation/random.ts'
import { VirtualTime } from '../simulation/virtual-time.ts'
import { contractCalls, testSpendCall } from '../support/contract-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { ScriptedGongbu } from './scripted-gongbu.ts'
import { ScriptedHubu } from './scripted-hubu.ts'
import type { Clock } from '../../src/timing/clock.ts'

/** The arguments of an ordinary spend. */
export const args = { account_id: 'account-1', amount_cents: 25, reason: 'test' }

/** The arguments of an ordinary create. */
export const create = {
  adapter: 'fixture',
  input: { image_count: 1, prompt: 'circle' },
  input_schema_version: 1,
  model: 'fixture-v1',
  provider: 'fixture',
  schema_version: 2,
  spend_auth_token_id: 'tok-1',
  workload_type: 'image_generation',
}

/** What a call came to. */
export interface Outcome {
  result?: { structuredContent: Record<string, unknown>; isError?: boolean; content: { text: string }[] }
  error?: { code: number; message: string; data?: Record<string, unknown> }
  /** Everything the agent sees. */
  bytes: string
}

/** One router process. */
export interface TestRouter {
  call(name: string, callArgs: object, meta?: unknown): Promise<Outcome>
  registry: Registry | null
  worker: Worker | undefined
  /** Ends without any goodbye: what waits, waits for ever, and the file is closed. */
  kill(): void
}

export interface RouterOptions {
  /** Off: the process has no worker, so that the file stays as the calls left it. */
  hasWorker?: boolean
  /** On: the process asks Hubu again for what waits for a human, between the answers that a test scripts. */
  completesWaiting?: boolean
  hasGongbu?: boolean
  hasRegistry?: boolean
  tickMs?: number
  /** The plain ones: every harness call is an operation of its own. */
  rules?: Partial<SpendRules>
  spendIdentity?: 'harness' | 'guarded' | 'replace'
  /** Puts something between the rooms and the file. */
  through?(database: SqliteDatabase): SqliteDatabase
}

export class RouterWorld implements Disposable {
  readonly folder = tempFolder()
  readonly statePath = this.folder.file('registry.sqlite3')
  readonly random = createRandom('router world')
  readonly time = new VirtualTime(this.random)
  readonly hubu = new ScriptedHubu()
  readonly gongbu = new ScriptedGongbu(() => this.time.nowMs)
  readonly #open: SqliteDatabase[] = []

  now(): Date {
    return new Date(Date.UTC(2026, 10, 29) + this.time.nowMs)
  }

  /** Starts a process on the world's file. */
  async start(options: RouterOptions = {}): Promise<TestRouter> {
    const { hasGongbu = true, hasRegistry = true, hasWorker = true, tickMs = 1000 } = options
    const { time, hubu, gongbu, random } = this
    const life = { isOver: false }
    const clock = time.clock(
      () => this.now().getTime(),
      () => life.isOver,
    )
    const registry = hasRegistry ? await this.#registry(clock, options) : null
    const monitor = createMonitor({
      probes: { hubu: () => hubu.client().probe(), ...(hasGongbu && { gongbu: () => gongbu.client().probe() }) },
      stamp,
      registry: registry ? registryUp : registryDown,
      baseIntervalMs: 1000,
      clock,
      random: random.next,
    })
    await monitor.initialSnapshot()
    const worker = registry && hasWorker ? this.#worker(registry, hasGongbu, tickMs, clock) : undefined
    const rooms = {
      monitor,
      hubu: hubu.client(),
      gongbu: hasGongbu ? gongbu.client() : undefined,
      registry: () => registry,
      trustClientApproval: true,
      secrets: [new Secret('hubu-canary')],
      reconciliation: () => ({ kind: 'missing' as const }),
      onAcknowledged: () => worker?.wake(),
      onWaiting: () => waiting?.wake(),
      spendIdentity: options.spendIdentity ?? 'harness',
      clock,
      random: random.next,
    }
    const spendCall = testSpendCall(rooms)
    const waiting =
      registry && options.completesWaiting && spendCall
        ? startApprovalWorker({
            access: registry.waiting.access,
            waiting: registry.waiting.spends,
            deliver: createWaitingDelivery(spendCall),
            clock,
            randomHex: random.hex,
          })
        : undefined
    const handle = contractCalls({ ...rooms, spendCall })
    return {
      registry,
      worker,
      kill: () => {
        life.isOver = true
        registry?.close()
      },
      call: async (name, callArgs, meta) => {
        const findings = { duplicateKey: false, protoKey: false, depth: 3, inexactNumber: false }
        const source = {
          cause: { kind: 'request' as const, id: {} },
          signal: new AbortController().signal,
          ...testCaller,
        }
        const params = { name, arguments: callArgs, ...(meta !== undefined && { _meta: meta }) }
        try {
          const said = await handle(params, findings, source)
          const bytes = said.json ?? JSON.stringify(said)
          return { result: JSON.parse(bytes) as NonNullable<Outcome['result']>, bytes }
        } catch (fault) {
          const error = RouterError.from(fault).toWire()
          return { error, bytes: JSON.stringify(error) }
        }
      },
    }
  }

  /** The rows of the file, the oldest first. */
  rows(): OperationRow[] {
    return this.sql<OperationRow>('select * from harness_operations order by created_at, harness_call_id')
  }

  /** The only row. */
  row(): OperationRow {
    const [row, ...more] = this.rows()
    if (row === undefined || more.length > 0) throw new Error(`${more.length + (row ? 1 : 0)} rows`)
    return row
  }

  /** Runs one statement on the file, beside every process. */
  sql<T>(statement: string, ...values: unknown[]): T[] {
    const database = openDatabase(this.statePath)
    try {
      const prepared = database.prepare(statement)
      if (prepared.reader) return prepared.all(...values) as T[]
      prepared.run(...values)
      return []
    } finally {
      database.close()
    }
  }

  [Symbol.dispose](): void {
    for (const database of this.#open) if (database.open) database.close()
    this.folder[Symbol.dispose]()
  }

  async #registry(clock: Clock, options: RouterOptions): Promise<Registry> {
    const rules = { ...plainRules, ...options.rules }
    const settings = { clock, random: this.random.next, randomHex: this.random.hex, rules }
    const journalOf = rules.journal === 'off' ? undefined : stamp
    const opened = await openRegistry({ ...settings, journalOf, statePath: this.statePath })
    if (opened.kind !== 'available') throw new Error(opened.reason)
    this.#open.push(opened.database)
    const database = options.through?.(opened.database) ?? opened.database
    return createRegistry({ ...settings, ...opened, database, witness: believed(clock) })
  }

  #worker(registry: Registry, hasGongbu: boolean, tickMs: number, clock: Clock): Worker {
    return startWorker({
      operations: registry.worker,
      gongbu: hasGongbu ? toGongbuExecutions(this.gongbu.client()) : null,
      tickMs,
      clock,
    })
  }
}
