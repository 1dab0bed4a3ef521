// A strict JSON reader that never recurses: a body may nest as deep as a mebibyte allows where its keys are ignored.
import type { JsonArray, JsonObject, JsonValue } from './value.ts'

/** The text is no JSON. */
export class JsonSyntaxError extends Error {}

type Open = { container: JsonObject; key: string } | { container: JsonArray }

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const plain = /[^"\\\u0000-\u001f]*/y
const escapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Parses one JSON value with JSON blanks around it at most. Throws JsonSyntaxError. */
export function parseJson(text: string): JsonValue {
  const open: Open[] = []
  let at = 0
  const fail = (what: string): never => {
    throw new JsonSyntaxError(`${what} at character ${at}`)
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const unit = (): string => {
    const hex = text.slice(at, at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) fail('invalid escape')
    at += 4
    return String.fromCharCode(parseInt(hex, 16))
  }
  const readEscape = (): string => {
    const letter = text[at] ?? ''
    at += 1
    if (letter !== 'u') return escapes[letter] ?? fail('invalid escape')
    const first = unit()
    if (first < '\ud800' || first > '\udfff') return first
    if (first > '\udbff' || text.slice(at, at + 2) !== '\\u') fail('lone surrogate')
    at += 2
    const second = unit()
    return second >= '\udc00' && second <= '\udfff' ? first + second : fail('lone surrogate')
  }
  const readString = (): string => {
    at += 1
    let value = ''
    for (;;) {
      value += take(plain)
      const next = text[at]
      at += 1
      if (next === '"') return value
      if (next !== '\\') fail('unfinished string or control character')
      value += readEscape()
    }
  }
  const readKey = (): string => {
    take(space)
    if (text[at] !== '"') fail('expected a key')
    const key = readString()
    take(space)
    if (text[at] !== ':') fail('expected a colon')
    at += 1
    return key
  }
  /** A scalar or an empty container; undefined after a container was opened. */
  const readStart = (): JsonValue | undefined => {
    take(space)
    const first = text[at]
    if (first === '{' || first === '[') {
      at += 1
      take(space)
      const empty = text[at] === (first === '{' ? '}' : ']')
      if (first === '{') {
        const container: JsonObject = { kind: 'object', members: [], height: 1 }
        if (!empty) open.push({ container, key: readKey() })
        else at += 1
        return empty ? container : undefined
      }
      const container: JsonArray = { kind: 'array', items: [], height: 1 }
      if (!empty) open.push({ container })
      else at += 1
      return empty ? container : undefined
    }
    if (first === '"') return readString()
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return value
    }
    const digits = take(number)
    return digits === '' ? fail('expected a value') : { kind: 'number', digits }
  }
  for (;;) {
    let value = readStart()
    while (value !== undefined) {
      take(space)
      const parent = open.at(-1)
      if (parent === undefined) return at === text.length ? value : fail('unexpected text after the value')
      const { container } = parent
      if ('key' in parent) parent.container.members.push({ key: parent.key, value })
      else parent.container.items.push(value)
      const height: number = typeof value === 'object' && value !== null && 'height' in value ? value.height : 0
      container.height = Math.max(container.height, height + 1)
      const next = text[at]
      at += 1
      if (next === ',') {
        if ('key' in parent) parent.key = readKey()
        break
      }
      if (next !== (container.kind === 'object' ? '}' : ']')) fail('expected a comma or an end')
      open.pop()
      value = container
    }
  }
}
