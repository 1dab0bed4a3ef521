// Pure: the answer of search_tools (M 3.3).
import { clampCount, overlongQuery, type CatalogView } from './query.ts'
import { boundedMatches, type Match } from './match.ts'

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
  matches: Match[]
}

/** A query without a usable word lists the whole catalog by name. */
export function searchTools(
  view: CatalogView,
  { query, max_hits: maxHits }: SearchToolsArguments,
): SearchToolsAnswer | ReturnType<typeof overlongQuery> {
  const refusal = overlongQuery(query)
  if (refusal !== undefined) return refusal
  const hits = view.finder.search(query) ?? view.tools.map((tool) => ({ tool }))
  const { matches, isByteLimited } = boundedMatches(hits, clampCount(maxHits, { absent: 20, most: 100 }))
  return {
    contract_version: 1,
    catalog_revision: view.revision,
    query,
    count: hits.length,
    returned: matches.length,
    truncated: matches.length < hits.length,
    byte_limited: isByteLimited,
    matches,
  }
}
