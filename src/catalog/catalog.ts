// This room knows what tools exist and who owns them. Routing is by its table only, never by a name's prefix.
import { toolDefinitions, type ToolDefinition } from '#generated/catalog.js'
import { ownership, type ApprovalClass, type OwnershipRow, type ToolName } from '#generated/ownership.js'

/** One tool: how it is shown and who answers it. */
export interface ToolEntry {
  name: ToolName
  definition: ToolDefinition
  row: OwnershipRow
}

/** All 34 tools in contract order. */
export const toolEntries: readonly ToolEntry[] = toolDefinitions.map((definition) => ({
  name: definition.name,
  definition,
  row: ownership[definition.name],
}))

const byName = new Map<string, ToolEntry>(toolEntries.map((entry) => [entry.name, entry]))

/** The tool of this name; an unknown name has no owner and goes no further. */
export function findTool(name: string): ToolEntry | undefined {
  return byName.get(name)
}

/** The names of a class, in contract order. */
export function toolsOfClass(...classes: ApprovalClass[]): ToolName[] {
  return toolEntries.filter((entry) => classes.includes(entry.row.approval_class)).map((entry) => entry.name)
}
