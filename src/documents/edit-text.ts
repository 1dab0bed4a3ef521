// Edits a text and proves the outcome: the one way in which this room changes a user's file.
import { member } from '../json/read.ts'
import { DocumentError } from './document-error.ts'
import { type Edit, splicesFor } from './edit.ts'
import { agrees, type Expected, expectEdit, expectOld } from './expectation.ts'
import { type DocumentFormat, type ParsedDocument } from './format.ts'
import { changesOfWhole } from './excerpt.ts'
import { applySplices, type Change, invert, isChanged, SplicedText, toSplices } from './splice.ts'
import { type Plain } from './tree.ts'

/** What edits do to a text. No changes means that the text says everything already. */
export interface EditedText {
  text: string
  /** In offsets of the old text, its byte order mark included. */
  changes: Change[]
}

const byteOrderMark = '\uFEFF'

/** Of a longer text no whole tree is made. */
const largeChars = 4 * 1024 * 1024

/** Parses a text, its byte order mark left aside. Throws `file_broken` or `file_refused`. */
export function parseText(format: DocumentFormat, text: string): ParsedDocument {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text
  try {
    if (body.length > largeChars && format.parseLarge === undefined)
      throw new DocumentError('file_refused', 'the file is too large to be edited in its format')
    const document = body.length > largeChars ? format.parseLarge!(body) : format.parse(body)
    format.readAgain?.(document.text)
    return document
  } catch (error) {
    throw asBroken(error)
  }
}

/**
 * Carries out edits, one after the other, as splices. The outcome is parsed again and must say exactly what the edits ask
 * for and, everywhere else, what stood there, number for number; undoing the splices must give the old text. Otherwise
 * throws `proof_failed`, and nothing may be written. `before` is the text as `parseText` read it.
 */
export function editText(
  format: DocumentFormat,
  text: string,
  edits: readonly Edit[],
  before: ParsedDocument = parseText(format, text),
): EditedText {
  const mark = text.startsWith(byteOrderMark) ? 1 : 0
  const spliced = new SplicedText(before.text)
  const expected = expectOld(before.root)
  let document = before
  for (const edit of edits) {
    const splices = splicesFor(format, document, edit)
    expectEdit(expected, edit)
    if (splices.length === 0) continue
    spliced.apply(splices)
    document = reparse(format, spliced.text)
  }
  const changes = spliced.changes()
  prove(format, { before: before.text, after: document, changes, expected })
  const read = changes.length === 0 ? undefined : readAgain(format, spliced.text)
  for (const edit of changes.length === 0 ? [] : edits) if (format.readAgain !== undefined) proveAgain(read, edit)
  if (before.cuts !== undefined) return editWhole(text, mark, changes, before.cuts)
  const moved = changes.map((change) => ({ ...change, at: change.at + mark }))
  return { text: text.slice(0, mark) + spliced.text, changes: moved }
}

/** Changes that are proven on an excerpt, carried out on the whole text. What was left out stays as it is, byte for byte. */
function editWhole(
  text: string,
  mark: number,
  changes: readonly Change[],
  cuts: NonNullable<ParsedDocument['cuts']>,
): EditedText {
  const found = changesOfWhole(changes, cuts)
  if (found === undefined) throw unproven('a change touches what is too long to be looked into')
  const moved = found.map((change) => ({ ...change, at: change.at + mark }))
  const after = moved.length === 0 ? text : applySplices(text, toSplices(moved))
  if (!isChanged(text, moved, after)) throw unproven('the splices do not lead to the new text and back')
  return { text: after, changes: moved }
}

/** A text as people are shown it: of a large one without its long values, in as many lines. */
export function shownText(format: DocumentFormat, text: string): string {
  return text.length > largeChars && format.parseLarge !== undefined ? parseText(format, text).text : text
}

interface Claim {
  before: string
  /** The new text, parsed. */
  after: ParsedDocument
  changes: readonly Change[]
  expected: Expected
}

function prove(format: DocumentFormat, { before, after, changes, expected }: Claim): void {
  const { text, root } = after
  if (applySplices(before, toSplices(changes)) !== text) throw unproven('the splices do not lead to the new text')
  if (applySplices(text, toSplices(invert(changes))) !== before) throw unproven('the splices cannot be undone')
  if (!agrees(expected, root, format.name === 'toml')) throw unproven('the new text says something else than wanted')
}

/** The second reader must see the wanted values as well. */
function proveAgain(read: unknown, edit: Edit): void {
  if (edit.kind !== 'merge' || edit.missingOnly === true || edit.path.some((step) => typeof step === 'object')) return
  const found = edit.path.reduce<unknown>((at, key) => member(at, key as string), read)
  if (!includes(found, edit.members)) throw unproven('a second reader does not see the new values')
}

function includes(found: unknown, wanted: Plain): boolean {
  if (wanted === null || typeof wanted !== 'object') return found === wanted
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((item, index) => includes(found[index], item))
    )
  }
  return Object.entries(wanted).every(([key, value]) => includes(member(found, key), value))
}

function reparse(format: DocumentFormat, text: string): ParsedDocument {
  try {
    return format.parse(text)
  } catch (error) {
    throw unproven('the new text cannot be parsed', error)
  }
}

function readAgain(format: DocumentFormat, text: string): unknown {
  try {
    return format.readAgain?.(text)
  } catch (error) {
    throw unproven('a second reader refuses the new text', error)
  }
}

function asBroken(error: unknown): unknown {
  if (error instanceof DocumentError) return error
  const what = error instanceof RangeError ? 'the file is nested too deeply' : 'the file cannot be read in its format'
  return new DocumentError('file_broken', what, { cause: error })
}

function unproven(what: string, cause?: unknown): DocumentError {
  return new DocumentError('proof_failed', `the edit could not be proven (${what}); nothing was written`, { cause })
}
