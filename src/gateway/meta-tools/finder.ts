// What the answers ask of the search: a port, so that they hold no index.
import type { ShownTool } from './match.ts'

/** Tools that match, best first, as many as were asked for, and how many there are in all. */
export interface Found {
  hits: readonly ShownTool[]
  total: number
}

/** What a query means, compared with the whole catalog. */
export type QueryMeaning =
  /** The query holds no word that tells tools apart. */
  | { kind: 'generic' }
  /** No tool has anything to do with it. */
  | { kind: 'none' }
  | (Found & {
      kind: 'match'
      isAmbiguous: boolean
      confidence: 'high' | 'medium' | 'low'
      reasonCodes: readonly string[]
      /** Share of the query that the best tool answers, 0 to 1. */
      matchedFraction: number
      /** Distance of the best score to the second, or the best score when it is alone. */
      scoreGap: number
    })

/** Finds tools of one revision of the catalog. */
export interface ToolFinder {
  /** Undefined when the query holds no word that tells tools apart. */
  search(query: string, most: number): Found | undefined
  /** At least one hit where anything matches. */
  resolve(query: string, most: number): QueryMeaning
}
