// Pure: the answer of search_tools.
import type { Found } from './finder.ts'
import { clampCount, notYetSearched, overlongQuery, type CatalogView, type OverlongQuery } from './query.ts'
import { boundedMatches, type ToolMatch } from './match.ts'

/** The arguments of search_tools, checked. */
export interface SearchToolsArguments {
  query: string
  max_hits?: number
}

/** What search_tools answers. */
export interface SearchToolsAnswer {
  contract_version: 1
  catalog_revision: string
  query: string
  /** All matches. */
  count: number
  returned: number
  truncated: boolean
  /** Fewer were returned than asked for, because of their size. */
  byte_limited: boolean
  matches: ToolMatch[]
  /** What is not searched yet. */
  hint?: string
}

/** A query without a usable word lists the whole catalog by name. */
export function searchTools(
  view: CatalogView,
  { query, max_hits: maxHits }: SearchToolsArguments,
): SearchToolsAnswer | OverlongQuery {
  const refusal = overlongQuery(query)
  if (refusal !== undefined) return refusal
  const most = clampCount(maxHits, { absent: 20, most: 100 })
  const found = view.finder.search(query, most) ?? everything(view.tools)
  const { matches, isByteLimited } = boundedMatches(found.hits, most)
  const hint = notYetSearched(view.connecting)
  return {
    contract_version: 1,
    catalog_revision: view.revision,
    query,
    count: found.total,
    returned: matches.length,
    truncated: matches.length < found.total,
    byte_limited: isByteLimited,
    matches,
    ...(hint !== undefined && { hint }),
  }
}

function everything(tools: CatalogView['tools']): Found {
  return { hits: tools.map((tool) => ({ tool })), total: tools.length }
}
