// `init --from-agents`: takes the servers that clients have already into our configuration. Reads clients' files,
// plans the configuration; writes nothing.
import { isRefusal } from '../client-config-error.ts'
import { type ServerDefinition } from '../clients/client.ts'
import { type Edit } from '../../documents/edit.ts'
import { nodeAt, type PlainObject, toLoose, type TreeNode } from '../../documents/tree.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'
import { readDocumentFile } from '../../documents/document-file.ts'
import { parseFile } from '../files/file-plan.ts'
import { type SyncConfig } from './desired.ts'
import { type SyncKind, syncKinds } from './kind.ts'
import { leftBehind, lossIn } from './import-members.ts'
import { serversIn } from './plan-agent.ts'

/** What was found in clients' files. */
export interface ImportPlan {
  /** New servers by name, as the configuration writes them. */
  servers: PlainObject
  /** New agents by name. */
  agents: Record<string, { type: string; path: string; mode: 'gateway' }>
  /** Edits of the configuration file. */
  edits: Edit[]
  notes: string[]
}

/** Names that belong to us or to the gateway of old; never imported. */
const reserved = new Set<string>([entryName, 'gongbu', 'router', 'mcphub'])

/** The union of all servers found; the first file wins a name, and names that the configuration has stay as they are. */
export function planImport(config: SyncConfig, environment: Environment): ImportPlan {
  const plan: ImportPlan = { servers: {}, agents: {}, edits: [], notes: [] }
  const configured = new Set(Object.values(config.agents).map((agent) => agent.type))
  for (const kind of syncKinds(environment)) {
    for (const path of kind.files(environment)) {
      const found = readServers(kind, path, plan)
      if (found === undefined) continue
      for (const [name, { server, node }] of found)
        importServer(plan, config, kind, { name, server, node, path }, environment)
      if (
        !configured.has(kind.name) &&
        !Object.hasOwn(config.agents, kind.name) &&
        plan.agents[kind.name] === undefined
      ) {
        plan.agents[kind.name] = { type: kind.name, path, mode: 'gateway' }
      }
    }
  }
  for (const [section, members] of [
    ['servers', plan.servers],
    ['agents', plan.agents],
  ] as const) {
    if (Object.keys(members).length > 0) plan.edits.push({ kind: 'merge', path: [section], members })
  }
  return plan
}

/** The servers in a client's file; undefined when there is no such file. A file that cannot be read is noted and passed over. */
function readServers(kind: SyncKind, path: string, plan: ImportPlan): ReturnType<typeof serversIn> | undefined {
  try {
    const file = readDocumentFile(path)
    return file.kind === 'missing' ? undefined : serversIn(parseFile(file, kind.format), kind)
  } catch (error) {
    if (!isRefusal(error)) throw error
    plan.notes.push(`passed over: ${error.message}`)
    return undefined
  }
}

interface FoundServer {
  name: string
  server: ServerDefinition
  node: TreeNode
  path: string
}

function importServer(
  plan: ImportPlan,
  config: SyncConfig,
  kind: SyncKind,
  found: FoundServer,
  environment: Environment,
): void {
  const { name, server, node, path } = found
  if (reserved.has(name) || Object.hasOwn(config.servers, name) || Object.hasOwn(plan.servers, name)) return
  const why = whyNot(name, server, kind, environment) ?? lossIn(node)
  if (why !== undefined) {
    plan.notes.push(`${name} of ${path} was not taken over: ${why}`)
    return
  }
  if (nodeAt(node, ['headers']) !== undefined) {
    plan.notes.push(`headers of ${name} in ${path} were not taken over; add them to the configuration by hand`)
  }
  const rest = leftBehind(node, kind.shape.modelled)
  if (rest.length > 0) plan.notes.push(`left behind of ${name} in ${path}: ${rest.join(', ')}`)
  plan.servers[name] = toConfig(server, node)
}

function whyNot(name: string, server: ServerDefinition, kind: SyncKind, { platform }: Environment): string | undefined {
  const isName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(name) && !name.includes('__') && !name.endsWith('_')
  if (!isName) return 'its name cannot be a server of the configuration'
  const values = [server.command ?? '', ...(server.args ?? []), ...Object.values(server.env ?? {}), server.url ?? '']
  const isExpanded = values.some((value) => kind.expands?.(value, platform) === true || /\$\{[^}]*\}/.test(value))
  return isExpanded ? `it uses variables that only ${kind.name} expands` : undefined
}

function toConfig({ command, args, env, url, transport }: ServerDefinition, node: TreeNode): PlainObject {
  const cwd = toLoose(nodeAt(node, ['cwd']) ?? node)
  const isOff = [
    ['enabled', false],
    ['disabled', true],
    ['disable', true],
  ].some(([key, off]) => {
    const flag = nodeAt(node, [key as string])
    return flag?.kind === 'scalar' && flag.value === off
  })
  if (url !== undefined) return { url, ...(transport === 'sse' ? { transport } : {}), enabled: !isOff }
  return {
    command: command ?? '',
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env }),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    enabled: !isOff,
  }
}
