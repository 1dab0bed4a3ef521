import type { Canned } from '../../support/stub-backend.ts'

/** What this build is in golden cases, and what compatible backends are too. */
export const stamp = { productVersion: '1.2.3', sourceCommit: 'a'.repeat(40) }

/**
 * How a backend presents itself. `gone`: it answered the first probes and nothing listens any more. `degraded`: Gongbu
 * lives but is not ready.
 */
export type BackendState = 'available' | 'unconfigured' | 'unhealthy' | 'incompatible' | 'degraded' | 'gone'

const executor = 'hubu-spend-executor-v4.3'

/** What a backend in this state answers to a probe; undefined when the path is no probe. */
export function probeAnswer(backend: 'hubu' | 'gongbu', state: BackendState, path: string): Canned | undefined {
  const ok = (json: object): Canned => ({ status: 200, json })
  const version = {
    product_version: state === 'incompatible' ? '0.9.0' : stamp.productVersion,
    source_commit: stamp.sourceCommit,
  }
  const failing = { status: 503, json: { status: 'failing' } }
  switch (`${backend} ${path}`) {
    case 'hubu /health':
      return state === 'unhealthy' ? failing : ok({ status: 'ok' })
    case 'hubu /version':
      return ok({ ...version, executor_contract: executor })
    case 'gongbu /livez':
      return state === 'unhealthy' ? failing : ok({ status: 'live' })
    case 'gongbu /readyz':
      return state === 'degraded' ? { status: 503, json: { status: 'not_ready' } } : ok({ status: 'ready' })
    case 'gongbu /version':
      return ok({
        ...version,
        hubu_executor_contract: executor,
        api_schema_version: 2,
        mcp_schema_version: 2,
        mcp_protocol_version: '2024-11-05',
      })
    default:
      return undefined
  }
}
