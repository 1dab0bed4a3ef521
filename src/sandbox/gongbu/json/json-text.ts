// Reads JSON as strictly as Gongbu does. JSON.parse cannot serve: it loses how a number was written, and `1`, `1.0`
// and `-0` are different inputs here.

/** A number as it was written. Integers are exact at any size. */
export class JsonNumber {
  readonly literal: string
  constructor(literal: string) {
    this.literal = literal
  }
  /** The value when it is written as a plain integer of at most 64 signed bits, else undefined (`1.0`, `1e0`, `-0`). */
  get integer(): bigint | undefined {
    if (!/^-?(0|[1-9][0-9]*)$/.test(this.literal) || this.literal === '-0') return undefined
    const value = BigInt(this.literal)
    return BigInt.asIntN(64, value) === value ? value : undefined
  }
}

/** An object; its members stand in the order in which they were first written. */
export type JsonObject = ReadonlyMap<string, Json>
/** A value, numbers as they were written. */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject

/** A whole document. `repeated` names top-level members that stand twice; deeper ones follow "the last one wins". */
export type JsonText = { kind: 'json'; value: Json; repeated: readonly string[] } | { kind: 'malformed' }

const deepestLevel = 127
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' }

/** Reads one JSON document of at most 127 levels from UTF-8 bytes. */
export function readJson(bytes: Uint8Array): JsonText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const reader = new Reader(text)
    return { kind: 'json', value: reader.document(), repeated: reader.repeated }
  } catch {
    return { kind: 'malformed' }
  }
}

class Reader {
  readonly repeated: string[] = []
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  document(): Json {
    const value = this.value(0)
    this.blanks()
    if (this.at !== this.text.length) throw malformed()
    return value
  }

  private value(level: number): Json {
    this.blanks()
    switch (this.text[this.at]) {
      case '{':
        return this.object(level + 1)
      case '[':
        return this.array(level + 1)
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  private object(level: number): JsonObject {
    this.open(level)
    const members = new Map<string, Json>()
    if (this.taken('}')) return members
    do {
      this.blanks()
      const name = this.string()
      if (!this.taken(':')) throw malformed()
      if (level === 1 && members.has(name)) this.repeated.push(name)
      members.set(name, this.value(level))
    } while (this.taken(','))
    if (!this.taken('}')) throw malformed()
    return members
  }

  private array(level: number): Json[] {
    this.open(level)
    const items: Json[] = []
    if (this.taken(']')) return items
    do items.push(this.value(level))
    while (this.taken(','))
    if (!this.taken(']')) throw malformed()
    return items
  }

  private string(): string {
    if (this.text[this.at] !== '"') throw malformed()
    let value = ''
    for (this.at += 1; ;) {
      const plain = this.match(/[^"\\\u0000-\u001f]*/y)
      value += plain
      const next = this.text[this.at]
      this.at += 1
      if (next === '"') break
      if (next !== '\\') throw malformed()
      const letter = this.text[this.at] ?? ''
      this.at += 1
      const hex = letter === 'u' ? this.match(/[0-9a-fA-F]{4}/y) : ''
      const decoded = letter === 'u' && hex !== '' ? String.fromCharCode(Number.parseInt(hex, 16)) : escapes[letter]
      if (decoded === undefined) throw malformed()
      value += decoded
    }
    if (/\p{Cs}/u.test(value)) throw malformed()
    return value
  }

  private number(): JsonNumber {
    const literal = this.match(/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y)
    if (literal === '' || !Number.isFinite(Number(literal))) throw malformed()
    return new JsonNumber(literal)
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw malformed()
    this.at += word.length
    return value
  }

  private open(level: number): void {
    if (level > deepestLevel) throw malformed()
    this.at += 1
  }

  private taken(sign: string): boolean {
    this.blanks()
    if (this.text[this.at] !== sign) return false
    this.at += 1
    return true
  }

  private blanks(): void {
    this.match(/[ \t\r\n]*/y)
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? ''
    this.at += found.length
    return found
  }
}

function malformed(): Error {
  return new Error('not a JSON document')
}
