// `operations verify` and `operations forget`: whether the journal holds together, and the erasing of its texts.
import type { JournalVerification } from '#generated/types/router.js'
import { realClock } from '../../timing/clock.ts'
import { ask } from '../ask.ts'
import type { CliContext } from '../context.ts'
import { parseInstant } from '../../operations/find/filters.ts'
import { oneOperation } from './operations-one.ts'
import { digitsOf } from '../../operations/find/short-handles.ts'
import { fail, print, sentences, type OperationsFlags, type OperationsStreams } from './operations-output.ts'

/** The options of `operations forget`. */
export interface ForgetFlags extends OperationsFlags {
  before?: string
  yes?: boolean
}

/** What the help of `verify` says after the flags. */
export const verifyHelp = `
Each entry of the journal is linked to the bytes of the one before, so a changed or removed entry is found. Entries that were taken off
the end are not found by this alone: keep the head that --json prints, and compare. Whoever can write the file can write a whole new
journal. Nothing is written.

Examples:
  hubu-unified-mcp operations verify --json`

/** What the help of `forget` says after the flags. */
export const forgetHelp = `
Erases what was written down in words: reasons and other arguments, and what approvals showed. Amounts, times and hashes stay, and
so do the stored results, because the same call delivered again gets the same answer for ever.

Examples:
  hubu-unified-mcp operations forget 8e8ca8d0f42a
  hubu-unified-mcp operations forget --before 2026-01-01`

const noJournal = 'This registry keeps no journal.'

/** Prints whether the journal holds; 0 when it does, else 1. */
export async function verifyCommand(
  flags: OperationsFlags,
  statePath: string | undefined,
  streams: OperationsStreams,
): Promise<number> {
  const { readRegistry } = await import('../../operations/read-registry.ts')
  const { hasJournalTables } = await import('../../operations/added-tables.ts')
  const { verifyJournal } = await import('../../operations/journal/verify.ts')
  const read = readRegistry(statePath, (database) => (hasJournalTables(database) ? verifyJournal(database) : undefined))
  if (read.kind === 'unreadable') return fail(streams, sentences[read.reason], 1)
  if (read.value === undefined) return fail(streams, noJournal, 1)
  print(streams, flags.json ? `${JSON.stringify(read.value, null, 2)}\n` : inWords(read.value))
  return read.value.holds ? 0 : 1
}

function inWords(found: JournalVerification): string {
  const { entries, head, problems, problem_count: count, operations_without_entries: gap } = found
  const more = count - problems.length
  return [
    head === null
      ? 'The journal is empty.'
      : `${entries} entries, from ${found.first_at} to ${found.last_at}. The last one is ${head.seq}, with the link ${head.link}.`,
    found.holds ? 'All links hold, and nothing contradicts the registry.' : `It does not hold: ${count} problems.`,
    ...problems.map(({ kind, seq, detail }) => `  entry ${seq}: ${kind.replace('_', ' ')}: ${detail}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(gap > 0
      ? [`${gap} operations are not in it: they are older than it, or a router of another release made them.`]
      : []),
    ...(found.forgotten_openings > 0 ? [`The texts of ${found.forgotten_openings} entries were forgotten.`] : []),
    '',
  ].join('\n')
}

/** Erases texts after asking; the exit code goes to the context. */
export async function forgetCommand(
  handle: string | undefined,
  flags: ForgetFlags,
  context: CliContext,
  statePath: string | undefined,
): Promise<number> {
  const { process } = context
  if ((handle === undefined) === (flags.before === undefined))
    return fail(process, 'Give either the digits of one operation or --before DATE.', 2)
  const which = flags.before === undefined ? await oneOf(handle!, statePath) : beforeOf(flags.before)
  if (typeof which === 'string') return fail(process, which, flags.before === undefined ? 1 : 2)
  const what =
    'handle' in which
      ? `the texts of operation ${digitsOf(which.handle).slice(0, 12)}`
      : `all texts that were written down before ${which.before.toISOString()}`
  if (!flags.yes && !process.stdin.isTTY)
    return fail(process, 'Not on a terminal: add --yes to forget without being asked.', 2)
  if (!flags.yes && !/^y(es)?$/i.test(await ask(`Erase ${what}, for good? [y/N] `, process))) {
    process.stderr.write('Nothing was erased.\n')
    return 1
  }
  const { forgetTexts } = await import('../../operations/journal/forget.ts')
  const written = forgetTexts(statePath, which, process.getuid?.() ?? null, realClock)
  if (written.kind === 'not_written')
    return fail(process, written.reason === 'no_journal' ? noJournal : sentences[written.reason], 1)
  if (written.value === 0) return print(process, 'There was nothing to forget.\n')
  return print(
    process,
    `The texts of ${written.value} entries are erased. Amounts, times and hashes stay, and so do stored results, which the same call ` +
      'gets again for ever. Backups of the registry keep what they have.\n',
  )
}

async function oneOf(handle: string, statePath: string | undefined): Promise<{ handle: string } | string> {
  const found = await oneOperation(handle, statePath)
  return typeof found === 'string' ? found : { handle: found.operation_handle }
}

function beforeOf(text: string): { before: Date } | string {
  const before = parseInstant(text, new Date())
  return before
    ? { before }
    : '--before takes a date, an instant with its zone, or how long ago: 2026-01-01, 2026-01-01T12:00:00Z, 90d.'
}
