// Pure: one found tool as search_tools and resolve_tool show it.
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { Compactor } from './compact.ts'

/** One tool that a query found. */
export interface ShownTool {
  tool: CatalogTool
  /** Undefined where nothing was compared: an empty query lists the catalog. */
  score?: number
  /** Words of the query that it matches, in their order there. */
  matchedTerms?: readonly string[]
}

/** One of `matches[]` or `alternatives[]`. */
export interface ToolMatch {
  namespaced: string
  server: string
  tool: string
  title?: string
  description: string
  server_description?: string
  tags?: string[]
  use_when?: string[]
  tool_use_when?: string[]
  score?: number
  matched_terms?: string[]
  metadata_truncated?: true
  /** It must be called by its own name. */
  direct_call?: true
}

/** Every text of a hit within its bounds. */
export interface CompactHit {
  title: string
  description: string
  serverDescription: string
  tags: string[]
  useWhen: string[]
  toolUseWhen: string[]
  matchedTerms: string[]
  isTruncated: boolean
}

export function compactHit({ tool, matchedTerms = [] }: ShownTool): CompactHit {
  const compactor = new Compactor()
  const { server } = tool
  const compact = {
    title: compactor.text(tool.title, 160),
    description: compactor.text(tool.description, 256),
    serverDescription: compactor.text(server.description ?? '', 160),
    tags: compactor.list(server.tags ?? [], 6, 128),
    useWhen: compactor.list(server.useWhen ?? [], 3, 256),
    toolUseWhen: compactor.list(tool.useWhen, 3, 256),
    matchedTerms: compactor.list(matchedTerms, 24, 256),
  }
  return { ...compact, isTruncated: compactor.isTruncated }
}

/** What is empty is left out. */
export function toMatch(hit: ShownTool): ToolMatch {
  const { tool, score } = hit
  const compact = compactHit(hit)
  return {
    namespaced: tool.publicName,
    server: tool.server.name,
    tool: tool.shortName,
    ...(compact.title !== '' && { title: compact.title }),
    description: compact.description,
    ...(compact.serverDescription !== '' && { server_description: compact.serverDescription }),
    ...(compact.tags.length > 0 && { tags: compact.tags }),
    ...(compact.useWhen.length > 0 && { use_when: compact.useWhen }),
    ...(compact.toolUseWhen.length > 0 && { tool_use_when: compact.toolUseWhen }),
    ...(score !== undefined && { score }),
    ...(compact.matchedTerms.length > 0 && { matched_terms: compact.matchedTerms }),
    ...(compact.isTruncated && { metadata_truncated: true as const }),
    ...(tool.isDirectCall && { direct_call: true as const }),
  }
}

const arrayLimitBytes = 12_288

/** Matches in order, as many as the count and 12 KiB allow; at least one when there is one. */
export function boundedMatches(
  hits: readonly ShownTool[],
  most: number,
): { matches: ToolMatch[]; isByteLimited: boolean } {
  const matches: ToolMatch[] = []
  let bytes = 0
  for (const hit of hits.slice(0, most)) {
    const match = toMatch(hit)
    const size = Buffer.byteLength(JSON.stringify(match)) + (matches.length > 0 ? 1 : 0)
    if (matches.length > 0 && bytes + size > arrayLimitBytes) return { matches, isByteLimited: true }
    bytes += size
    matches.push(match)
  }
  return { matches, isByteLimited: false }
}
