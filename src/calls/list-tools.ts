// Pure: the catalog and what is known of the backends become tools/list.
import { metaToolDefinitions, type MetaToolDefinition } from '#generated/meta-tools.js'
import type { ToolDefinition } from '#generated/catalog.js'
import { isListed, type States } from '../capabilities/availability.ts'
import { toolEntries } from '../catalog/catalog.ts'

/**
 * The tools that can be called now, in contract order, without paging; last, while oversized results are stored, the
 * one that fetches them.
 */
export function listTools(
  states: States,
  options: { storesResults: boolean } = { storesResults: false },
): { tools: (ToolDefinition | MetaToolDefinition)[] } {
  const contract = toolEntries.filter((entry) => isListed(entry.name, states)).map((entry) => entry.definition)
  return { tools: options.storesResults ? [...contract, getResultDefinition] : contract }
}

const getResultDefinition = metaToolDefinitions.find(({ name }) => name === 'get_result')!
