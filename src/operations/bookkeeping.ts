// The journal of a registry with everything that stands on it, as the money path uses it.
import type { SqliteDatabase } from '../storage/database.ts'
import { dateOf, type Clock } from '../timing/clock.ts'
import { isLeased } from './dispatch-lease.ts'
import { createGuard, type Guard } from './guard/guard.ts'
import { guardedPlatform } from './guard/identity.ts'
import { createFacts, principalOf } from './journal/facts.ts'
import { createJournal } from './journal/journal.ts'
import { openedEntry, type Buyer, type Keeping } from './journal/opened.ts'
import { createSealer, type Sealer } from './journal/sealer.ts'
import { guardedAs } from './owners.ts'
import type { OperationRow } from './row.ts'
import type { SpendRules } from './spend-rules.ts'
import type { RegistryAccess } from './transaction.ts'

/** What an operation is written down with, besides its row. */
export interface NewPurchase {
  args: Record<string, unknown>
  /** The canonical text of `args`. */
  argsText: string
  /** Of the arguments without their reason; made when it is asked for. */
  nearHash(): Buffer
  buyer: Buyer
}

/** The entries that stand in the commit of what they tell, and what is known of answers. */
export interface Bookkeeping {
  guard: Guard
  sealer: Sealer
  /** Writes an operation's first entry; inside the commit that allocates it. */
  open(row: OperationRow, purchase: NewPurchase): void
  /** Writes that a spend goes to Hubu once more; inside the commit that marks it. The worker's tries are told once. */
  sentAgain(row: OperationRow, isByWorker: boolean): void
  /** Writes that a request may leave for Gongbu; inside the commit that claims it. */
  dispatching(row: OperationRow): void
  /** Something happened to an operation, after its commit. */
  note(handle: string, purchase?: NewPurchase | null): void
  /** Somebody used an answer; it counts as taken where that was its own principal. Looked up beside the call. */
  used(handle: string, principal: string): void
}

/** What the journal of an opened file is kept with. */
export interface BookkeepingOptions {
  database: SqliteDatabase
  access: RegistryAccess
  rules: SpendRules
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'after'>
  /** An instant that has come for certain. */
  provenNow(): Date
  /** 32 lowercase hex digits, independent at every call. */
  randomHex(): string
  /** The text without our secrets; the very same one when it holds none. */
  redact(text: string): string
  /** One sentence for the log. */
  warn(message: string): void
}

/** The bookkeeping of an opened file whose tables exist. */
export function createBookkeeping(options: BookkeepingOptions): Bookkeeping {
  const { database, access, rules, clock, randomHex, redact } = options
  const hasTexts = rules.journal === 'full'
  const journal = createJournal(database, clock)
  const facts = createFacts(database)
  const sealer = createSealer({ ...options, journal, hasTexts, salt: randomHex })
  const keeping: Keeping = { hasTexts, redact, salt: randomHex }
  const guard = createGuard({
    ...options,
    journal,
    deliveries: sealer.deliveries,
    windowMs: rules.twinWindowMs,
    isUnderWay: (row) => isLeased(row, dateOf(clock)),
  })
  const attemptsOf = (no: number, kinds: readonly string[]) =>
    journal.entriesOf(no).filter(({ entry }) => kinds.includes(entry.kind)).length

  return {
    guard,
    sealer,
    open: (row, { args, argsText, buyer }) => {
      const { operation_handle: handle, tool_name: tool, platform, request_hash: requestHash } = row
      const identity = platform === guardedPlatform ? ('guarded' as const) : ('harness' as const)
      const operation = { handle, tool, platform, requestHash, identity, args, argsText, happenedAt: row.created_at }
      journal.open(
        handle,
        openedEntry(operation, { client: buyer.client || platform, principal: buyer.principal }, keeping),
      )
    },
    sentAgain: (row, isByWorker) => {
      const no = journal.numberOf(row.operation_handle)
      if (no === undefined) return
      const kinds = journal.entriesOf(no).map(({ entry }) => entry.kind)
      if (isByWorker && kinds.lastIndexOf('sent') > kinds.lastIndexOf('answered')) return
      const attempt = kinds.filter((kind) => kind === 'sent').length + 2
      journal.append(no, { kind: 'sent', members: { attempt, happened_at: nowText() } })
    },
    dispatching: (row) => {
      const no = journal.numberOf(row.operation_handle)
      if (no === undefined) return
      const attempt = attemptsOf(no, ['dispatching']) + 1
      journal.append(no, { kind: 'dispatching', members: { attempt, happened_at: nowText() } })
    },
    note: (handle, purchase) => {
      sealer.note(handle, purchase ? { connection: purchase.buyer.connection, nearHash: purchase.nearHash } : undefined)
    },
    used: (handle, principal) => {
      if (sealer.deliveries.answerOf(handle)?.delivery === 'taken') return
      const isOurs = () =>
        facts.find(handle)?.answer !== 'taken' &&
        principalOf(handle, facts, journal) === guardedAs({ principal }, rules)
      const tell = (ours: boolean) => ours && sealer.deliveries.used(handle)
      // Where the file cannot be read, the answer counts as not taken, which keeps an equal purchase from being made.
      access.read(isOurs).then(tell, () => {})
    },
  }

  function nowText(): string {
    return dateOf(clock).toISOString()
  }
}
