// A large JSON text with its long values left out, so that its tree stays small whatever the file has grown to. Pure.
import { type ParseError, visit } from 'jsonc-parser'
import { type Change } from './splice.ts'
import { type Span } from './tree.ts'

/** A value that was left out: where it stands in the whole text, and where its stand-in is in the excerpt. */
export interface Cut extends Span {
  standIn: Span
}

/** The text without what was left out, and what that was, in order. */
export interface Excerpt {
  text: string
  cuts: readonly Cut[]
}

/** A text of JSON stands for any value; the line ends behind it are those that the value had. */
const word = '"..."'
/** Shorter values stay. */
const longChars = 64
/** A member of the file's object that is no longer than this stays whole: settings and servers, not histories. */
const longMemberChars = 1024 * 1024
/** Members of projects in which servers are kept stay whole at any depth. */
const section = 'mcpServers'

/** Reads a text once, by the rules of `options`, and leaves out what is long. Reports the first fault instead of throwing. */
export function excerptOf(text: string, options: Parameters<typeof visit>[2]): Excerpt | { fault: ParseError } {
  let fault: ParseError | undefined
  const spans = longValues(text, options, (error, offset, length) => (fault ??= { error, offset, length }))
  if (fault !== undefined) return { fault }
  const parts: string[] = []
  const cuts: Cut[] = []
  let [position, length] = [0, 0]
  for (const { start, end } of spans) {
    const kept = text.slice(position, start)
    const standIn = word + '\n'.repeat(countLines(text, start, end))
    parts.push(kept, standIn)
    cuts.push({ start, end, standIn: { start: length + kept.length, end: length + kept.length + standIn.length } })
    length += kept.length + standIn.length
    position = end
  }
  parts.push(text.slice(position))
  return { text: parts.join(''), cuts }
}

function longValues(
  text: string,
  options: Parameters<typeof visit>[2],
  onError: (error: number, offset: number, length: number) => void,
): Span[] {
  const spans: Span[] = []
  /** How many containers are open; the file's object is the first. */
  let depth = 0
  let key = ''
  /** The depth of a container that stays whole, or is left out as a whole; 0 for none. */
  let [whole, out] = [0, 0]
  let [outStart, member, before] = [0, 0, 0]
  const cut = (start: number, end: number) => {
    if (end - start > longChars) spans.push({ start, end })
  }
  const begin = (isList: boolean) => (offset: number) => {
    depth++
    if (depth === 2) [member, before] = [offset, spans.length]
    if (whole === 0 && out === 0) {
      if (key === section) whole = depth
      else if (depth > (isList ? 1 : 3)) [out, outStart] = [depth, offset]
    }
    key = ''
  }
  const end = (offset: number, length: number) => {
    const last = offset + length
    if (out === depth) {
      cut(outStart, last)
      out = 0
    }
    if (whole === depth) whole = 0
    if (depth === 2 && last - member <= longMemberChars) spans.length = before
    depth--
  }
  visit(
    text,
    {
      onObjectBegin: begin(false),
      onArrayBegin: begin(true),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name) => void (key = name),
      onLiteralValue: (_value, offset, length) => {
        if (whole === 0 && out === 0 && (depth > 1 || length > longMemberChars)) cut(offset, offset + length)
        key = ''
      },
      onError,
    },
    options,
  )
  return spans
}

/** Changes of an excerpt as changes of the whole text; undefined where one touches what was left out. */
export function changesOfWhole(changes: readonly Change[], cuts: readonly Cut[]): Change[] | undefined {
  const moved: Change[] = []
  let [next, shift] = [0, 0]
  for (const change of changes) {
    const [start, end] = [change.at, change.at + change.removed.length]
    while (next < cuts.length && cuts[next]!.standIn.start + word.length <= start) shift = shiftBehind(cuts[next++]!)
    const last = cuts[next - 1]
    const ahead = cuts[next]
    // Line ends of a stand-in belong to what was left out.
    const isBehind = last === undefined || start >= last.standIn.end
    if (!isBehind && end > start) return undefined
    if (ahead !== undefined && end > ahead.standIn.start) return undefined
    moved.push({ ...change, at: isBehind ? start + shift : last.end })
  }
  return moved
}

/** How much further on things are in the whole text behind a cut. */
const shiftBehind = ({ end, standIn }: Cut): number => end - standIn.end

function countLines(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}
