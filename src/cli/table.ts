import { label } from '../terminal/foreign-text.ts'
import { plainAppearance, type Appearance } from '../terminal/appearance.ts'

type Cell = string | number

/** No column that is cut to fit becomes narrower, unless the row would not fit otherwise. */
const leastWidths = [12, 6]
const between = 2

/**
 * Rows under a head, their columns aligned; numbers to the right. Whatever a text holds, it stays in its row. On a terminal the
 * widest columns are cut until a row fits, and the head stands out. `whole` names the columns that are typed again, which are not cut.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  look: Appearance = plainAppearance,
  whole: readonly string[] = [],
): string {
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : label(cell))))
  const natural = head.map((title, column) =>
    Math.max(title.length, ...shown.map((row) => String(row[column] ?? '').length)),
  )
  const fixed = head.map(
    (title, column) => whole.includes(title) || shown.some((row) => typeof row[column] === 'number'),
  )
  const widths = look.isTerminal ? fit(natural, fixed, look.width) : natural
  const line = (cells: readonly Cell[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return typeof cell === 'number' ? String(cell).padStart(width) : cut(cell, width).padEnd(width)
      })
      .join(' '.repeat(between))
      .trimEnd()
  return [look.paint.bold(line(head)), ...shown.map(line)].map((text) => `${text}\n`).join('')
}

/** Widths that fit: the widest gives first, those that are fixed never. */
function fit(natural: readonly number[], fixed: readonly boolean[], room: number): number[] {
  const widths = [...natural]
  const wanted = () => widths.reduce((sum, width) => sum + width + between, -between)
  for (const leastWidth of leastWidths)
    while (wanted() > room) {
      const widest = Math.max(0, ...widths.filter((_, column) => !fixed[column]))
      if (widest <= leastWidth) break
      const column = widths.findIndex((width, at) => width === widest && !fixed[at])
      widths[column] = Math.max(leastWidth, widest - (wanted() - room))
    }
  return widths
}

/** A path keeps its end, which tells more than its beginning. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return /^[~/]/.test(text) ? `…${text.slice(text.length - width + 1)}` : `${text.slice(0, width - 1)}…`
}
