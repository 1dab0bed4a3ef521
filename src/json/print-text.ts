// Prints JSON from its text, never from a parsed value: what a backend wrote stays as it wrote it, digit for digit.
// Nothing here recurses, and long texts come in pieces, with an empty one wherever there is nothing to say for long.
import { pieceLength, slices } from './pieces.ts'
import { chars, skipScalar, skipSpace, skipString } from './scan.ts'

/** After so many characters read without a piece, an empty one is given. */
const breathLength = 256 * 1024
/** So many characters of indentation and no more: hostile nesting must not multiply a text by its depth. */
const layoutLength = 32 * 1024 * 1024

/** The same JSON without white space. `text` must be valid JSON. */
export function compactPieces(text: string): Generator<string> {
  return printed(text, new Compact(text))
}

/**
 * The same JSON with an indentation of two spaces, as JSON.stringify lays it out; with `escaped`, as it stands inside a JSON
 * string. `text` must be valid JSON.
 */
export function prettyPieces(text: string, escaped: boolean): Generator<string> {
  return printed(text, new Pretty(text, escaped))
}

/** How the parts of a text are laid out. What is printed is added to `out`, which is emptied from outside. */
interface Layout {
  out: string
  /** Prints what begins with the string literal from `from` to `to`, and answers the index behind it. */
  string(from: number, to: number): number
  /** A part of a string literal as it is printed. */
  slice(raw: string): string
  /** Prints what begins at `at` and is neither string nor white space, and answers the index behind it. */
  token(at: number, code: number): number
}

function* printed(text: string, layout: Layout): Generator<string> {
  let breath = breathLength
  let at = 0
  while (at < text.length) {
    if (layout.out.length >= pieceLength || at >= breath) {
      yield layout.out
      layout.out = ''
      breath = at + breathLength
    }
    const code = text.charCodeAt(at)
    if (code === chars.quote) {
      const end = skipString(text, at)
      if (end - at > pieceLength) {
        yield layout.out
        layout.out = ''
        for (const slice of slices(text, at, end)) yield layout.slice(slice)
        breath = end + breathLength
        at = end
      } else at = layout.string(at, end)
    } else if (code <= chars.space) {
      do at++
      while (at < breath && text.charCodeAt(at) <= chars.space)
    } else at = layout.token(at, code)
  }
  if (layout.out !== '') yield layout.out
}

class Compact implements Layout {
  out = ''
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  string(from: number, to: number): number {
    return this.#run(from, to)
  }

  slice(raw: string): string {
    return raw
  }

  token(at: number): number {
    return this.#run(at, at + 1)
  }

  /** Prints from `from` to `to` and on, up to white space, a long string or the length of a piece. */
  #run(from: number, to: number): number {
    const text = this.#text
    const limit = Math.min(text.length, from + pieceLength)
    let end = to
    while (end < limit) {
      const code = text.charCodeAt(end)
      if (code <= chars.space) break
      if (code === chars.quote) {
        const behind = skipString(text, end)
        if (behind - end > pieceLength) break
        end = behind
      } else end++
    }
    this.out += text.slice(from, end)
    return end
  }
}

class Pretty implements Layout {
  out = ''
  readonly #text: string
  readonly #escaped: boolean
  /** A line break with its indentation, by depth. */
  readonly #lines: string[]
  #depth = 0
  #left = layoutLength

  constructor(text: string, escaped: boolean) {
    this.#text = text
    this.#escaped = escaped
    this.#lines = [escaped ? '\\n' : '\n']
  }

  /** Most literals have no escapes of their own. */
  string(from: number, to: number): number {
    if (this.#escaped) {
      const inner = this.#text.slice(from + 1, to - 1)
      this.out += `\\"${inner.includes('\\') ? escapeAgain(inner) : inner}\\"`
    } else this.out += this.#text.slice(from, to)
    return to
  }

  slice(raw: string): string {
    return this.#escaped ? escapeAgain(raw) : raw
  }

  token(at: number, code: number): number {
    switch (code) {
      case chars.comma:
        this.out += ',' + this.#line()
        return at + 1
      case chars.colon:
        this.out += ': '
        return at + 1
      case chars.openBrace:
      case chars.openBracket: {
        const next = skipSpace(this.#text, at + 1)
        const closing = this.#text.charCodeAt(next)
        if (closing === chars.closeBrace || closing === chars.closeBracket) {
          this.out += code === chars.openBrace ? '{}' : '[]'
          return next + 1
        }
        this.#depth++
        this.out += (code === chars.openBrace ? '{' : '[') + this.#line()
        return next
      }
      case chars.closeBrace:
      case chars.closeBracket:
        this.#depth--
        this.out += this.#line() + (code === chars.closeBrace ? '}' : ']')
        return at + 1
      default: {
        const end = skipScalar(this.#text, at)
        this.out += this.#text.slice(at, end)
        return end
      }
    }
  }

  #line(): string {
    if (this.#left <= 0) return ''
    this.#left -= 2 * this.#depth
    return (this.#lines[this.#depth] ??= this.#lines[0] + '  '.repeat(this.#depth))
  }
}

/** JSON text as it stands inside a JSON string; quotes and backslashes are all that needs it. */
function escapeAgain(raw: string): string {
  const safe = raw.includes('\\') ? raw.replaceAll('\\', '\\\\') : raw
  return safe.replaceAll('"', '\\"')
}
