// The kinds of client files that `sync` writes: every client of `init`, and two that only `sync` knows.
import { ClientConfigError } from '../client-config-error.ts'
import { clients } from '../clients/client-list.ts'
import { type Client, type EntryShape } from '../clients/client.ts'
import { pairsShape, standardShape } from '../clients/shapes.ts'
import { type DocumentFormat } from '../../documents/format.ts'
import { jsonc } from '../../documents/json.ts'
import { type Path, type PlainObject, type Step } from '../../documents/tree.ts'
import { yaml } from '../../documents/yaml.ts'
import { configFolder, type Environment, pathOf } from '../environment.ts'

/** One kind of client file. */
export interface SyncKind {
  name: string
  aliases: readonly string[]
  format: DocumentFormat
  /** Where servers are. */
  section: Path
  /** True when the section is a list of items with `name`, instead of a map. */
  isList: boolean
  shape: EntryShape
  entryDefaults?: PlainObject
  expands?(value: string, platform: NodeJS.Platform): boolean
  /** The client of `init` that this is. */
  client?: Client
  /** The usual files, the preferred one first. */
  files(environment: Environment): string[]
}

/** All kinds, in the order in which `agents` lists them. */
export function syncKinds(environment: Environment): SyncKind[] {
  const wired = clients.map((client): SyncKind => {
    const { name, format, shape, entryDefaults, expands } = client
    const section = client.section(environment, 'user')
    const files = (where: Environment): string[] => client.files(where, 'user')
    return {
      name,
      client,
      aliases: client.aliases ?? [],
      format,
      section,
      isList: false,
      shape,
      entryDefaults,
      expands,
      files,
    }
  })
  return [...wired, forge, localAgent]
}

/** The kind of that name or alias. Throws `usage` with the names there are. */
export function findKind(name: string, environment: Environment): SyncKind {
  const kinds = syncKinds(environment)
  const found = kinds.find((kind) => kind.name === name || kind.aliases.includes(name))
  if (found !== undefined) return found
  throw new ClientConfigError(
    'usage',
    `"${name}" is no kind of agent; known are ${kinds.map((kind) => kind.name).join(', ')}`,
  )
}

/** Where the entry of a server is in files of a kind. */
export function entryPathOf(kind: SyncKind, server: string): Step[] {
  return [...kind.section, kind.isList ? { name: server } : server]
}

const forge: SyncKind = {
  name: 'forge',
  aliases: ['forgecode'],
  format: jsonc,
  section: ['mcpServers'],
  isList: false,
  shape: standardShape({ remote: 'url' }),
  files: (environment) => [pathOf(environment).join(environment.home, 'forge', '.mcp.json')],
}

const localAgent: SyncKind = {
  name: 'local-agent',
  aliases: ['localagent'],
  format: yaml,
  section: ['servers'],
  isList: true,
  shape: pairsShape,
  files: (environment) => [pathOf(environment).join(configFolder(environment), 'local-agent', 'config.yaml')],
}
