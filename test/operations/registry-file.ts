// A registry file for tests: several openings of one file, with time and ids that tests decide.
import { believed } from '../support/believed-clock.ts'
import type { ClockWitness } from '../../src/timing/clock-witness.ts'
import type { CheckLimits } from '../../src/operations/sound-file.ts'
import { openRegistry, type OpenedRegistry } from '../../src/operations/open-registry.ts'
import { createRegistry, type Registry } from '../../src/operations/registry.ts'
import type { CallIdentity } from '../../src/identity/call-identity.ts'
import type { OperationRow, SpendTool } from '../../src/operations/row.ts'
import type { SpendAsk } from '../../src/operations/spend-turn.ts'
import { openDatabase, type SqliteDatabase } from '../../src/storage/database.ts'
import { createRandom } from '../simulation/random.ts'
import { VirtualTime } from '../simulation/virtual-time.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The identity of a Codex call. */
export function codex(callId: string) {
  const none = { claudeToolUseId: null, hubuInvocationId: null, controlledInstallationId: null, taskId: null }
  return { platform: 'codex', harnessCallId: callId, codexCallId: callId, ...none }
}

/** One call of a spend tool. */
export function ask(identity: CallIdentity, tool: SpendTool, args: object): SpendAsk {
  return {
    identity,
    tool,
    args: args as Record<string, unknown>,
    buyer: { client: 'test', connection: Buffer.alloc(16) },
  }
}

export class RegistryFile implements Disposable {
  readonly folder = tempFolder()
  readonly path = this.folder.file('registry.sqlite3')
  readonly #random = createRandom('registry file')
  readonly time = new VirtualTime(this.#random)
  readonly #databases: SqliteDatabase[] = []

  /** The wall clock, which tests may set wrong. */
  clockOffsetMs = 0

  /** From which size on the file is checked elsewhere than in place. */
  limits: CheckLimits | undefined

  /** By default the wall clock is believed. */
  witness: ClockWitness | undefined

  now(): Date {
    return new Date(Date.UTC(2026, 10, 29) + this.time.nowMs + this.clockOffsetMs)
  }

  /** Time and ids, as everything that works on this file takes them. */
  get settings() {
    const { next: random, hex: randomHex } = this.#random
    return { clock: this.time.clock(() => this.now().getTime()), random, randomHex }
  }

  /** Opens a path as a process does; by default this file's. */
  async tryOpen(statePath: string | undefined = this.path): Promise<OpenedRegistry> {
    const opening = openRegistry({ ...this.settings, statePath, ...(this.limits && { limits: this.limits }) })
    let opened: OpenedRegistry | undefined
    void opening.then((result) => {
      opened = result
    })
    for (let i = 0; i < 20 && opened === undefined; i++) await this.time.pass(i === 0 ? 0 : 500)
    const result = await opening
    if (result.kind === 'available') this.#databases.push(result.database)
    return result
  }

  /** Opens the registry as one more process; `through` puts something before the file. */
  async open(through = (database: SqliteDatabase) => database): Promise<Registry> {
    const opened = await this.tryOpen()
    if (opened.kind !== 'available') throw new Error(`${opened.reason}: ${String(opened.cause)}`)
    const settings = { ...this.settings, witness: this.witness ?? believed(this.settings.clock) }
    return createRegistry({ ...settings, ...opened, database: through(opened.database) })
  }

  /** Runs a statement beside every process. */
  sql<T = OperationRow>(statement: string, ...values: unknown[]): T[] {
    const database = openDatabase(this.path)
    try {
      const prepared = database.prepare(statement)
      if (prepared.reader) return prepared.all(...values) as T[]
      prepared.run(...values)
      return []
    } finally {
      database.close()
    }
  }

  row(handle?: string): OperationRow {
    const rows = this.sql(
      'select * from harness_operations where operation_handle = coalesce(?, operation_handle)',
      handle ?? null,
    )
    if (rows[0] === undefined || rows.length > 1) throw new Error(`${rows.length} rows`)
    return rows[0]
  }

  [Symbol.dispose](): void {
    for (const database of this.#databases) if (database.open) database.close()
    this.folder[Symbol.dispose]()
  }
}
