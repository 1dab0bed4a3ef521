// Whom the gateway serves: one agent with its scope, pins and budget, or anybody (M 1.6, 2.4, 6).
import { createScope, type Scope, type ScopeLists } from '../../lazy/names/scope.ts'

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
  /** The pins that count. */
  pins: readonly string[]
  schemaBudgetBytes: number | undefined
  /** Nothing but the meta-tools is wanted: `pin: []` and a budget of 0, both explicit (DESIGN 3). */
  isBare: boolean
  /** Whether the agent's scope is limited at all: then pins are reported as far as they are in it. */
  isScoped: boolean
}

export function viewAgent(
  agent: ({ name: string } & AgentLists) | undefined,
  globalPins: readonly string[] = [],
): AgentView {
  const { servers, tools, pin, schemaBudgetBytes } = agent ?? {}
  const lists: ScopeLists = { ...(servers && { servers }), ...(tools && { tools }) }
  return {
    name: agent?.name,
    lists,
    scope: createScope(lists),
    pins: pin ?? globalPins,
    schemaBudgetBytes,
    isBare: pin?.length === 0 && schemaBudgetBytes === 0,
    isScoped: servers !== undefined || tools !== undefined,
  }
}
