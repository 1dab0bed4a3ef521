// Every route of the server.
import { agentRoutes } from './agents/routes.ts'
import { budgetRoutes } from './budgets/routes.ts'
import { executorRoutes } from './executor/routes.ts'
import { executorContract, executorGuidance } from './guidance/executor.ts'
import { registrationGuidance } from './guidance/registration.ts'
import { historyRoutes } from './history/routes.ts'
import type { Hubu } from './hubu.ts'
import type { Writable } from './json/write.ts'
import { ledgerRoutes } from './ledger/ledger.ts'
import { policyRoutes } from './policies/routes.ts'
import type { Route } from './route.ts'
import { spendRoutes } from './spend/routes.ts'
import { userRoutes } from './users/routes.ts'

/** Routes that anybody may ask, by `METHOD path`; no check at all comes before them. */
export const publicRoutes: ReadonlyMap<string, (hubu: Hubu) => Writable> = new Map([
  ['GET /health', () => ({ status: 'ok' })],
  ['GET /version', version],
  ['GET /registration/guidance', () => registrationGuidance],
  ['GET /.well-known/hubu-agent-registration.json', () => registrationGuidance],
  ['GET /spend/executor/guidance', ({ leases }: Hubu) => executorGuidance(leases)],
  ['GET /.well-known/hubu-spend-executor.json', ({ leases }: Hubu) => executorGuidance(leases)],
])

/** Routes behind the bearer, by `METHOD path`. */
export const protectedRoutes: ReadonlyMap<string, Route> = new Map(
  [
    ...userRoutes,
    ...agentRoutes,
    ...policyRoutes,
    ...budgetRoutes,
    ...spendRoutes,
    ...executorRoutes,
    ...ledgerRoutes,
    ...historyRoutes,
  ].map((route) => [`${route.method} ${route.path}`, route]),
)

function version({ stamp }: Hubu): Writable {
  return {
    product_version: stamp.productVersion,
    source_commit: stamp.sourceCommit,
    executor_contract: executorContract,
  }
}
