import { label } from '../terminal/foreign-text.ts'

/** Rows under a head, their columns aligned; numbers to the right. Whatever a text holds, it stays in its row. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : label(cell))))
  const widths = head.map((title, column) =>
    Math.max(title.length, ...shown.map((row) => String(row[column] ?? '').length)),
  )
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) =>
        typeof cell === 'number'
          ? String(cell).padStart(widths[column] ?? 0)
          : String(cell).padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [line(head), ...shown.map(line)].map((text) => `${text}\n`).join('')
}
