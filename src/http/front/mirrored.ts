// Pure: the headers of a modern request that repeat what its body says, for whoever looks at headers only. They are compared with the
// body and never used in its place.
import { isUtf8 } from 'node:buffer'
import { member } from '../../json/read.ts'

type Fields = Readonly<Record<string, readonly string[] | undefined>>

/** Which member of the params `Mcp-Name` repeats. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** A header that does not say what the body says, by its name; undefined when all do. */
export function mismatchOf(
  fields: Fields,
  { method, params }: { method: string; params: unknown },
): string | undefined {
  if (!says(fields, 'mcp-method', method)) return 'Mcp-Method'
  const key = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  if (key === undefined) return undefined
  const name = member(params, key)
  // What is not a text is refused for itself, by whoever serves the method.
  return typeof name !== 'string' || says(fields, 'mcp-name', name) ? undefined : 'Mcp-Name'
}

/** Whether a header is there once and says this text. */
export function says(fields: Fields, name: string, text: string): boolean {
  const lines = fields[name]
  return lines?.length === 1 && decoded(lines[0]!) === text
}

/** The text of a header line; undefined for what is no text of visible characters, or no base64 of one. */
function decoded(line: string): string | undefined {
  const value = line.replace(/^[ \t]+|[ \t]+$/g, '')
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}
