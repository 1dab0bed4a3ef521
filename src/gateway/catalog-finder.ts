// The catalog's search index behind the port that the answers use.
import type { Found, ToolFinder, QueryMeaning } from './meta-tools/finder.ts'
import type { ShownTool } from './meta-tools/match.ts'
import type { CatalogTool } from './catalog/catalog-tool.ts'
import { buildIndexInSlices } from '../search/build-index.ts'
import type { ToolDocument } from '../search/document.ts'
import { resolve } from '../search/resolve.ts'
import { search, type Hit } from '../search/search.ts'

/** Builds the index of one revision, in slices of some milliseconds with `pause` between them. */
export async function createCatalogFinder(
  tools: readonly CatalogTool[],
  pause: () => Promise<void>,
): Promise<ToolFinder> {
  const byName = new Map(tools.map((tool) => [tool.publicName, tool]))
  const index = await buildIndexInSlices(tools.map(toDocument), pause)
  const toHits = (found: readonly Hit[]): ShownTool[] =>
    found.flatMap(({ publicName, score, matched }) => {
      const tool = byName.get(publicName)
      return tool === undefined ? [] : [{ tool, score, matchedTerms: matched.map(({ said }) => said) }]
    })
  return {
    search(query, most): Found | undefined {
      const { hits, total, isGeneric } = search(index, query, { limit: most })
      return isGeneric ? undefined : { hits: toHits(hits), total }
    },
    resolve(query, most): QueryMeaning {
      const found = resolve(index, query, { limit: most })
      if (found.kind === 'none') return { kind: found.reasons.includes('query_too_generic') ? 'generic' : 'none' }
      const { confidence, reasons, candidates, total, matchedFraction, scoreGap } = found
      return {
        kind: 'match',
        isAmbiguous: found.kind === 'ambiguous',
        confidence,
        reasonCodes: reasons,
        hits: toHits(candidates),
        total,
        matchedFraction,
        scoreGap,
      }
    },
  }
}

function toDocument(tool: CatalogTool): ToolDocument {
  const { server, wireName, shortName, publicName, aliases, title, description, inputSchema, useWhen } = tool
  const id = `${server.name}/${wireName}`
  return { id, server, wireName, shortName, publicName, aliases, title, description, inputSchema, useWhen }
}
