// The agent's catalog with its search index: made once for each revision, away from the calls.
import type { States } from '../capabilities/availability.ts'
import { listedTools } from '../capabilities/availability.ts'
import type { ToolFinder } from './meta-tools/finder.ts'
import { byPublicName, type CatalogTool } from './catalog/catalog-tool.ts'
import { catalogRevision } from './catalog/revision.ts'

/** One revision. */
export interface CatalogRevision {
  /** By public name. */
  tools: readonly CatalogTool[]
  revision: string
  /** Begun with the revision; whoever needs it earlier waits. */
  finder: Promise<ToolFinder>
}

/** Read only when somebody asks for the catalog; the tools and the finder only when the generation or the states have changed. */
export interface CatalogSources {
  /** Another number when mounted tools may have changed. */
  generation(): number
  states(): States
  contract(): CatalogTool[]
  mounted(): CatalogTool[]
  makeFinder(tools: readonly CatalogTool[]): Promise<ToolFinder>
}

/** Keeps the present revision. */
export interface CatalogKeeper {
  current(): CatalogRevision
}

export function createCatalogKeeper(sources: CatalogSources): CatalogKeeper {
  let present: { key: string; value: CatalogRevision } | undefined
  return {
    current() {
      const key = `${sources.generation()} ${listedTools(sources.states()).join()}`
      if (present?.key === key) return present.value
      const tools = [...sources.contract(), ...sources.mounted()].sort(byPublicName)
      const revision = catalogRevision(tools)
      // The same texts need no other index; their tools are what they were.
      const isSame = present?.value.revision === revision && isSameTools(present.value.tools, tools)
      const finder = isSame ? present!.value.finder : sources.makeFinder(tools)
      finder.catch(() => {})
      present = { key, value: { tools, revision, finder } }
      return present.value
    },
  }
}

function isSameTools(before: readonly CatalogTool[], after: readonly CatalogTool[]): boolean {
  return before.length === after.length && before.every((tool, at) => tool.inputSchema === after[at]?.inputSchema)
}
