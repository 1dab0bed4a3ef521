// Reads a whole journal and says whether it holds together, with itself and with the rows that it tells of.
import type { JournalVerification } from '#generated/types/router.js'
import type { SqliteDatabase } from '../../storage/database.ts'
import type { OperationRow } from '../row.ts'
import { shareable } from './due.ts'
import { commitment, firstLink, linkTo, type Opening } from './entry.ts'

/** Entries that are read together. It stands in the statement, because one whose limit is a parameter is prepared at each run. */
const pageEntries = 1000
/** So many problems are told one by one; further ones are counted. */
const mostProblems = 100
/** Members that commit to a text which may be erased. */
const committed = ['intent', 'result', 'review', 'text'] as const

interface Line {
  seq: number
  operation: number
  entry: string
  opening: Buffer | null
}

type Entry = Record<string, unknown>

/** What the entries of an operation say last, to be held against its row. */
interface Told {
  opened: { seq: number; entry: Entry }
  answered?: { seq: number; entry: Entry; salt?: string }
  finished?: { seq: number; entry: Entry }
}

/** Verifies the journal of a file that has one, in one view of it. Nothing is written. */
export function verifyJournal(database: SqliteDatabase): JournalVerification {
  const check = new Check(database)
  const page = database.prepare<[number], Line>(
    `select seq, operation, entry, opening from operation_journal where seq > ? order by seq limit ${pageEntries}`,
  )
  return database.transaction(() => {
    for (let after = -1; ;) {
      const lines = page.all(after)
      for (const line of lines) check.read(line)
      if (lines.length < pageEntries) return check.finish()
      after = lines.at(-1)!.seq
    }
  })()
}

class Check {
  readonly #rowOf
  readonly #countRows
  /** By the number of its first entry. */
  readonly #told = new Map<number, Told>()
  readonly #handles = new Set<string>()
  readonly #lastOf = new Map<number, number>()
  readonly #problems: JournalVerification['problems'] = []
  readonly #withoutText: { seq: number; operation: number }[] = []
  /** Of one operation, or of all where its number is 0. */
  readonly #forgotten: { operation: number; from: number; to: number }[] = []
  #problemCount = 0
  #entries = 0
  #openings = 0
  #firstAt: string | null = null
  #lastAt: string | null = null
  #head = { seq: 0, link: firstLink }
  #hasHole = false

  constructor(database: SqliteDatabase) {
    this.#rowOf = database.prepare<[string], OperationRow>(
      'select * from harness_operations where operation_handle = ?',
    )
    this.#countRows = database.prepare<[], number>('select count(*) from harness_operations').pluck()
  }

  read({ seq, operation, entry: text, opening }: Line): void {
    this.#entries++
    const before = this.#head
    this.#head = { seq, link: linkTo(text) }
    const follows = seq === before.seq + 1
    if (!follows) {
      this.#hasHole = true
      this.#tell('missing_entry', before.seq + 1, `of the entries before ${seq} there is none after ${before.seq}`)
    }
    const entry = parse(text)
    if (entry === undefined) return this.#tell('broken_link', seq, 'the entry is no JSON object')
    const opPrev = this.#lastOf.get(operation) ?? null
    this.#lastOf.set(operation, seq)
    // What follows a hole cannot be linked to what is gone; the hole is told.
    if (follows && entry.prev !== before.link)
      this.#tell('broken_link', seq, 'it is not linked to the bytes of the entry before')
    else if (entry.seq !== seq || entry.operation !== operation || (entry.op_prev !== opPrev && !this.#hasHole))
      this.#tell('broken_link', seq, 'it says another place than the one where it stands')
    const at = typeof entry.at === 'string' ? entry.at : null
    this.#firstAt ??= at
    this.#lastAt = at ?? this.#lastAt
    if (entry.kind === 'forgotten')
      this.#forgotten.push({ operation, from: Number(entry.from_seq), to: Number(entry.to_seq) })
    const salt = this.#readOpening(seq, operation, entry, opening)
    this.#remember(seq, operation, entry, salt)
  }

  #remember(seq: number, operation: number, entry: Entry, salt: string | undefined): void {
    if (entry.kind === 'opened') {
      const handle = String(entry.handle)
      if (this.#handles.has(handle)) this.#tell('contradiction', seq, 'its operation has a first entry already')
      this.#handles.add(handle)
      this.#told.set(seq, { opened: { seq, entry } })
    }
    const told = this.#told.get(operation)
    if (told !== undefined && entry.kind === 'answered') told.answered = { seq, entry, ...(salt && { salt }) }
    if (told !== undefined && entry.kind === 'finished') told.finished = { seq, entry }
  }

  /** The texts that are kept beside an entry, held against what it commits to. Returns the salt of a result, whose text is in the row. */
  #readOpening(seq: number, operation: number, entry: Entry, opening: Buffer | null): string | undefined {
    const names = committed.filter((name) => typeof entry[name] === 'string' && entry[name].startsWith('sha256:'))
    if (names.length === 0) return undefined
    if (opening === null) return void this.#withoutText.push({ seq, operation })
    this.#openings++
    const kept = parse(opening.toString()) as Record<string, Partial<Opening>> | undefined
    for (const name of names) {
      const { salt, content } = kept?.[name] ?? {}
      const isElsewhere = name === 'result' && content === undefined
      if (typeof salt === 'string' && (isElsewhere || commitment(salt, String(content)) === entry[name])) continue
      this.#tell('opening', seq, `the kept text of ${name} is not the one that it commits to`)
    }
    return kept?.['result']?.content === undefined ? kept?.['result']?.salt : undefined
  }

  finish(): JournalVerification {
    for (const told of this.#told.values()) this.#compare(told)
    const isForgotten = ({ seq, operation }: { seq: number; operation: number }) =>
      this.#forgotten.some((said) => [0, operation].includes(said.operation) && seq >= said.from && seq <= said.to)
    const lost = this.#withoutText.filter((one) => !isForgotten(one))
    for (const { seq } of lost) this.#tell('opening', seq, 'its kept text is gone, and nobody has forgotten it')
    return {
      schema_version: 1,
      holds: this.#problemCount === 0,
      entries: this.#entries,
      first_at: this.#firstAt,
      last_at: this.#lastAt,
      head: this.#entries === 0 ? null : this.#head,
      problems: this.#problems,
      problem_count: this.#problemCount,
      operations_without_entries: Math.max(0, (this.#countRows.get() ?? 0) - this.#handles.size),
      openings: this.#openings,
      forgotten_openings: this.#withoutText.length - lost.length,
    }
  }

  /** A row may be ahead of its entries, by what was not sealed yet. It may not say anything else. */
  #compare({ opened, answered, finished }: Told): void {
    const row = this.#rowOf.get(String(opened.entry.handle))
    if (row === undefined) return this.#tell('contradiction', opened.seq, 'its operation is not in the registry')
    const demand = (isSo: boolean, seq: number, what: string) => {
      if (!isSo) this.#tell('contradiction', seq, `the operation has another ${what}`)
    }
    const { seq, entry } = opened
    demand(entry.tool === row.tool_name && entry.request_hash === row.request_hash, seq, 'request')
    if (finished !== undefined) demand(finished.entry.state === row.operation_state, finished.seq, 'end')
    if (answered === undefined) return
    const isAhead = answered.entry.happened_at !== row.result_recorded_at
    if (!isAhead || answered.entry.decision !== 'needs_approval')
      demand(answered.entry.decision === row.decision, answered.seq, 'decision')
    if (isAhead || answered.salt === undefined || row.result_json === null) return
    const result = parse(row.result_json)
    const isSame = result !== undefined && commitment(answered.salt, shareable(result)) === answered.entry.result
    demand(isSame, answered.seq, 'result')
  }

  #tell(kind: JournalVerification['problems'][number]['kind'], seq: number, detail: string): void {
    this.#problemCount++
    if (this.#problems.length < mostProblems) this.#problems.push({ kind, seq, detail })
  }
}

function parse(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : undefined
  } catch {
    return undefined
  }
}
