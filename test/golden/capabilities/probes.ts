// What the backends answer to one round of probes, by how they are.
import type { RegistryCapability } from '#generated/types/router.js'
import type { GongbuProbe, HubuProbe, ProbeAnswer } from '../../../src/backends/probe.ts'

const json = (body: unknown, status = 200): ProbeAnswer => ({ kind: 'json', status, body })
const none: ProbeAnswer = { kind: 'none' }

const build = { product_version: '1.2.3', source_commit: 'a'.repeat(40) }
const hubuVersion = { ...build, executor_contract: 'hubu-spend-executor-v4.3' }
const gongbuVersion = {
  ...build,
  hubu_executor_contract: 'hubu-spend-executor-v4.3',
  api_schema_version: 2,
  mcp_schema_version: 2,
  mcp_protocol_version: '2024-11-05',
}

const hubuWell: HubuProbe = { health: json({ status: 'ok' }), version: json(hubuVersion) }
const gongbuWell: GongbuProbe = {
  live: json({ status: 'live' }),
  ready: json({ status: 'ready' }),
  version: json(gongbuVersion),
}

/** One round of answers for each way a backend can be. */
export const probesOf = {
  hubu: {
    available: hubuWell,
    silent: { health: none, version: none },
    otherExecutor: { ...hubuWell, version: json({ ...hubuVersion, executor_contract: 'hubu-spend-executor-v4.2' }) },
  },
  gongbu: {
    available: gongbuWell,
    notReady: { ...gongbuWell, ready: json({ status: 'not_ready' }, 503) },
    dead: { live: json({ status: 'dead' }), ready: none, version: json({ ...gongbuVersion, secret_path: '/private' }) },
  },
} satisfies { hubu: Record<string, HubuProbe>; gongbu: Record<string, GongbuProbe> }

/** A registry that is open. */
export const registryUp: RegistryCapability = {
  state: 'available',
  reason_code: null,
  billable_operations_available: true,
}

/** A process that was given no registry file. */
export const registryMissing: RegistryCapability = {
  state: 'unavailable',
  reason_code: 'configuration_missing',
  billable_operations_available: false,
}
