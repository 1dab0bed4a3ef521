// Which lines of a text a change touches. Pure.
import { type Change } from './splice.ts'

/** Lines that are replaced by others. Lines count from zero; `to` is exclusive. */
export interface LineChange {
  from: number
  to: number
  added: string[]
}

/** One line of a text. */
export interface Line {
  /** Offset of its first character. */
  start: number
  /** Without its line end. */
  text: string
}

/** The lines of a text; a line end at the very end begins no further one. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (let newline = text.indexOf('\n'); newline !== -1; newline = text.indexOf('\n', start)) {
    lines.push({ start, text: text.slice(start, newline) })
    start = newline + 1
  }
  if (start < text.length) lines.push({ start, text: text.slice(start) })
  return lines
}

/** Changes as whole lines, in the order of the text; several on one line become one. */
export function lineChanges(changes: readonly Change[], before: string): LineChange[] {
  const lines = splitLines(before)
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
