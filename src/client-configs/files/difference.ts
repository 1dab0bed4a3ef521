// Shows a change as a unified difference that a person can read before saying yes. Pure.
import { structuredPatch } from 'diff'
import { shownText } from '../../documents/edit-text.ts'
import { type DocumentFormat } from '../../documents/format.ts'
import { type Change } from '../../documents/splice.ts'
import { maskSecrets } from './mask.ts'
import { maskDocument } from './mask-document.ts'

/** Lines shown around a change. */
const contextLines = 3

/** A file before and after. */
export interface FileChange {
  path: string
  before: string
  after: string
  changes: readonly Change[]
  /** There is no file yet. */
  isNew: boolean
  /** Lets secrets be found by what the file says; without it they are found line by line. */
  format?: DocumentFormat
}

/** A unified difference with secrets hidden, around the changes as well; the empty string without changes. */
export function difference({ path, changes, isNew, format, ...whole }: FileChange): string {
  if (changes.length === 0) return ''
  const shorten = (text: string): string => (format === undefined ? text : shownText(format, text))
  const [before, after] = [shorten(whole.before), shorten(whole.after)]
  const old = { lines: linesOf(before), shown: linesOf(masked(before, format)).map(maskSecrets) }
  const now = { lines: linesOf(after), shown: linesOf(masked(after, format)).map(maskSecrets) }
  // What differs is decided on the lines as they are: a secret that changes is a change, though both look the same.
  const same = linesInCommon(old.lines, now.lines)
  const part = (lines: readonly string[]) => textOf(lines.slice(same.first, lines.length - same.last))
  const { hunks } = structuredPatch('', '', part(old.lines), part(now.lines), '', '', { context: contextLines })
  for (const hunk of hunks) {
    hunk.oldStart += same.first
    hunk.newStart += same.first
  }
  const body = hunks.flatMap((hunk) => {
    let oldLine = hunk.oldStart - 1
    let newLine = hunk.newStart - 1
    const shown = hunk.lines.map((line) => {
      if (line.startsWith('-')) return `-${old.shown[oldLine++]}`
      if (!line.startsWith('+')) oldLine++
      return `${line[0]}${now.shown[newLine++]}`
    })
    return [`@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`, ...shown]
  })
  return [`--- ${isNew ? '(no file yet)' : path}`, `+++ ${path}`, ...body].join('\n') + '\n'
}

/** How many lines at both ends are the same and not shown, so that only what lies between is compared. */
function linesInCommon(old: readonly string[], now: readonly string[]): { first: number; last: number } {
  const most = Math.min(old.length, now.length)
  let [first, last] = [0, 0]
  while (first < most && old[first] === now[first]) first++
  while (last < most - first && old.at(-1 - last) === now.at(-1 - last)) last++
  return { first: Math.max(0, first - contextLines), last: Math.max(0, last - contextLines) }
}

/** Unified differences count from the line before a place that has no lines. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`
}

function masked(text: string, format: DocumentFormat | undefined): string {
  return format === undefined ? text : maskDocument(format, text)
}

/** Lines without their ends and without a byte order mark; a line end at the very end begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.replace(/\r$/, ''))
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
