// Writes new values as TOML 1.0. Pure.
import { isObject } from '../json/read.ts'
import { type Plain, type PlainObject } from './tree.ts'

/**
 * Tables with more keys in their path than this are written inline: `[mcp_servers.hubu.tools]` is a header, what is in it
 * are lines.
 */
const deepestHeader = 3

/** A value on one line. */
export function renderTomlValue(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map(renderTomlValue).join(', ')}]`
  if (value === null) throw new TypeError('TOML has no null')
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([key, item]) => `${renderTomlKey(key)} = ${renderTomlValue(item)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return typeof value === 'string' ? tomlString(value) : String(value)
}

/** A key, quoted when it is not a bare one. */
function renderTomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key)
}

function hasHeader(path: readonly string[], value: Plain): value is PlainObject {
  return isObject(value) && path.length <= deepestHeader
}

/** Tables with headers, in blocks without line ends at their end. An object without own values gets no empty header. */
export function renderTomlTables(path: readonly string[], members: PlainObject, eol: string): string[] {
  const entries = Object.entries(members)
  const lines = entries
    .filter(([key, value]) => !isBlock([...path, key], value))
    .map(([key, value]) => renderPair(key, value))
  const blocks = entries.flatMap(([key, value]) => renderTomlBlocks([...path, key], value, eol))
  const needsHeader = lines.length > 0 || blocks.length === 0
  return needsHeader ? [[`[${renderPath(path)}]`, ...lines].join(eol), ...blocks] : blocks
}

/** The blocks of a value that has headers of its own; none for another one. */
export function renderTomlBlocks(path: readonly string[], value: Plain, eol: string): string[] {
  if (hasHeader(path, value)) return renderTomlTables(path, value, eol)
  if (!isTableList(path, value)) return []
  return value.map((item) =>
    [`[[${renderPath(path)}]]`, ...Object.entries(item).map(([key, inner]) => renderPair(key, inner))].join(eol),
  )
}

/** True when a value at this path is written with headers. */
export function isBlock(path: readonly string[], value: Plain): boolean {
  return hasHeader(path, value) || isTableList(path, value)
}

/** `key = value` */
export function renderPair(key: string, value: Plain): string {
  return `${renderTomlKey(key)} = ${renderTomlValue(value)}`
}

function renderPath(path: readonly string[]): string {
  return path.map(renderTomlKey).join('.')
}

function isTableList(path: readonly string[], value: Plain): value is PlainObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject) && path.length <= deepestHeader
}

/** Lines for a table that is written with dotted keys; `prefix` is its own text. */
export function renderDottedLines(prefix: string, path: readonly string[], members: PlainObject): string[] {
  return Object.entries(members).flatMap(([key, value]) => {
    const own = `${prefix}.${renderTomlKey(key)}`
    const isEmpty = isObject(value) && Object.keys(value).length === 0
    return hasHeader([...path, key], value) && !isEmpty
      ? renderDottedLines(own, [...path, key], value)
      : [`${own} = ${renderTomlValue(value)}`]
  })
}

/** A basic string. JSON's escapes are TOML's, apart from DEL. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}
