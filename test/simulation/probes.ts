import type { GongbuProbe, HubuProbe } from '../../src/backends/probe.ts'
import type { BuildStamp } from '../../src/capabilities/compatibility.ts'

/** The one release that everything in a world belongs to. */
export const stamp: BuildStamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }

const build = { product_version: stamp.productVersion, source_commit: stamp.sourceCommit }
const executor = 'hubu-spend-executor-v4.3'
const schemas = { api_schema_version: 2, mcp_schema_version: 2, mcp_protocol_version: '2024-11-05' }
const json = (body: unknown) => ({ kind: 'json', status: 200, body }) as const
const none = { kind: 'none' } as const

/** What Hubu's probes find. */
export function toHubuProbe(isUp: boolean): HubuProbe {
  if (!isUp) return { health: none, version: none }
  return { health: json({ status: 'ok' }), version: json({ ...build, executor_contract: executor }) }
}

/** What Gongbu's probes find. */
export function toGongbuProbe(isUp: boolean): GongbuProbe {
  if (!isUp) return { live: none, ready: none, version: none }
  const version = json({ ...build, hubu_executor_contract: executor, ...schemas })
  return { live: json({ status: 'live' }), ready: json({ status: 'ready' }), version }
}
