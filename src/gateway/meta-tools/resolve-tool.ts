// Pure: the answer of resolve_tool.
import { argumentTemplate } from '../catalog/argument-template.ts'
import type { QueryMeaning } from './finder.ts'
import { boundedMatches, compactHit, type ShownTool, type ToolMatch } from './match.ts'
import { clampCount, notYetSearched, overlongQuery, type CatalogView, type OverlongQuery } from './query.ts'

/** The arguments of resolve_tool, checked. */
export interface ResolveToolArguments {
  query: string
  max_hits?: number
}

/** The one tool that fits best. */
export interface Recommendation {
  server: string
  tool: string
  namespaced: string
  title: string
  description: string
  server_description: string
  use_when: string[]
  tool_use_when: string[]
  score: number
  matched_terms: string[]
  metadata_truncated: boolean
  required_fields: readonly string[]
  argument_template: Readonly<Record<string, '<value>' | null>>
  argument_template_truncated: boolean
  /** It must be called by its own name. */
  direct_call?: true
}

/** What resolve_tool answers. */
export interface ResolveToolAnswer {
  contract_version: 1
  catalog_revision: string
  status: 'confident' | 'ambiguous' | 'no_match'
  confidence: 'high' | 'medium' | 'low' | 'none'
  reason_codes: readonly string[]
  query: string
  matched_fraction?: number
  score_gap?: number
  recommendation: Recommendation | null
  ambiguous: boolean
  alternatives: ToolMatch[]
  alternatives_truncated?: boolean
  hint: string
}

export function resolveTool(
  view: CatalogView,
  { query, max_hits: maxHits }: ResolveToolArguments,
): ResolveToolAnswer | OverlongQuery {
  const refusal = overlongQuery(query)
  if (refusal !== undefined) return refusal
  const most = clampCount(maxHits, { absent: 5, most: 10 })
  const meaning = view.finder.resolve(query, most + 1)
  const head = { contract_version: 1 as const, catalog_revision: view.revision }
  if (meaning.kind !== 'match') {
    return {
      ...head,
      status: 'no_match',
      confidence: 'none',
      reason_codes: [meaning.kind === 'generic' ? 'query_too_generic' : 'no_lexical_overlap'],
      query,
      recommendation: null,
      ambiguous: false,
      alternatives: [],
      hint: withServers(hints[meaning.kind], view),
    }
  }
  const [best, ...rest] = meaning.hits
  const recommendation = recommend(best!)
  const { matches } = boundedMatches(rest, most)
  return {
    ...head,
    status: meaning.isAmbiguous ? 'ambiguous' : 'confident',
    confidence: meaning.confidence,
    reason_codes: meaning.reasonCodes,
    query,
    matched_fraction: meaning.matchedFraction,
    score_gap: meaning.scoreGap,
    recommendation,
    ambiguous: meaning.isAmbiguous,
    alternatives: matches,
    alternatives_truncated: matches.length < meaning.total - 1,
    hint: withServers(nextStep(meaning, recommendation), view),
  }
}

function recommend(hit: ShownTool): Recommendation {
  const { tool, score = 0 } = hit
  const compact = compactHit(hit)
  const { required, template, isTruncated } = argumentTemplate(tool.inputSchema)
  return {
    server: tool.server.name,
    tool: tool.shortName,
    namespaced: tool.publicName,
    title: compact.title,
    description: compact.description,
    server_description: compact.serverDescription,
    use_when: compact.useWhen,
    tool_use_when: compact.toolUseWhen,
    score,
    matched_terms: compact.matchedTerms,
    metadata_truncated: compact.isTruncated,
    required_fields: required,
    argument_template: template,
    argument_template_truncated: isTruncated,
    ...(tool.isDirectCall && { direct_call: true as const }),
  }
}

const hints = {
  generic: 'The query says too little. Say what should be achieved and with what, or browse with search_tools.',
  none: 'No tool in scope matches. Say it in other words, browse with search_tools, or look at list_servers.',
}

function withServers(hint: string, { connecting }: CatalogView): string {
  const more = notYetSearched(connecting)
  return more === undefined ? hint : `${hint} ${more}`
}

function nextStep(meaning: QueryMeaning & { kind: 'match' }, { namespaced, ...tool }: Recommendation): string {
  if (meaning.isAmbiguous) {
    return (
      'Several tools fit or none fits well: do not call one unseen. Compare the alternatives, search_tools with more detail, ' +
      'or ask; then read describe_tool of your choice.'
    )
  }
  const call = tool.direct_call
    ? `call ${namespaced} directly, by its own name`
    : `call_tool with tool ${namespaced} and the filled argument_template as arguments`
  if (tool.argument_template_truncated) return `Read describe_tool of ${namespaced} first, then ${call}.`
  return `Fill every <value>, drop or fill each null, then ${call}.`
}
