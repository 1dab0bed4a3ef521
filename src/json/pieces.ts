// Long texts in pieces: a whole one would stand in memory beside its parts, and nobody else could run while it is handled.

/** Pieces have about this many characters. */
export const pieceLength = 32 * 1024

/** A long text in pieces that are never cut inside a surrogate pair. */
export function* slices(text: string, from = 0, to = text.length): Generator<string> {
  for (let at = from; at < to;) {
    const end = endOfPiece(text, Math.min(to, at + pieceLength), to)
    yield text.slice(at, end)
    at = end
  }
}

/** The beginning of a text, about so many characters, never cut inside a surrogate pair. */
export function beginning(text: string, length: number): string {
  return length >= text.length ? text : text.slice(0, endOfPiece(text, length, text.length))
}

/** The same end, or one further when it would cut a surrogate pair. */
function endOfPiece(text: string, end: number, to: number): number {
  const before = text.charCodeAt(end - 1)
  return end < to && before >= 0xd800 && before <= 0xdbff ? end + 1 : end
}
