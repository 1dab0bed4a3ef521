// What the answers ask of the search: a port, so that they hold no index.
import type { Hit } from './match.ts'

/** What a query means, compared with the whole catalog (M 3.5, 3.10). */
export type Verdict =
  /** The query holds no word that tells tools apart. */
  | { kind: 'generic' }
  /** No tool has anything to do with it. */
  | { kind: 'none' }
  | {
      kind: 'match'
      isAmbiguous: boolean
      confidence: 'high' | 'medium' | 'low'
      reasonCodes: readonly string[]
      /** Share of the query's words that the best tool matches, 0 to 1. */
      matchedFraction: number
      /** Distance of the best score to the second, or the best score when it is alone. */
      scoreGap: number
      /** Best first; at least one. */
      hits: readonly Hit[]
    }

/** Finds tools of one revision of the catalog. */
export interface ToolFinder {
  /** Every tool that matches, best first; undefined when the query holds no word that tells tools apart. */
  search(query: string): readonly Hit[] | undefined
  resolve(query: string): Verdict
}
