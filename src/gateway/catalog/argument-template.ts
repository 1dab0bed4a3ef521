// Pure: the arguments of a tool, ready to be filled in, from its input schema.
import { isObject } from '../../json/read.ts'

/** A template with what a caller must know about it. */
export interface ArgumentTemplate {
  /** Required names in the schema's order. */
  required: readonly string[]
  /** A required name leads to `<value>`, an optional one to null. */
  template: Readonly<Record<string, '<value>' | null>>
  /** Something is left out: the complete schema says more. */
  isTruncated: boolean
}

const mostNames = 48
const nameLimitBytes = 128
const namesLimitBytes = 2048
const schemaLimitBytes = 262_144

const known = new WeakMap<object, ArgumentTemplate>()

/** The template of a schema; a value that is no schema, or a very long one, gives an empty one that says so. */
export function argumentTemplate(schema: unknown): ArgumentTemplate {
  if (!isObject(schema)) return { required: [], template: {}, isTruncated: true }
  let made = known.get(schema)
  if (made === undefined) known.set(schema, (made = summarize(schema)))
  return made
}

function summarize(schema: Record<string, unknown>): ArgumentTemplate {
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaLimitBytes) {
    return { required: [], template: {}, isTruncated: true }
  }
  const required: string[] = []
  const entries = new Map<string, '<value>' | null>()
  let bytes = 0
  let isTruncated = false
  const add = (name: string, value: '<value>' | null): boolean => {
    if (entries.has(name)) return true
    const size = Buffer.byteLength(name)
    const isRefused =
      size === 0 || size > nameLimitBytes || entries.size === mostNames || bytes + size > namesLimitBytes
    if (isRefused) isTruncated = true
    else {
      bytes += size
      entries.set(name, value)
    }
    return !isRefused
  }
  const wanted = schema.required
  if (wanted !== undefined && !Array.isArray(wanted)) isTruncated = true
  const names: unknown[] = Array.isArray(wanted) ? wanted : []
  if (names.length > mostNames) isTruncated = true
  for (const name of names.slice(0, mostNames)) {
    if (typeof name !== 'string') isTruncated = true
    else if (add(name, '<value>') && !required.includes(name)) required.push(name)
  }
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : []
  if (properties.length > mostNames) isTruncated = true
  else for (const name of properties.sort(byBytes)) add(name, null)
  return { required, template: Object.fromEntries(entries), isTruncated }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
