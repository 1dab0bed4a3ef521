// What the rest of the program asks: which tools fit this request, best first, and why.
import { answerOf } from './evidence.ts'
import { namedTools, type NamedTools } from './named-tools.ts'
import { analyze, type Analysis } from './query/analyze.ts'
import type { How } from './query/group.ts'
import { rank, type Ranked, type RankedTools } from './rank.ts'
import type { SearchIndex } from './search-index.ts'

/** Which tools are asked for. */
export interface SearchOptions {
  /** At most so many hits; 20 unless told. */
  limit?: number
  /** Only tools of this server. */
  server?: string
}

/** One thing that was said and how the tool answers it. */
export interface Match {
  /** The word or phrase of the request, folded. */
  said: string
  /** The word of the catalog that it was found as; the server's name when only the server answers. */
  found: string
  how: How | 'server'
}

/** One tool that fits. */
export interface Hit {
  id: string
  publicName: string
  /** Whole number, 1 or more (0 when nothing was ranked), comparable within one answer only. */
  score: number
  /** In the order of the request; empty when the request is the tool's name. */
  matched: Match[]
}

/** The answer to a search. */
export interface SearchAnswer {
  hits: Hit[]
  /** All tools that fit; with `isGeneric` all there are. */
  total: number
  /** Tools in the index, or on the server asked for. */
  searched: number
  /** The request has no word about any tool: all are listed by name, without scores. */
  isGeneric: boolean
}

/** Scores are shown in hundredths. */
const scale = 100
const defaultLimit = 20

/** Ranks the tools for a request of any length. Never throws; the time is bounded by the size of the index. */
export function search(index: SearchIndex, query: string, options: SearchOptions = {}): SearchAnswer {
  const { limit = defaultLimit, server } = options
  const searched = countOf(index, server)
  const ranking = rankAll(index, query, Math.max(0, limit), server)
  if (ranking.analysis.isGeneric && ranking.named === null) {
    return { hits: listed(index, server).slice(0, limit), total: searched, searched, isGeneric: true }
  }
  const hits = ranking.best.map((entry) => toHit(index, ranking.analysis, entry))
  return { hits, total: ranking.total, searched, isGeneric: false }
}

/** A request's words, the tools it names, and what matches, best first. */
export interface Ranking extends RankedTools {
  readonly analysis: Analysis
  readonly named: NamedTools | null
}

/** Ranks, with the tools that the request names in front; `keep` of the best are kept. */
export function rankAll(index: SearchIndex, query: string, keep: number, server: string | undefined): Ranking {
  const analysis = analyze(index, query)
  const named = namedTools(index, query, server)
  const ranked = rank(index, analysis, { server, keep, ...(named && { named: new Set(named.tools) }) })
  return { analysis, named, ...ranked }
}

/** A score as it is shown. */
export const shownScore = ({ score }: Ranked): number => Math.max(1, Math.round(score * scale))

/** A ranked tool as it is shown. */
export function toHit(index: SearchIndex, analysis: Analysis, ranked: Ranked): Hit {
  const { tool } = ranked
  const entry = index.tools[tool]
  return {
    id: entry?.id ?? '',
    publicName: entry?.publicName ?? '',
    score: shownScore(ranked),
    matched: matchesOf(index, analysis, tool),
  }
}

function matchesOf(index: SearchIndex, analysis: Analysis, tool: number): Match[] {
  const server = index.servers[index.tools[tool]?.server ?? -1]?.name ?? ''
  const matches: Match[] = []
  for (const group of analysis.groups) {
    const { quality, variant } = answerOf(index, group, tool)
    if (quality === 0 || matches.some(({ said }) => said === group.said)) continue
    const found = variant === null ? server : variant.term.replaceAll('_', ' ')
    matches.push({ said: group.said, found, how: variant?.how ?? 'server' })
  }
  return matches
}

function listed(index: SearchIndex, server: string | undefined): Hit[] {
  const numbers = index.tools.map((_, tool) => tool).filter((tool) => isOn(index, tool, server))
  numbers.sort((a, b) => (index.nameOrder[a] ?? 0) - (index.nameOrder[b] ?? 0))
  return numbers.map((tool) => ({
    id: index.tools[tool]?.id ?? '',
    publicName: index.tools[tool]?.publicName ?? '',
    score: 0,
    matched: [],
  }))
}

const isOn = (index: SearchIndex, tool: number, server: string | undefined): boolean =>
  server === undefined || index.servers[index.tools[tool]?.server ?? -1]?.name === server

function countOf(index: SearchIndex, server: string | undefined): number {
  return server === undefined ? index.tools.length : index.tools.filter((_, tool) => isOn(index, tool, server)).length
}
