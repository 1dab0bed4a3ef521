// Mounted servers' tools as the catalog sees them.
import { cleanTexts } from '../downstream/admission/clean-text.ts'
import type { ServerConfig } from '#generated/types/config.js'
import type { MountedTool } from '../downstream/definition.ts'
import type { Mounts, ServerView } from '../downstream/mounts.ts'
import type { CatalogServer, CatalogTool } from './catalog/catalog-tool.ts'
import { aliases } from '../names/short-name.ts'
import type { Scope } from '../names/scope.ts'
import type { ServerStanding } from './meta-tools/list-servers.ts'

/** Reads the mounts for one agent. */
export interface MountedTools {
  /** Tools of connected servers, in scope, by public name. */
  catalog(): CatalogTool[]
  /** The tools themselves, of connected servers and in scope. */
  listed(): MountedTool[]
  standings(): ServerStanding[]
  toCatalogTool(tool: MountedTool): CatalogTool
}

export function createMountedTools(mounts: Mounts, scope: Scope): MountedTools {
  const servers = new Map<string, CatalogServer>()
  const known = new WeakMap<MountedTool, CatalogTool>()

  const serverOf = ({ name, settings }: Pick<ServerView, 'name' | 'settings'>): CatalogServer => {
    const server = servers.get(name) ?? toCatalogServer(name, settings)
    servers.set(name, server)
    return server
  }
  const toCatalogTool = (tool: MountedTool): CatalogTool => {
    const settings = mounts.settingsOf(tool.server)
    const made = known.get(tool) ?? makeCatalogTool(tool, serverOf({ name: tool.server, settings }), settings)
    known.set(tool, made)
    return made
  }
  const isInScope = ({ server, wireName }: MountedTool) => scope.allows(server, wireName)
  const listed = () => mounts.tools().filter((tool) => isInScope(tool) && tool.held === undefined)
  const inScope = () => mounts.servers().filter(({ name }) => scope.allowsServer(name))
  const namesOf = (tools: readonly MountedTool[]) => tools.map(({ publicName }) => publicName)

  return {
    catalog: () => listed().map(toCatalogTool),
    listed,
    standings: () =>
      inScope().map((view) => ({
        server: serverOf(view),
        isEnabled: view.isEnabled,
        isConnected: view.isConnected,
        toolCount: view.tools.filter((tool) => isInScope(tool) && tool.held === undefined).length,
        heldTools: namesOf(view.tools.filter((tool) => isInScope(tool) && tool.held !== undefined)),
        ...(view.instructions !== '' && { instructions: view.instructions }),
        ...(view.error !== undefined && { error: view.error }),
      })),
    toCatalogTool,
  }
}

/** What the configuration says about a server. */
function toCatalogServer(name: string, settings: ServerConfig): CatalogServer {
  const { description, tags, use_when: useWhen } = settings
  return { name, description, tags, useWhen }
}

function makeCatalogTool(tool: MountedTool, server: CatalogServer, settings: ServerConfig): CatalogTool {
  const { wireName, shortName, publicName } = tool
  const listed = cleanTexts(tool.listed)
  const { annotations } = listed
  const hints = settings.tool_use_when ?? {}
  return {
    server,
    wireName,
    shortName,
    publicName,
    aliases: aliases(tool.server, wireName),
    title: textOf(listed.title) || textOf((annotations as { title?: unknown } | null | undefined)?.title),
    description: textOf(listed.description),
    inputSchema: listed.inputSchema,
    annotations,
    useWhen: Object.hasOwn(hints, wireName) ? (hints[wireName] ?? []) : [],
    isDirectCall: false,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
