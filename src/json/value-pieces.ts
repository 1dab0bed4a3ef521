import { pieceLength, slices } from './print.ts'

/**
 * What JSON.stringify makes of plain data, in pieces: the whole text of a large value would stand in memory beside it, and
 * twice when it is flattened to be sent.
 */
export function* valuePieces(value: unknown): Generator<string> {
  let out = ''
  for (const token of tokens(value)) {
    out += token
    if (out.length < pieceLength) continue
    yield out
    out = ''
  }
  if (out !== '') yield out
}

function* tokens(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > pieceLength) {
    yield '"'
    // A surrogate pair stays together, so each slice is escaped as it would be in the whole.
    for (const slice of slices(value)) yield JSON.stringify(slice).slice(1, -1)
    yield '"'
  } else if (Array.isArray(value)) {
    let separator = '['
    for (const item of value) {
      yield separator
      yield* tokens(item ?? null)
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  } else if (typeof value === 'object' && value !== null) {
    let separator = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* tokens(member)
      separator = ','
    }
    yield separator === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}
