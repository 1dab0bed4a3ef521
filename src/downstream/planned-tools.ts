import { findWireName, fragment, planFragments, publicName } from '../names/fragment.ts'
import type { ListedTool } from './connection.ts'
import { mountTools, type MountedTool } from './definition.ts'

/** The tools of one server, found by their names; made once for each list that the server gives. */
export interface PlannedTools {
  offered: readonly ListedTool[]
  tools: readonly MountedTool[]
  byPublicName: ReadonlyMap<string, MountedTool>
  /** The tool that any accepted form of its own name means. */
  find(tool: string): MountedTool | undefined
}

/** Gives a server's tools their names. */
export function planTools(server: string, offered: readonly ListedTool[]): PlannedTools {
  const tools = mountTools(server, offered)
  const byWireName = new Map(tools.map((tool) => [tool.wireName, tool]))
  const byPublicName = new Map(tools.map((tool) => [tool.publicName, tool]))
  const fragments = planFragments(
    server,
    tools.map(({ wireName }) => wireName),
  )
  return {
    offered,
    tools,
    byPublicName,
    find(tool) {
      const wireName = findWireName(server, tool, fragments)
      return wireName === undefined
        ? byPublicName.get(publicName(server, fragment(server, tool)))
        : byWireName.get(wireName)
    },
  }
}
