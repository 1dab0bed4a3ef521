// Pure: the catalog and what is known of the backends become tools/list.
import type { ToolDefinition } from '#generated/catalog.js'
import { isListed, type States } from '../capabilities/availability.ts'
import { toolEntries } from '../catalog/catalog.ts'

/** The tools that can be called now, in contract order, without paging (R 2.4). */
export function listTools(states: States): { tools: ToolDefinition[] } {
  return { tools: toolEntries.filter((entry) => isListed(entry.name, states)).map((entry) => entry.definition) }
}
