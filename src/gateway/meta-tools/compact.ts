// Pure: a tool's texts within the bounds of a match.

const ellipsis = '…'

/** The text, if it has at most so many bytes, else its longest beginning of whole characters before an ellipsis. */
export function clip(text: string, limitBytes: number): string {
  // A character takes at least one byte, and no byte beyond the limit is looked at.
  if (text.length <= limitBytes && Buffer.byteLength(text) <= limitBytes) return text
  const bytes = Buffer.from(text.slice(0, limitBytes + 1))
  let end = limitBytes - Buffer.byteLength(ellipsis)
  if (end <= 0) return ''
  // A byte of the form 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end === 0 ? '' : bytes.toString('utf8', 0, end) + ellipsis
}

/** Collects texts within bounds and remembers whether anything was lost. */
export class Compactor {
  #isTruncated = false

  get isTruncated(): boolean {
    return this.#isTruncated
  }

  text(text: string, limitBytes: number): string {
    const clean = text.toWellFormed().replace(/\s+/g, ' ').trim()
    const clipped = clip(clean, limitBytes)
    if (clipped !== clean) this.#isTruncated = true
    return clipped
  }

  /** At most so many items of at most 128 bytes each; the one that crosses the total gets what is left. */
  list(items: readonly string[], most: number, totalBytes: number): string[] {
    const kept: string[] = []
    let left = totalBytes
    for (const item of items) {
      if (kept.length === most || left <= 0) {
        this.#isTruncated = true
        break
      }
      const text = this.text(item, Math.min(itemLimitBytes, left))
      if (text === '') continue
      kept.push(text)
      left -= Buffer.byteLength(text)
    }
    return kept
  }
}

const itemLimitBytes = 128
