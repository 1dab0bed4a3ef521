// An entry to paste into the file of a client that `init` does not know. Pure.
import { editText } from '../../documents/edit-text.ts'
import { json } from '../../documents/json.ts'
import { toml } from '../../documents/toml.ts'
import { yaml } from '../../documents/yaml.ts'
import { type Path, type PlainObject } from '../../documents/tree.ts'
import { entryName, type ServerEntry } from './server-entry.ts'

/** The formats in which clients keep their servers, with the usual name of the section. */
export const printFormats = { json: ['mcpServers'], toml: ['mcp_servers'], yaml: ['mcp_servers'] } as const

/** The file that holds nothing but the entry. */
export function printEntry(format: keyof typeof printFormats, { command, args, env }: ServerEntry): string {
  const path: Path = [...printFormats[format], entryName]
  const members: PlainObject = { command, args, env }
  const text = format === 'json' ? '{}\n' : ''
  return editText({ json, toml, yaml }[format], text, [{ kind: 'merge', path, members }]).text
}
