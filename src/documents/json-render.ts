// Writes a new value as JSON in the layout of its surroundings. Pure.
import { type Layout } from './braces.ts'
import { type Plain } from './tree.ts'

/** A list of plain scalars stays on one line up to this many characters, as people write argument lists. */
const shortListChars = 80

/** The value's text. `layout.indent` is the indentation of the line on which the value begins. */
export function renderJson(value: Plain, layout: Layout): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const open = Array.isArray(value) ? '[' : '{'
  const close = Array.isArray(value) ? ']' : '}'
  const children = (inner: Layout): string[] =>
    Array.isArray(value)
      ? value.map((item) => renderJson(item, inner))
      : Object.entries(value).map(
          ([key, item]) => `${JSON.stringify(key)}:${colonGap(inner)}${renderJson(item, inner)}`,
        )
  if (layout.kind === 'inline') return open + children(layout).join(',' + layout.gap) + close
  const isShort = Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object')
  const short = isShort ? open + children(layout).join(', ') + close : ''
  if (Object.keys(value).length === 0) return open + close
  if (isShort && short.length <= shortListChars) return short
  const indent = layout.indent + layout.unit
  const lines = children({ ...layout, indent }).map((child) => layout.eol + indent + child)
  return open + lines.join(',') + layout.eol + layout.indent + close
}

function colonGap(layout: Layout): string {
  return layout.kind === 'inline' ? layout.gap : ' '
}
