// Every address below /api/, and how one is found.
import { decideRoutes } from './decide-routes.ts'
import { healthRoutes } from './health-routes.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { moneyRoutes } from './money-routes.ts'
import { operationsRoutes } from './operations-routes.ts'
import { resultsRoutes } from './results-routes.ts'
import type { StudioRoute } from './route.ts'
import { sessionRoutes } from './session-routes.ts'
import { usageRoutes } from './usage-routes.ts'

const routes: readonly StudioRoute[] = [
  ...sessionRoutes,
  ...inboxRoutes,
  ...decideRoutes,
  ...operationsRoutes,
  ...moneyRoutes,
  ...resultsRoutes,
  ...usageRoutes,
  ...healthRoutes,
]

/** The methods that a path is asked with; none for one that is unknown. */
export function methodsOf(path: string): string[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}

/** The route, with the ids in the path. */
export function findRoute(method: string, path: string): { route: StudioRoute; ids: string[] } | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  for (const route of routes) {
    const match = route.method === wanted ? route.pattern.exec(path) : null
    if (match !== null) return { route, ids: match.slice(1) }
  }
  return undefined
}
