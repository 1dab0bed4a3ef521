// What the beginning of a line tells, when the line is too long to be read whole.
import { chars, skipSpace, skipValue, walkMembers } from '../json/scan.ts'

/** Reads from a cut-off JSON text: the raw id, and whether the frame answers a request of ours. Never throws. */
export function readBeginning(text: string): { id: string | undefined; isResponse: boolean } {
  let id: string | undefined
  let hasOutcome = false
  let hasMethod = false
  try {
    walkMembers(text, (key, start) => {
      if (key === 'result' || key === 'error') hasOutcome = true
      if (key === 'method') hasMethod = true
      const end = skipValue(text, start)
      if (key === 'id') id = end < 0 ? undefined : wholeValue(text, start, end)
      return end
    })
  } catch {
    // A key with an escape that is none: nothing behind it can be trusted.
  }
  return { id, isResponse: hasOutcome && !hasMethod }
}

/** The raw value, unless it is cut off, is no JSON, or is null. */
function wholeValue(text: string, start: number, end: number): string | undefined {
  const next = text.charCodeAt(skipSpace(text, end))
  if (next !== chars.comma && next !== chars.closeBrace) return undefined
  const raw = text.slice(start, end)
  try {
    return JSON.parse(raw) === null ? undefined : raw
  } catch {
    return undefined
  }
}
