// Pure: what the two searching tools have in common.
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { ToolFinder } from './finder.ts'

/** One revision of the catalog, as far as the agent may see it. */
export interface CatalogView {
  /** By public name. */
  tools: readonly CatalogTool[]
  revision: string
  finder: ToolFinder
  /** Servers in scope whose tools are not in it yet, since they have still to be connected for the first time. */
  connecting: readonly string[]
}

const queryLimitBytes = 2048

/** The refusal of an overlong query, which does not repeat it. */
export interface OverlongQuery {
  error: string
  max_query_bytes: number
}

/** Undefined when the query may be searched for. */
export function overlongQuery(query: string): OverlongQuery | undefined {
  if (query.length <= queryLimitBytes && Buffer.byteLength(query) <= queryLimitBytes) return undefined
  return {
    error: 'The query is too long. Say in one or two sentences what should be achieved, without file contents.',
    max_query_bytes: queryLimitBytes,
  }
}

/** What an answer says of servers that may yet have a better one; undefined when there are none. */
export function notYetSearched(connecting: readonly string[]): string | undefined {
  if (connecting.length === 0) return undefined
  const names = connecting.slice(0, namedServers).join(', ')
  const more = connecting.length > namedServers ? ` and ${connecting.length - namedServers} more` : ''
  return `Still connecting, and not part of this answer: ${names}${more}. Ask again in a few seconds if you expect a tool of theirs.`
}

const namedServers = 5

/** A count that was asked for, within its bounds. */
export function clampCount(asked: number | undefined, { absent, most }: { absent: number; most: number }): number {
  return asked === undefined || asked <= 0 ? absent : Math.min(asked, most)
}
