// Whom the gateway serves: one agent with its scope, pins and budget, or anybody.
import type { Mounts } from '../downstream/mounts.ts'
import type { ResolveTool } from '../names/resolve.ts'
import { localCaller, type Right } from '../wire/request.ts'
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

/** Whom a gateway serves, and whom a token may name. */
export interface ServedAgents {
  /** Undefined: anybody. */
  agent: ({ name: string } & AgentLists) | undefined
  /** The agent of this name; undefined when there is none. */
  agentNamed(name: string): ({ name: string } & AgentLists) | undefined
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
  /** Its token names it, so nobody is told of what lies outside its scope. */
  isBound: boolean
  /** What the caller may do: contract tools that need another right are not seen. */
  rights: ReadonlySet<Right>
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
    isBound: false,
    rights: localCaller.rights,
  }
}

/** Whom the gateway serves, or the agent that a token names: its scope is the whole scope of whoever holds it. */
export function viewOf(
  { agent, agentNamed, file }: ServedAgents & { file: { pin?: readonly string[] } },
  bound?: string,
): AgentView {
  if (bound === undefined || bound === agent?.name) return viewAgent(agent, file.pin)
  // The edge lets nobody in whose agent is not there; one that is gone since then has nothing.
  const named = agentNamed(bound) ?? { name: bound, servers: [], tools: [] }
  return { ...viewAgent(named, file.pin), isBound: true }
}

/** The same agent, its names resolved among the tools that these servers have by now. */
export function withKnownTools(agent: AgentView, mounts: Pick<Mounts, 'find'>): AgentView {
  const resolve: ResolveTool = (server, tool) => builtIn(server, tool) ?? mounts.find(server, tool)?.wireName
  return { ...agent, resolve, scope: createScope(agent.lists, resolve) }
}

const builtIn: ResolveTool = (server, tool) =>
  findBuiltInTool(server, tool)?.name ??
  (server === 'router' ? findGatewayTool(server, tool)?.catalog.wireName : undefined)
