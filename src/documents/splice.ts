// Splices on a text, and what several rounds of them amount to. Pure.
import { type Span } from './tree.ts'

/** Replaces a span of a text by another text. Insertions have an empty span. */
export interface Splice extends Span {
  text: string
}

/** What happened to one place of the original text, with what stood there, so that it can be undone. */
export interface Change {
  /** Offset in the original text. */
  at: number
  removed: string
  inserted: string
}

type Piece = { kind: 'kept'; start: number; end: number } | { kind: 'new'; text: string }

/** Applies splices that do not overlap; at equal places they apply in the order given. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let position = 0
  for (const splice of inOrder(splices)) {
    if (splice.start < position || splice.end < splice.start) throw new RangeError('splices overlap')
    result += text.slice(position, splice.start) + splice.text
    position = splice.end
  }
  return result + text.slice(position)
}

/** Follows a text through rounds of splices, each round written against the outcome of the one before. */
export class SplicedText {
  readonly original: string
  private pieces: Piece[]

  constructor(original: string) {
    this.original = original
    this.pieces = original === '' ? [] : [{ kind: 'kept', start: 0, end: original.length }]
  }

  /** The text as it stands now. */
  get text(): string {
    return this.pieces.map((piece) => this.read(piece)).join('')
  }

  /** Applies one round. */
  apply(splices: readonly Splice[]): void {
    const next: Piece[] = []
    let position = 0
    for (const splice of inOrder(splices)) {
      if (splice.start < position || splice.end < splice.start) throw new RangeError('splices overlap')
      next.push(...this.slice(position, splice.start), { kind: 'new', text: splice.text })
      position = splice.end
    }
    next.push(...this.slice(position, Infinity))
    this.pieces = next.filter((piece) => lengthOf(piece) > 0)
  }

  /** All changes against the original text, in its order, none of them empty. */
  changes(): Change[] {
    const changes: Change[] = []
    let at = 0
    let inserted = ''
    const flush = (until: number): void => {
      const removed = this.original.slice(at, until)
      if (removed !== inserted) changes.push({ at, removed, inserted })
      inserted = ''
    }
    for (const piece of this.pieces) {
      if (piece.kind === 'new') inserted += piece.text
      else {
        flush(piece.start)
        at = piece.end
      }
    }
    flush(this.original.length)
    return changes
  }

  /** The pieces of the present text between two of its offsets. */
  private slice(start: number, end: number): Piece[] {
    const found: Piece[] = []
    let position = 0
    for (const piece of this.pieces) {
      const length = lengthOf(piece)
      const from = Math.max(start - position, 0)
      const to = Math.min(end - position, length)
      if (from < to) found.push(part(piece, from, to))
      position += length
    }
    return found
  }

  private read(piece: Piece): string {
    return piece.kind === 'new' ? piece.text : this.original.slice(piece.start, piece.end)
  }
}

/** The splices that carry out changes on the original text. */
export function toSplices(changes: readonly Change[]): Splice[] {
  return changes.map(({ at, removed, inserted }) => ({ start: at, end: at + removed.length, text: inserted }))
}

/** Whether a text is another one with these changes and nothing else; makes no copy of either. */
export function isChanged(before: string, changes: readonly Change[], after: string): boolean {
  let [left, right] = [0, 0]
  for (const { at, removed, inserted } of changes) {
    const kept = at - left
    if (kept < 0 || before.slice(left, at) !== after.slice(right, right + kept)) return false
    if (!before.startsWith(removed, at) || !after.startsWith(inserted, right + kept)) return false
    left = at + removed.length
    right += kept + inserted.length
  }
  return before.slice(left) === after.slice(right)
}

/** The changes that lead back: their offsets count in the text that the given changes led to. */
export function invert(changes: readonly Change[]): Change[] {
  let shift = 0
  return changes.map(({ at, removed, inserted }) => {
    const back = { at: at + shift, removed: inserted, inserted: removed }
    shift += inserted.length - removed.length
    return back
  })
}

/** Deletions that may overlap or touch, as deletions that do not. */
export function mergeDeletions(splices: readonly Splice[]): Splice[] {
  const merged: Splice[] = []
  for (const splice of inOrder(splices)) {
    const last = merged.at(-1)
    if (last !== undefined && last.text === '' && splice.text === '' && splice.start <= last.end) {
      last.end = Math.max(last.end, splice.end)
    } else merged.push({ ...splice })
  }
  return merged
}

function inOrder(splices: readonly Splice[]): Splice[] {
  return splices.toSorted((left, right) => left.start - right.start || left.end - right.end)
}

function lengthOf(piece: Piece): number {
  return piece.kind === 'new' ? piece.text.length : piece.end - piece.start
}

function part(piece: Piece, from: number, to: number): Piece {
  return piece.kind === 'new'
    ? { kind: 'new', text: piece.text.slice(from, to) }
    : { kind: 'kept', start: piece.start + from, end: piece.start + to }
}
