// Shows a change as a unified difference that a person can read before saying yes (U 3.2). Pure.
import { maskSecrets } from './mask.ts'
import { type Change } from '../document/splice.ts'

/** Lines shown around a change. */
const contextLines = 3

/** A unified difference between a text and what changes make of it, secrets masked; the empty string without changes. */
export function difference(path: string, before: string, changes: readonly Change[], isNew: boolean): string {
  if (changes.length === 0) return ''
  const lines = splitLines(before)
  const hunks = group(changes, lines, before)
  const head = [`--- ${isNew ? '(no file yet)' : path}`, `+++ ${path}`]
  let shift = 0
  const body = hunks.flatMap((hunk) => {
    const shown = show(hunk, lines, shift)
    shift += hunk.added - hunk.removed
    return shown
  })
  return [...head, ...body].join('\n') + '\n'
}

interface LineChange {
  /** Index of the first line replaced, and of the one behind the last. */
  from: number
  to: number
  added: string[]
}

interface Hunk {
  parts: LineChange[]
  added: number
  removed: number
}

interface Line {
  start: number
  /** Without its line end. */
  text: string
}

function splitLines(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (let newline = text.indexOf('\n'); newline !== -1; newline = text.indexOf('\n', start)) {
    lines.push({ start, text: text.slice(start, newline) })
    start = newline + 1
  }
  if (start < text.length) lines.push({ start, text: text.slice(start) })
  return lines
}

function group(changes: readonly Change[], lines: Line[], before: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const part of mergeOnLines(changes, lines, before)) {
    const last = hunks.at(-1)
    const isNear = last !== undefined && part.from - last.parts.at(-1)!.to <= contextLines * 2
    const hunk = isNear ? last : { parts: [], added: 0, removed: 0 }
    if (!isNear) hunks.push(hunk)
    hunk.parts.push(part)
    hunk.added += part.added.length
    hunk.removed += part.to - part.from
  }
  return hunks
}

/** Changes as whole lines; several on one line become one. */
function mergeOnLines(changes: readonly Change[], lines: Line[], before: string): LineChange[] {
  const parts: { from: number; to: number; changes: Change[] }[] = []
  for (const change of changes) {
    const from = lineAt(lines, change.at)
    const end = change.at + change.removed.length
    const isWhole =
      end === lineStartOf(lines, end, before) && (change.inserted === '' || change.inserted.endsWith('\n'))
    const to =
      isWhole && isLineStart(lines, change.at, before)
        ? lineAt(lines, end)
        : Math.min(lineAt(lines, end) + 1, lines.length)
    const last = parts.at(-1)
    if (last !== undefined && from < last.to) {
      last.to = Math.max(last.to, to)
      last.changes.push(change)
    } else parts.push({ from, to, changes: [change] })
  }
  return parts.map((part) => trim(part, lines, before))
}

/** The new lines of a part, without those at its edges that are the same as before. */
function trim(part: { from: number; to: number; changes: Change[] }, lines: Line[], before: string): LineChange {
  const start = lines[part.from]?.start ?? before.length
  const end = lines[part.to]?.start ?? before.length
  let text = ''
  let position = start
  for (const { at, removed, inserted } of part.changes) {
    text += before.slice(position, at) + inserted
    position = at + removed.length
  }
  const added = splitLines(text + before.slice(position, end)).map((line) => line.text)
  let { from, to } = part
  while (from < to && added.length > 0 && added[0] === lines[from]!.text) {
    added.shift()
    from++
  }
  while (from < to && added.length > 0 && added.at(-1) === lines[to - 1]!.text) {
    added.pop()
    to--
  }
  return { from, to, added }
}

function show(hunk: Hunk, lines: Line[], shift: number): string[] {
  const first = hunk.parts[0]!
  const last = hunk.parts.at(-1)!
  const from = Math.max(0, first.from - contextLines)
  const to = Math.min(lines.length, last.to + contextLines)
  const shown: string[] = []
  let at = from
  const take = (mark: string, until: number): void => {
    while (at < until) shown.push(mark + print(lines[at++]!.text))
  }
  for (const part of hunk.parts) {
    take(' ', part.from)
    take('-', part.to)
    shown.push(...part.added.map((line) => `+${print(line)}`))
  }
  take(' ', to)
  const count = to - from + hunk.added - hunk.removed
  return [`@@ -${range(from, to - from)} +${range(from + shift, count)} @@`, ...shown]
}

function range(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`
}

function print(line: string): string {
  return maskSecrets(line.replace(/\r$/, '').replace(/^\uFEFF/, ''))
}

/** Index of the line in which an offset lies; the number of lines behind the last. */
function lineAt(lines: Line[], offset: number): number {
  const index = lines.findLastIndex((line) => line.start <= offset)
  const line = lines[index]
  return line === undefined ? 0 : offset > line.start + line.text.length ? index + 1 : index
}

function isLineStart(lines: Line[], offset: number, before: string): boolean {
  return lineStartOf(lines, offset, before) === offset
}

function lineStartOf(lines: Line[], offset: number, before: string): number {
  if (offset === before.length && before.endsWith('\n')) return offset
  return lines[lineAt(lines, offset)]?.start ?? 0
}
