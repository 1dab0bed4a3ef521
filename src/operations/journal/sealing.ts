// One step of sealing at a time: what is due for some operations, and which operations something is due for.
import type { SqliteDatabase } from '../../storage/database.ts'
import { dateOf, type Clock } from '../../timing/clock.ts'
import type { OperationRow } from '../row.ts'
import type { RegistryAccess } from '../transaction.ts'
import type { Deliveries } from './deliveries.ts'
import { isLive } from '../money.ts'
import { dueEntries, isOver } from './due.ts'
import { createFacts, finalAfterMs, type OpenOperation, type Remembered } from './facts.ts'
import type { Journal } from './journal.ts'

/** An operation, and the number of its first entry. */
export interface NumberedOperation {
  no: number
  handle: string
}

/** Where sealing reads and writes. */
export interface SealingOptions {
  database: SqliteDatabase
  access: RegistryAccess
  journal: Journal
  deliveries: Pick<Deliveries, 'answerOf' | 'forget'>
  /** Texts as well, or only amounts and hashes. */
  hasTexts: boolean
  clock: Pick<Clock, 'nowMs'>
  /** 32 hex digits, independent at every call. */
  salt(): string
  /** What this process remembers of an operation; asked inside the commit. */
  rememberedOf(handle: string): Remembered | undefined
}

/** The steps of sealing. Each rejects when the file cannot be read or written. */
export interface Sealing {
  /** Appends what is due for these operations, in one commit. Whatever is there already is not appended again. */
  seal(handles: readonly string[]): Promise<void>
  /** The number of the last entry. */
  newest(): Promise<number>
  /** Operations that were opened after an entry and have no facts yet. */
  missing(afterNo: number): Promise<NumberedOperation[]>
  /** Operations that are not final, oldest first, after a number: a batch of them. */
  open(afterNo: number): Promise<OpenOperation[]>
  /** Those of these operations for which something is due. One that has not changed since the last look is not looked at again. */
  behind(operations: readonly OpenOperation[]): Promise<OpenOperation[]>
  /** Tells in the journal how many operations began without a first entry, when that was not told before. */
  noteGap(): Promise<void>
}

/** More marks than this are not kept: a few megabytes. */
const mostMarks = 20_000

/** Creates the steps of sealing in an opened file whose journal exists. */
export function createSealing(options: SealingOptions): Sealing {
  const { database, access, journal, deliveries, hasTexts, clock, salt, rememberedOf } = options
  const now = () => dateOf(clock)
  const facts = createFacts(database)
  const rowOf = database.prepare<[string], OperationRow>('select * from harness_operations where operation_handle = ?')
  const rowsWithoutFacts = database
    .prepare<[], number>('select (select count(*) from harness_operations) - (select count(*) from operation_facts)')
    .pluck()
  const newest = database.prepare<[], number | null>('select max(seq) from operation_journal').pluck()
  const lastGap = database
    .prepare<[], number>(
      `select entry ->> '$.gap' from operation_journal where operation = 0 and entry ->> '$.kind' = 'resumed'
       order by seq desc limit 1`,
    )
    .pluck()

  const sealOne = (handle: string): void => {
    const row = rowOf.get(handle)
    const no = row && journal.numberOf(handle)
    if (row === undefined || no === undefined) return
    const answer = deliveries.answerOf(handle)
    for (const entry of dueEntries(row, journal.entriesOf(no), answer, { hasTexts, salt })) journal.append(no, entry)
    const entries = journal.entriesOf(no)
    const written = facts.write({ row, entries, answer, remembered: rememberedOf(handle), now: now() })
    if (written?.is_final === 1) deliveries.forget(handle)
  }

  /** The marks of operations for which nothing was due. */
  const upToDate = new Map<number, string>()
  const isOld = (createdAt: string) => now().getTime() - Date.parse(createdAt) > finalAfterMs

  const isBehind = ({ no, handle, mark, createdAt }: OpenOperation): boolean => {
    if (upToDate.get(no) === mark && !isOld(createdAt)) return false
    if (isAnythingDue(no, handle)) return true
    if (upToDate.size >= mostMarks) upToDate.clear()
    upToDate.set(no, mark)
    return false
  }

  const isAnythingDue = (no: number, handle: string): boolean => {
    const row = rowOf.get(handle)
    if (row === undefined) return false
    const entries = journal.entriesOf(no)
    if (dueEntries(row, entries, deliveries.answerOf(handle), { hasTexts: false, salt }).length > 0) return true
    const known = facts.find(handle)
    return known?.is_final === 0 && isOld(row.created_at) && isOver(row, isLive(row, now()))
  }

  return {
    seal: (handles) =>
      access.transact(() => {
        for (const handle of handles) sealOne(handle)
      }),
    newest: () => access.read(() => newest.get() ?? 0),
    missing: (afterNo) => access.read(() => facts.missing(afterNo)),
    open: (afterNo) => access.read(() => facts.open(afterNo)),
    behind: (operations) => access.read(() => operations.filter(isBehind)),
    noteGap: async () => {
      // What was opened a moment ago has its entry, and no facts yet.
      const gap = await access.read(() => (rowsWithoutFacts.get() ?? 0) - facts.missing(0).length)
      if (gap > 0 && gap !== ((await access.read(() => lastGap.get())) ?? 0))
        await access.transact(() => journal.append(0, { kind: 'resumed', members: { gap } }))
    },
  }
}
