// What `tools/list` shows through the gateway, and whether that has changed.
import { createHash } from 'node:crypto'
import { metaToolDefinitions } from '#generated/meta-tools.js'
import { rightOfTool } from '../calls/rights.ts'
import { listedTools, type States } from '../capabilities/availability.ts'
import type { MountedTool } from '../downstream/definition.ts'
import { pinned } from '../names/pins.ts'
import { gatewayTools } from './gateway-tools.ts'
import { chooseListed, type Chosen, type Listable } from './listed-tools.ts'
import type { AgentView } from './agent.ts'
import { entryOf, isByNameOnly, isContractToolInScope, isContractToolPinned } from './contract-tools.ts'

/** The same facts make the same list, to the byte. */
export interface ListingFacts {
  expose: 'all' | 'lazy'
  agent: AgentView
  trustClientApproval: boolean
  states: States
  mounted: readonly MountedTool[]
}

/** The list, and what became of the agent's schema budget. */
export interface Listing {
  tools: object[]
  /** Tools besides the meta-tools. */
  advertised: number
  report: Chosen<Listable>['report']
}

export function listThroughGateway(facts: ListingFacts): Listing {
  const { expose, agent } = facts
  const own = gatewayCandidates(facts)
  const candidates = [...contractCandidates(facts), ...own, ...mountedCandidates(facts)]
  const rules = { expose, budgetBytes: agent.schemaBudgetBytes, isBare: agent.isBare }
  const { listed, report } = chooseListed(candidates, rules)
  const definitions = listed.map(({ definition }) => definition)
  const added = new Set(own.map(({ definition }) => definition))
  const tools =
    expose === 'lazy'
      ? [...metaToolDefinitions, ...definitions]
      : [
          ...definitions.filter((definition) => !added.has(definition)),
          ...metaToolDefinitions,
          ...definitions.filter((definition) => added.has(definition)),
        ]
  return { tools, advertised: listed.length, report }
}

function contractCandidates({ expose, agent, trustClientApproval, states }: ListingFacts): Listable[] {
  return listedTools(states)
    .map(entryOf)
    .filter((entry) => isContractToolInScope(entry, agent.lists) && agent.rights.has(rightOfTool(entry.name)))
    .filter(({ row }) => expose === 'all' || row.approval_class !== 'protected' || trustClientApproval)
    .map((entry) => ({
      name: entry.name,
      definition: entry.definition,
      isPinned: isContractToolPinned(entry, agent.pins),
      isByNameOnly: isByNameOnly(entry),
    }))
}

function gatewayCandidates({ agent, states }: ListingFacts): Listable[] {
  const isPinned = pinned(agent.pins, agent.resolve)
  return gatewayTools(states, agent).map(({ name, definition, catalog }) => ({
    name,
    definition,
    isPinned: isPinned('router', catalog.wireName),
    isByNameOnly: false,
  }))
}

function mountedCandidates({ agent, mounted }: ListingFacts): Listable[] {
  const isPinned = pinned(agent.pins, agent.resolve)
  return mounted.flatMap(({ server, wireName, publicName, shown }) => {
    if (shown.kind === 'left_out') return []
    const { definition } = shown
    return [{ name: publicName, definition, isPinned: isPinned(server, wireName), isByNameOnly: false }]
  })
}

const digests = new WeakMap<object, string>()

/** One text for a whole list; equal lists give equal texts. */
export function fingerprint({ tools }: Listing): string {
  const hash = createHash('sha256')
  for (const tool of tools) {
    let digest = digests.get(tool)
    if (digest === undefined) {
      digest = createHash('sha256').update(JSON.stringify(tool)).digest('base64')
      digests.set(tool, digest)
    }
    hash.update(digest)
  }
  return hash.digest('base64')
}
