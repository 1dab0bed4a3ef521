// Prints JSON from its text, never from a parsed value: what a backend wrote stays as it wrote it, digit for digit (DESIGN 2).
// Nothing here recurses, and long texts come in pieces, with an empty one wherever there is nothing to say for long.

/** Pieces have about this many characters. */
export const pieceLength = 32 * 1024
/** After so many characters read without a piece, an empty one is given. */
const breathLength = 256 * 1024
/** So many characters of indentation and no more: hostile nesting must not multiply a text by its depth. */
const layoutLength = 32 * 1024 * 1024

const [quote, backslash, comma, colon, openArray, closeArray, openObject, closeObject] = Buffer.from(
  '"\\,:[]{}',
) as unknown as [number, number, number, number, number, number, number, number]
const space = 32

/** The same JSON without white space. `text` must be valid JSON. */
export function* compactPieces(text: string): Generator<string> {
  let out = ''
  let breath = breathLength
  let at = 0
  while (at < text.length) {
    if (out.length >= pieceLength || at >= breath) {
      yield out
      out = ''
      breath = at + breathLength
    }
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = stringEnd(text, at)
      if (end - at > pieceLength) {
        yield out
        out = ''
        yield* slices(text, at, end)
        breath = end + breathLength
      } else out += text.slice(at, end)
      at = end
    } else if (code <= space) at++
    else {
      const end = plainEnd(text, at)
      out += text.slice(at, end)
      at = end
    }
  }
  if (out !== '') yield out
}

/**
 * The same JSON with an indentation of two spaces, as JSON.stringify lays it out; with `escaped`, as it stands inside a JSON
 * string. `text` must be valid JSON.
 */
export function* prettyPieces(text: string, escaped: boolean): Generator<string> {
  const lineBreak = escaped ? '\\n' : '\n'
  const lines = [lineBreak]
  let out = ''
  let breath = breathLength
  let layout = layoutLength
  let depth = 0
  let at = 0
  const newLine = () => {
    if (layout <= 0) return ''
    layout -= 2 * depth
    return (lines[depth] ??= lineBreak + '  '.repeat(depth))
  }
  while (at < text.length) {
    if (out.length >= pieceLength || at >= breath) {
      yield out
      out = ''
      breath = at + breathLength
    }
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = stringEnd(text, at)
      if (end - at > pieceLength) {
        yield out
        out = ''
        for (const slice of slices(text, at, end)) yield escaped ? escapeAgain(slice) : slice
        breath = end + breathLength
      } else out += escaped ? stringAgain(text, at, end) : text.slice(at, end)
      at = end
    } else if (code <= space) at++
    else if (code === comma) {
      out += ',' + newLine()
      at++
    } else if (code === colon) {
      out += ': '
      at++
    } else if (code === openObject || code === openArray) {
      const next = skipSpace(text, at + 1)
      const closing = text.charCodeAt(next)
      if (closing === closeObject || closing === closeArray) {
        out += code === openObject ? '{}' : '[]'
        at = next + 1
      } else {
        depth++
        out += (code === openObject ? '{' : '[') + newLine()
        at = next
      }
    } else if (code === closeObject || code === closeArray) {
      depth--
      out += newLine() + (code === closeObject ? '}' : ']')
      at++
    } else {
      const end = scalarEnd(text, at)
      out += text.slice(at, end)
      at = end
    }
  }
  if (out !== '') yield out
}

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

/** A whole string literal as it stands inside a JSON string. Most have no escapes of their own. */
function stringAgain(text: string, from: number, to: number): string {
  const inner = text.slice(from + 1, to - 1)
  return `\\"${inner.includes('\\') ? escapeAgain(inner) : inner}\\"`
}

/** JSON text as it stands inside a JSON string; quotes and backslashes are all that needs it. */
function escapeAgain(raw: string): string {
  const safe = raw.includes('\\') ? raw.replaceAll('\\', '\\\\') : raw
  return safe.replaceAll('"', '\\"')
}

/** The index behind the string whose opening quote stands at `at`. */
function stringEnd(text: string, at: number): number {
  let end = at
  for (;;) {
    end = text.indexOf('"', end + 1)
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    // An even number of backslashes escape each other, not the quote.
    if ((end - before) % 2 === 1) return end + 1
  }
}

function skipSpace(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) <= space) end++
  return end
}

/** The index behind a run of anything but strings and white space. */
function plainEnd(text: string, at: number): number {
  let end = at + 1
  const limit = Math.min(text.length, at + pieceLength)
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (code === quote || code <= space) break
    end++
  }
  return end
}

/** The index behind a number or a literal. */
function scalarEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code <= space || code === comma || code === closeObject || code === closeArray) break
    end++
  }
  return end
}
