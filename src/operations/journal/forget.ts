// A person has the texts of purchases erased: reasons, arguments, what an approval showed. Amounts, hashes and times stay.
import type { Clock } from '../../timing/clock.ts'
import { openDatabase } from '../../storage/database.ts'
import { truncateLog } from '../truncate-log.ts'
import { toStored } from '../instants.ts'
import { writeInRegistry, type WrittenByPerson } from './write-entry.ts'

/** Whose texts are meant: those of one operation, or all that were written down before an instant. */
export type Forgettable = { handle: string } | { before: Date }

/** So many entries are erased in one commit, so that no router waits long. */
const slice = 5000

/**
 * Erases the texts and says in the journal that it did; the value is of how many entries. Commitments stay, and without their
 * salts nobody can guess a text back. Side files are emptied as far as routers that use the registry let us.
 */
export function forgetTexts(
  statePath: string | undefined,
  which: Forgettable,
  uid: number | null,
  clock: Pick<Clock, 'nowMs'>,
): WrittenByPerson<number> {
  let count = 0
  for (;;) {
    const written = forgetSlice(statePath, which, uid, clock)
    if (written.kind === 'not_written') return written
    count += written.value
    if (written.value < slice) break
  }
  if (count > 0) emptySideFiles(statePath!)
  return { kind: 'written', value: count }
}

function forgetSlice(
  statePath: string | undefined,
  which: Forgettable,
  uid: number | null,
  clock: Pick<Clock, 'nowMs'>,
): WrittenByPerson<number> {
  return writeInRegistry(statePath, clock, ({ database, journal }) => {
    const ofOne = 'handle' in which
    const no = ofOne ? journal.numberOf(which.handle) : undefined
    if (ofOne && no === undefined) return 0
    const condition = ofOne ? 'operation = ?' : "entry ->> '$.at' < ?"
    const erased = database
      .prepare<[number | string], number>(
        `update operation_journal set opening = null where seq in
           (select seq from operation_journal where opening is not null and ${condition} order by seq limit ${slice})
         returning seq`,
      )
      .pluck()
      .all(ofOne ? no! : toStored(which.before))
    if (erased.length === 0) return 0
    const members = { from_seq: Math.min(...erased), to_seq: Math.max(...erased), count: erased.length, uid }
    journal.append(no ?? 0, { kind: 'forgotten', members })
    return erased.length
  })
}

function emptySideFiles(statePath: string): void {
  const database = openDatabase(statePath, { secureDelete: true })
  try {
    truncateLog(database)
  } finally {
    database.close()
  }
}
