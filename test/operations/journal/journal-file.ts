// A registry file with its journal, opened by any number of processes, with time that tests move.
import { addTables } from '../../../src/operations/added-tables.ts'
import { createJournal } from '../../../src/operations/journal/journal.ts'
import { openedEntry } from '../../../src/operations/journal/opened.ts'
import { createSealer } from '../../../src/operations/journal/sealer.ts'
import type { OperationRow } from '../../../src/operations/row.ts'
import { createRegistryAccess } from '../../../src/operations/transaction.ts'
import { canonicalJson, requestHash } from '../../../src/json/canonical.ts'
import { openDatabase, type SqliteDatabase } from '../../../src/storage/database.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { intact } from '../../support/intact-file.ts'
import { RegistryFile } from '../registry-file.ts'

/** Everything but the digits has a default, so that a test names only what it is about. */
export interface Purchase {
  digits: string
  args?: Record<string, unknown>
  tool?: string
  platform?: string
  callId?: string
  principal?: string
}

export const someArgs = { account_id: 'aga_1', amount_cents: 25, reason: 'a poster' }
export const handleOf = (digits: string) => `hubu:public-operation:v1:${digits.padStart(32, '0')}`

export class JournalFile implements Disposable {
  readonly clock = new FakeClock()
  readonly registry = new RegistryFile()
  readonly warnings: string[] = []
  #database: SqliteDatabase | undefined
  readonly #opened: SqliteDatabase[] = []
  #salts = 0

  get database(): SqliteDatabase {
    if (this.#database === undefined) throw new Error('not begun')
    return this.#database
  }

  /** Makes the file with its tables. */
  async begin(hasJournal = true): Promise<void> {
    const opened = await this.registry.tryOpen()
    if (opened.kind !== 'available') throw new Error(opened.reason)
    this.#database = opened.database
    const { database } = opened
    database.transaction(() => addTables(database, { hasJournal })).immediate()
  }

  /** The parts of one process on this file. */
  process(database = this.another()) {
    const { clock } = this
    const journal = createJournal(database, clock)
    const wait = { clock: new FakeClock({ sleepMs: (ms) => ms }), random: () => 0 }
    const access = createRegistryAccess(database, wait, intact)
    const salt = () => String(++this.#salts).padStart(32, '0')
    const warn = (message: string) => void this.warnings.push(message)
    const sealer = createSealer({ database, access, journal, hasTexts: true, clock, salt, warn })
    return { database, journal, access, sealer, salt }
  }

  another(): SqliteDatabase {
    const database = openDatabase(this.registry.path)
    this.#opened.push(database)
    return database
  }

  /** Allocates an operation with its first entry, in one commit. */
  buy(
    { journal, database, salt }: ReturnType<JournalFile['process']>,
    { digits, args = someArgs, tool = 'hubu_authorize_spend', ...more }: Purchase,
  ): string {
    const handle = handleOf(digits)
    const { platform = 'codex', callId = digits, principal = 'local' } = more
    const argsText = canonicalJson(args)
    const hash = requestHash(tool, argsText)
    const at = new Date(this.clock.nowMs()).toISOString()
    database.transaction(() => {
      database
        .prepare(
          `insert into harness_operations (platform, installation_id, harness_call_id, request_hash, tool_name, operation_key,
             operation_handle, dispatch_started_at, created_at)
           select ?, installation_id, ?, ?, ?, ?, ?, ?, ? from installation_identity`,
        )
        .run(platform, callId, hash, tool, `hubu:operation:v1:${platform}:${digits}`, handle, at, at)
      const operation = { handle, tool, platform, requestHash: hash, args, argsText, happenedAt: at }
      const keeping = { hasTexts: true, redact: (text: string) => text, salt }
      const identity = platform === 'guarded' ? 'guarded' : 'harness'
      journal.open(handle, openedEntry({ ...operation, identity }, { principal, client: 'test' }, keeping))
    })()
    return handle
  }

  /** Changes a row as the registry would, and stamps the time of it. */
  change(handle: string, members: Partial<OperationRow>): void {
    const names = Object.keys(members)
    this.database
      .prepare(
        `update harness_operations set ${names.map((name) => `${name} = :${name}`).join()} where operation_handle = :handle`,
      )
      .run({ ...members, handle })
  }

  /** Stores an answer of Hubu. */
  answer(handle: string, result: Record<string, unknown>): void {
    const { decision, auth_token_id = null } = result as { decision: OperationRow['decision']; auth_token_id?: string }
    this.change(handle, {
      decision,
      auth_token_id,
      result_json: JSON.stringify(result),
      result_recorded_at: new Date(this.clock.nowMs()).toISOString(),
    })
  }

  /** Every entry, parsed, oldest first. */
  entries(): Record<string, unknown>[] {
    const texts = this.database.prepare('select entry from operation_journal order by seq').pluck().all() as string[]
    return texts.map((text) => JSON.parse(text) as Record<string, unknown>)
  }

  texts(): string[] {
    return this.database.prepare('select entry from operation_journal order by seq').pluck().all() as string[]
  }

  facts(handle: string): Record<string, unknown> | undefined {
    return this.database.prepare('select * from operation_facts where operation_handle = ?').get(handle) as never
  }

  [Symbol.dispose](): void {
    for (const database of this.#opened) database.close()
    this.registry[Symbol.dispose]()
  }
}
