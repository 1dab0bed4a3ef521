// Pure: rows as CSV (RFC 4180, with a byte order mark) and as JSON lines.
import type { ServerResponse } from 'node:http'
import { securityHeaders } from '../http/answer.ts'

/** A spreadsheet would run a cell that begins so. */
const formula = /^[=+\-@\t\r]/
const plainNumber = /^-?\d+(\.\d+)?$/

/** One line of CSV. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' }

/** The head of an export. */
export function beginExport(response: ServerResponse, name: string, format: 'csv' | 'jsonl'): void {
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': types[format],
    'Content-Disposition': `attachment; filename="${name}.${format}"`,
    Connection: 'close',
  })
}

/** Writes, and waits for a reader that is behind; false when it is gone. */
export async function writeOn(response: ServerResponse, piece: string | Buffer): Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(piece)) return true
  await new Promise<void>((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
  return !response.destroyed
}
