// Shows a change as a unified difference that a person can read before saying yes. Pure.
import { type DocumentFormat } from '../../documents/format.ts'
import { type Change } from '../../documents/splice.ts'
import { type LineChange, lineChanges, splitLines } from '../../documents/line-changes.ts'
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
export function difference({ path, before, after, changes, isNew, format }: FileChange): string {
  if (changes.length === 0) return ''
  const shown = { old: shownLines(before, format), new: shownLines(after, format) }
  const head = [`--- ${isNew ? '(no file yet)' : path}`, `+++ ${path}`]
  let shift = 0
  const body = group(lineChanges(changes, before)).flatMap((hunk) => {
    const lines = showHunk(hunk, shown, shift)
    shift += hunk.reduce((sum, part) => sum + growth(part), 0)
    return lines
  })
  return [...head, ...body].join('\n') + '\n'
}

/** Changes that are near each other are shown together. */
function group(parts: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = []
  for (const part of parts) {
    const last = hunks.at(-1)
    if (last !== undefined && part.from - last.at(-1)!.to <= contextLines * 2) last.push(part)
    else hunks.push([part])
  }
  return hunks
}

function showHunk(parts: readonly LineChange[], lines: { old: string[]; new: string[] }, shift: number): string[] {
  const from = Math.max(0, parts[0]!.from - contextLines)
  const to = Math.min(lines.old.length, parts.at(-1)!.to + contextLines)
  const shown: string[] = []
  let at = from
  let moved = shift
  for (const part of parts) {
    shown.push(...lines.old.slice(at, part.from).map((line) => ` ${line}`))
    shown.push(...lines.old.slice(part.from, part.to).map((line) => `-${line}`))
    const start = part.from + moved
    shown.push(...lines.new.slice(start, start + part.added.length).map((line) => `+${line}`))
    moved += growth(part)
    at = part.to
  }
  shown.push(...lines.old.slice(at, to).map((line) => ` ${line}`))
  const count = to - from + moved - shift
  return [`@@ -${range(from, to - from)} +${range(from + shift, count)} @@`, ...shown]
}

function growth(part: LineChange): number {
  return part.added.length - (part.to - part.from)
}

function range(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`
}

function shownLines(text: string, format: DocumentFormat | undefined): string[] {
  const masked = format === undefined ? text : maskDocument(format, text)
  return splitLines(masked).map(({ text: line }) => maskSecrets(line.replace(/\r$/, '').replace(/^\uFEFF/, '')))
}
