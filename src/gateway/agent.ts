// Whom the gateway serves: one agent with its scope, pins and budget, or anybody.
import type { Mounts } from '../downstream/mounts.ts'
import type { ResolveTool } from '../names/resolve.ts'
import { createScope, type Scope, type ScopeLists } from '../names/scope.ts'
import { findBuiltInTool } from './contract-tools.ts'
import { findGatewayTool } from './gateway-tools.ts'

/** An agent's settings; what is absent restricts nothing. */
export interface AgentLists {
  servers?: readonly string[]
  tools?: readonly string[]
  /** Replaces the global pins; an empty list means none. */
  pin?: readonly string[]
  schemaBudgetBytes?: number
}

/** What the gateway knows of its agent. */
export interface AgentView {
  name: string | undefined
  lists: ScopeLists
  scope: Scope
  /** Which tools the names in its scope and pins mean. */
  resolve: ResolveTool
  /** The pins that count. */
  pins: readonly string[]
  schemaBudgetBytes: number | undefined
  /** Nothing but the meta-tools is wanted: `pin: []` and a budget of 0, both explicit. */
  isBare: boolean
  /** Whether the agent's scope is limited at all: then pins are reported as far as they are in it. */
  isScoped: boolean
}

/** Before any server is known; its scope judges servers, and no more of tools than the names say. */
export function viewAgent(
  agent: ({ name: string } & AgentLists) | undefined,
  globalPins: readonly string[] = [],
): AgentView {
  const { servers, tools, pin, schemaBudgetBytes } = agent ?? {}
  const lists: ScopeLists = { ...(servers && { servers }), ...(tools && { tools }) }
  return {
    name: agent?.name,
    lists,
    scope: createScope(lists, builtIn),
    resolve: builtIn,
    pins: pin ?? globalPins,
    schemaBudgetBytes,
    isBare: pin?.length === 0 && schemaBudgetBytes === 0,
    isScoped: servers !== undefined || tools !== undefined,
  }
}

/** The same agent, its names resolved among the tools that these servers have by now. */
export function withKnownTools(agent: AgentView, mounts: Pick<Mounts, 'find'>): AgentView {
  const resolve: ResolveTool = (server, tool) => builtIn(server, tool) ?? mounts.find(server, tool)?.wireName
  return { ...agent, resolve, scope: createScope(agent.lists, resolve) }
}

const builtIn: ResolveTool = (server, tool) =>
  findBuiltInTool(server, tool)?.name ??
  (server === 'router' ? findGatewayTool(server, tool)?.catalog.wireName : undefined)
