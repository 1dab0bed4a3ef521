// Pure: UTF-8 by its bytes.

/** Whether these bytes begin in the middle of a character. */
export function beginsInside(bytes: Uint8Array): boolean {
  return bytes.length > 0 && isContinuation(bytes[0]!)
}

/** The offset at which the character begins that has a byte at `at`. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && start < bytes.length && isContinuation(bytes[start]!)) start--
  return start
}

/** The offset behind the character that begins at 0. */
export function firstCharacterEnd(bytes: Uint8Array): number {
  let end = Math.min(1, bytes.length)
  while (end < bytes.length && isContinuation(bytes[end]!)) end++
  return end
}

/** A byte of the form 10xxxxxx. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

const quote = 0x22
const backslash = 0x5c
const space = 0x20

/**
 * How many bytes from the beginning can stand in an answer of a meta-tool, which holds them twice (once as a JSON string, once
 * inside a JSON text that is itself a string), when together they may cost `room` bytes.
 */
export function textCostBytes(bytes: Uint8Array, room: number): number {
  let left = room
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    // Escaped: 2 + 4, and for a control character at most 6 + 7.
    left -= byte === quote || byte === backslash ? 6 : byte < space ? 13 : 2
    if (left < 0) return at
  }
  return bytes.length
}
