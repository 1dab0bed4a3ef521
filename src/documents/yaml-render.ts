// Writes new values as YAML that 1.1 and 1.2 readers understand alike. Pure.
import { type Plain, type PlainObject } from './tree.ts'

/** Where a block stands. */
export interface BlockLayout {
  indent: string
  unit: string
  eol: string
}

/** The lines of a map's members, without a line end behind the last. */
export function renderYamlMembers(members: PlainObject, layout: BlockLayout): string {
  return Object.entries(members)
    .map(([key, value]) => layout.indent + renderYamlString(key) + ':' + renderBehindColon(value, layout))
    .join(layout.eol)
}

/** The lines of a sequence's items. */
export function renderYamlItems(items: readonly Plain[], layout: BlockLayout): string {
  return items.map((item) => `${layout.indent}- ${renderItem(item, layout)}`).join(layout.eol)
}

/** A value inside of brackets, or a scalar. */
export function renderYamlFlow(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map(renderYamlFlow).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(([key, item]) => `${renderYamlString(key)}: ${renderYamlFlow(item)}`)
    return `{${members.join(', ')}}`
  }
  return typeof value === 'string' ? renderYamlString(value) : String(value)
}

/** A string: plain when no reader could take it for something else, else in double quotes. */
export function renderYamlString(text: string): string {
  const isPlain = /^[A-Za-z_/.][A-Za-z0-9_/.@+=-]*$/.test(text) && !ambiguous.test(text)
  return isPlain ? text : JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

/** Words and numbers that some version of YAML reads as another type. */
const ambiguous = /^(?:y|yes|n|no|on|off|true|false|null|=|\.(?:inf|nan)|[.\d_]+(?:e[+-]?\d+)?)$/i

function renderBehindColon(value: Plain, layout: BlockLayout): string {
  const { indent, unit, eol } = layout
  if (!isFilled(value)) return ' ' + renderYamlFlow(value)
  const inner = { ...layout, indent: indent + unit }
  return eol + (Array.isArray(value) ? renderYamlItems(value, inner) : renderYamlMembers(value, inner))
}

function renderItem(item: Plain, layout: BlockLayout): string {
  if (!isFilled(item)) return renderYamlFlow(item)
  if (Array.isArray(item)) return renderYamlFlow(item)
  return renderYamlMembers(item, { ...layout, indent: layout.indent + '  ' }).slice(layout.indent.length + 2)
}

function isFilled(value: Plain): value is PlainObject | Plain[] {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0
}
