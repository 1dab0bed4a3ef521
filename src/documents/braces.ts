// Insertion and removal between a pair of brackets: JSON objects and lists, TOML inline tables, YAML flow collections.
// The user's comments, trailing comma habit and one-line style stay as they are. Pure.
import { breaksBetween, indentAt, indentUnit, isFirstOnLine, lineEndAt } from './layout.ts'
import { applySplices, mergeDeletions, type Splice } from './splice.ts'
import { type Span } from './tree.ts'

/** Offsets of the opening and of the closing bracket. */
export interface Braces {
  open: number
  close: number
}

/** What counts as a comment between brackets. */
export type CommentStyle = 'slashes' | 'hash'

/** How new children are to be written. */
export type Layout =
  | { kind: 'inline'; /** A space, or nothing in a dense file. */ gap: string }
  | { kind: 'broken'; indent: string; unit: string; eol: string }

/** What is known about a bracketed collection. */
export interface Bracketed {
  text: string
  braces: Braces
  /** The spans of its children, in order. */
  children: readonly Span[]
  comments: CommentStyle
  /** How an empty pair is filled: over several lines or on one. */
  whenEmpty: 'broken' | 'inline'
  /** The space that dense or airy files put after colons, used where no sibling shows a gap. */
  gap: string
}

/** A collection of a format whose comments begin with `#`: an inline table or array of TOML, a flow collection of YAML. */
export function hashBracketed({ text }: { text: string }, node: Span, children: readonly Span[]): Bracketed {
  const braces = { open: node.start, close: node.end - 1 }
  return { text, braces, children, comments: 'hash', whenEmpty: 'inline', gap: ' ' }
}

/** Inserts children behind the last one. `render` gives their texts without commas. */
export function insertInBraces(at: Bracketed, render: (layout: Layout) => string[]): Splice[] {
  const last = at.children.at(-1)
  return last === undefined ? fillEmpty(at, render) : insertAfter(at, last, render)
}

/** Removes children and the commas that belong to them; comments stay. */
export function removeFromBraces(at: Bracketed, gone: readonly number[]): Splice[] {
  const { text, children } = at
  const isGone = (index: number): boolean => gone.includes(index)
  const lastKept = children.findLastIndex((_, index) => !isGone(index))
  const splices: Splice[] = []
  for (const index of gone) {
    const child = children[index]!
    const comma = commaAfter(at, child)
    const end = comma !== undefined && onlyBlank(text, child.end, comma) ? comma + 1 : child.end
    if (comma !== undefined && end === child.end) splices.push({ start: comma, end: comma + 1, text: '' })
    splices.push({ ...withWhiteSpace(text, child.start, end), text: '' })
  }
  // Without a trailing comma, the comma before the first removed tail child has nothing to separate any more.
  const tailIsGone = lastKept !== -1 && lastKept < children.length - 1
  if (tailIsGone && commaAfter(at, children.at(-1)!) === undefined) {
    const comma = commaAfter(at, children[lastKept]!)!
    splices.push({ start: comma, end: comma + 1, text: '' })
  }
  const deletions = mergeDeletions(splices)
  const inside = { start: at.braces.open + 1, end: at.braces.close }
  return lastKept === -1 && isBlankWithout(text, inside, deletions) ? [{ ...inside, text: '' }] : deletions
}

function insertAfter(at: Bracketed, last: Span, render: (layout: Layout) => string[]): Splice[] {
  const { text } = at
  const comma = commaAfter(at, last)
  const from = comma === undefined ? last.end : comma + 1
  const place = afterCommentsOnLine(at, from)
  const layout = layoutBehind(at, last)
  const rendered = render(layout)
  const trailing = comma === undefined ? '' : ','
  const addition =
    layout.kind === 'inline'
      ? rendered.map((child) => layout.gap + child).join(',') + trailing
      : rendered.map((child) => layout.eol + layout.indent + child).join(',') + trailing
  // A line comment ends only with its line, so what is inserted behind it begins on a new one.
  const needsLine = layout.kind === 'inline' && endsInLineComment(at, from, place)
  const lead = needsLine ? lineEndAt(text, place) + indentAt(text, last.start) + indentUnit(text) : ''
  if (comma !== undefined) return [{ start: place, end: place, text: lead + addition }]
  if (place === from) return [{ start: place, end: place, text: ',' + addition }]
  return [
    { start: from, end: from, text: ',' },
    { start: place, end: place, text: lead + addition },
  ]
}

function fillEmpty(at: Bracketed, render: (layout: Layout) => string[]): Splice[] {
  const { text, braces, gap } = at
  const broken = at.whenEmpty === 'broken' || breaksBetween(text, braces.open, braces.close)
  if (!broken) {
    const inside = render({ kind: 'inline', gap }).join(',' + gap)
    return [{ start: braces.open + 1, end: braces.open + 1, text: inside }]
  }
  const eol = lineEndAt(text, braces.open)
  const outer = indentAt(text, braces.open)
  const unit = indentUnit(text)
  const behind = afterCommentsOnLine(at, braces.open + 1)
  const isLastLine = !breaksBetween(text, behind, braces.close)
  const place = isLastLine && onlyBlank(text, behind, braces.close) ? braces.close : behind
  const closing = isLastLine ? eol + outer : ''
  const inside = render({ kind: 'broken', indent: outer + unit, unit, eol }).map((child) => eol + outer + unit + child)
  return [{ start: place, end: place, text: inside.join(',') + closing }]
}

/** New children stand as the last one does: on their own lines, or behind it with the gap that its siblings have. */
function layoutBehind(at: Bracketed, last: Span): Layout {
  const { text, braces, children } = at
  const previous = children.at(-2)
  if (breaksBetween(text, previous?.end ?? braces.open, last.start) && isFirstOnLine(text, last.start)) {
    const indent = indentAt(text, last.start)
    const outer = indentAt(text, braces.open)
    const unit =
      indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : indentUnit(text)
    return { kind: 'broken', indent, unit, eol: lineEndAt(text, last.end) }
  }
  const between = previous && text.slice(previous.end, last.start)
  return { kind: 'inline', gap: between === undefined || !/^,\s*$/.test(between) ? at.gap : between.slice(1) }
}

/** The offset of the comma that follows a child, when there is one before the next child or the end. */
function commaAfter(at: Bracketed, child: Span): number | undefined {
  const found = skipTrivia(at, child.end, at.braces.close)
  return at.text[found] === ',' ? found : undefined
}

function skipTrivia(at: Bracketed, from: number, until: number): number {
  let offset = from
  while (offset < until) {
    const end = commentEnd(at, offset)
    if (end !== undefined) offset = end
    else if (/\s/.test(at.text[offset]!)) offset++
    else break
  }
  return offset
}

/** Behind the comments that stand on the same line as `from`; `from` itself when there are none. */
function afterCommentsOnLine(at: Bracketed, from: number): number {
  let place = from
  for (let offset = from; offset < at.braces.close;) {
    const end = commentEnd(at, offset)
    if (end !== undefined) place = offset = end
    else if (at.text[offset] === ' ' || at.text[offset] === '\t') offset++
    else break
  }
  return place
}

/** The end of the comment that begins at an offset: for a line comment, the end of its line. */
function commentEnd(at: Bracketed, offset: number): number | undefined {
  const { text } = at
  if (at.comments === 'slashes' && text.startsWith('/*', offset)) return text.indexOf('*/', offset + 2) + 2
  if (!text.startsWith(at.comments === 'slashes' ? '//' : '#', offset)) return undefined
  const end = /\r?\n|$/g
  end.lastIndex = offset
  return end.exec(text)!.index
}

function endsInLineComment(at: Bracketed, from: number, place: number): boolean {
  return place > from && !(at.comments === 'slashes' && at.text.startsWith('*/', place - 2))
}

function isBlankWithout(text: string, inside: Span, deletions: readonly Splice[]): boolean {
  const shifted = deletions.map(({ start, end }) => ({
    start: start - inside.start,
    end: end - inside.start,
    text: '',
  }))
  return applySplices(text.slice(inside.start, inside.end), shifted).trim() === ''
}

function onlyBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === ''
}

/** Widens a removed span over the white space in front of it, or over the blanks behind it when more follows on its line. */
function withWhiteSpace(text: string, start: number, end: number): Span {
  const before = text.slice(0, start).trimEnd().length
  const behind = blanksFrom(text, end)
  const endsLine = behind === text.length || text[behind] === '\n' || text.startsWith('\r\n', behind)
  return endsLine || !breaksBetween(text, before, start) ? { start: before, end } : { start, end: behind }
}

function blanksFrom(text: string, offset: number): number {
  let end = offset
  while (text[end] === ' ' || text[end] === '\t') end++
  return end
}
