// Prints plain data. Nothing here recurses, so nesting costs no stack.
import { pieceLength, slices } from './pieces.ts'
import { WrittenNumber } from './written-number.ts'

/** Which of two member names of an object is printed first. */
export type MemberOrder = (a: string, b: string) => number

/** What JSON.stringify makes of plain data, and numbers as they were written where that is known. */
export function printValue(value: unknown, order?: MemberOrder): string {
  let text = ''
  for (const piece of valuePieces(value, order)) text += piece
  return text
}

/**
 * The same in pieces: the whole text of a large value would stand in memory beside it, and twice when it is flattened to be
 * sent. Without `order` members stay in the order that they have.
 */
export function* valuePieces(value: unknown, order?: MemberOrder): Generator<string> {
  const open: Container[] = []
  let out = ''
  let next = value
  for (;;) {
    if (next instanceof WrittenNumber) out += next.text
    else if (typeof next === 'object' && next !== null) {
      const container = new Container(next, order)
      open.push(container)
      out += container.opening
    } else if (typeof next === 'string' && next.length > pieceLength) {
      yield `${out}"`
      // A surrogate pair stays together, so each slice is escaped as it would be in the whole.
      for (const slice of slices(next)) yield JSON.stringify(slice).slice(1, -1)
      out = '"'
    } else out += JSON.stringify(next)

    for (;;) {
      const innermost = open.at(-1)
      if (innermost === undefined) {
        yield out
        return
      }
      const before = innermost.step()
      if (before !== undefined) {
        out += before
        next = innermost.value
        break
      }
      out += innermost.closing
      open.pop()
    }
    if (out.length < pieceLength) continue
    yield out
    out = ''
  }
}

/** An array or object that is being printed. */
class Container {
  readonly opening: string
  readonly closing: string
  /** The item or member that is printed next. */
  value: unknown
  readonly #values: unknown[]
  readonly #names: string[] | undefined
  #at = 0
  #separator = ''

  constructor(container: object, order: MemberOrder | undefined) {
    const isArray = Array.isArray(container)
    this.opening = isArray ? '[' : '{'
    this.closing = isArray ? ']' : '}'
    this.#names = isArray ? undefined : Object.keys(container)
    if (order !== undefined) this.#names?.sort(order)
    this.#values = isArray
      ? (container as unknown[])
      : this.#names!.map((name) => (container as Record<string, unknown>)[name])
  }

  /** Goes to the next value and answers what is printed before it; undefined behind the last. */
  step(): string | undefined {
    while (this.#at < this.#values.length) {
      const at = this.#at++
      const value = this.#values[at]
      const name = this.#names?.[at]
      // As JSON.stringify has it: an item without a value is null, such a member is left out.
      if (value === undefined && name !== undefined) continue
      this.value = value ?? null
      const separator = this.#separator
      this.#separator = ','
      return name === undefined ? separator : `${separator}${JSON.stringify(name)}:`
    }
    return undefined
  }
}
