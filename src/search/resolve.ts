// One tool for a request, with as much confidence as the evidence bears, or an honest "look yourself".
import { evidenceOf, type Evidence } from './evidence.ts'
import { rankAll, shownScore, toHit, type Hit, type Ranking, type SearchOptions } from './search.ts'
import type { SearchIndex } from './search-index.ts'

/** Why an answer is as sure as it is; the codes that agents see. */
export type ReasonCode =
  | 'query_too_generic'
  | 'no_lexical_overlap'
  | 'single_candidate'
  | 'score_tie'
  | 'close_scores'
  | 'weak_coverage'
  | 'low_matched_fraction'
  | 'strong_coverage_and_margin'
  | 'clear_margin'
  | 'exact_name'
  | 'several_named'
  | 'other_action'
  | 'other_product'

/** What was decided. `match` names a tool; `ambiguous` only offers candidates; `none` has nothing to offer. */
export type Resolution =
  | { kind: 'none'; confidence: 'none'; reasons: ReasonCode[] }
  | {
      kind: 'match' | 'ambiguous'
      confidence: 'high' | 'medium' | 'low'
      reasons: ReasonCode[]
      /** Best first, at least one; bounded by the limit. */
      candidates: Hit[]
      /** All tools that fit. */
      total: number
      /** Share of what was said that the first candidate answers, 0 to 1. */
      matchedFraction: number
      /** Distance to the second candidate, or the first one's score when it is alone. */
      scoreGap: number
    }

/** Estimated chance of being right from which a tool is named, and from which it is named with high confidence. */
const sureEnough = 0.76
const verySure = 0.88
const closeMargin = 0.1
const defaultLimit = 6

/** Decides for a request of any length; `limit` bounds the candidates, the first one included. */
export function resolve(index: SearchIndex, query: string, options: SearchOptions = {}): Resolution {
  const { limit = defaultLimit, server } = options
  const ranking = rankAll(index, query, Math.max(2, limit), server)
  const [top, second] = ranking.best
  if (ranking.analysis.isGeneric && ranking.named === null) return none('query_too_generic')
  if (top === undefined) return none('no_lexical_overlap')
  const evidence = evidenceOf(index, ranking.analysis, top, second)
  const candidates = ranking.best.slice(0, Math.max(1, limit)).map((entry) => toHit(index, ranking.analysis, entry))
  return {
    ...decide(ranking, evidence),
    candidates,
    total: ranking.total,
    matchedFraction: ranking.named?.how === 'whole' ? 1 : evidence.said,
    scoreGap: shownScore(top) - (second === undefined ? 0 : shownScore(second)),
  }
}

const none = (reason: ReasonCode): Resolution => ({ kind: 'none', confidence: 'none', reasons: [reason] })

type Decision = Pick<Extract<Resolution, { kind: 'match' | 'ambiguous' }>, 'kind' | 'confidence' | 'reasons'>

function decide(ranking: Ranking, evidence: Evidence): Decision {
  const single: ReasonCode[] = ranking.total === 1 ? ['single_candidate'] : []
  const { named } = ranking
  if (named?.tools.length === 1) return { kind: 'match', confidence: 'high', reasons: [...single, 'exact_name'] }
  if (named !== null) return { kind: 'ambiguous', confidence: 'low', reasons: ['several_named'] }
  const chance = chanceOf(evidence)
  // No chance makes up for a tie, or for a product that the tool has nothing to do with.
  if (evidence.margin === 0 || evidence.isElsewhere || chance < sureEnough) {
    return { kind: 'ambiguous', confidence: 'low', reasons: [...single, ...doubts(evidence)] }
  }
  return chance >= verySure
    ? { kind: 'match', confidence: 'high', reasons: [...single, 'strong_coverage_and_margin'] }
    : { kind: 'match', confidence: 'medium', reasons: [...single, 'clear_margin'] }
}

/** What speaks against the best tool; never empty. */
function doubts({ margin, said, unanswered, action, isElsewhere }: Evidence): ReasonCode[] {
  const found: ReasonCode[] = []
  if (margin === 0) found.push('score_tie')
  else if (margin < closeMargin) found.push('close_scores')
  if (said < 0.3) found.push('low_matched_fraction')
  if (action === -1) found.push('other_action')
  if (isElsewhere) found.push('other_product')
  if (unanswered > 0 || found.length === 0) found.push('weak_coverage')
  return found
}

/**
 * Chance that the best tool is the right one: a logistic model of the evidence, fitted on labelled requests and judged on those
 * left out. Misses of requests that no tool fits weighed double.
 */
function chanceOf(evidence: Evidence): number {
  const { said, name, action, unanswered } = evidence
  const margin = Math.min(evidence.margin, 0.5)
  const sum =
    -1.6 +
    1 * said +
    1.2 * name +
    1.05 * margin +
    1.05 * Math.min(evidence.strength, 1.5) +
    1.05 * margin * said +
    (action === 1 ? 0.35 : action === -1 ? -0.4 : 0) -
    0.38 * Math.min(unanswered, 4)
  return 1 / (1 + Math.exp(-sum))
}
