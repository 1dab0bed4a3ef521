// Shows a change as a unified difference that a person can read before saying yes. Pure.
import { structuredPatch } from 'diff'
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
export function difference({ path, before, after, changes, isNew, format }: FileChange): string {
  if (changes.length === 0) return ''
  const old = { lines: linesOf(before), shown: linesOf(masked(before, format)).map(maskSecrets) }
  const now = { lines: linesOf(after), shown: linesOf(masked(after, format)).map(maskSecrets) }
  // What differs is decided on the lines as they are: a secret that changes is a change, though both look the same.
  const { hunks } = structuredPatch('', '', textOf(old.lines), textOf(now.lines), '', '', { context: contextLines })
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
