import { protocol } from '#generated/protocol.js'
import type { GongbuCapability, HubuCapability } from '#generated/types/router.js'
import type { GongbuProbe, HubuProbe, ProbeAnswer } from '../backends/probe.ts'
import { member } from '../json/read.ts'

/** What this build says it is, and what a compatible backend must say too. */
export interface BuildStamp {
  readonly productVersion: string
  /** 40 lower-case hex digits; anything else, such as `unknown`, is compatible with nothing. */
  readonly sourceCommit: string
}

/** A backend without endpoint or token. */
export const unconfiguredHubu: HubuCapability = hubu('unconfigured', 'configuration_missing', undefined)
export const unconfiguredGongbu: GongbuCapability = gongbu('unconfigured', 'configuration_missing', undefined)

/** A backend that has not answered its first probe yet. */
export const unprobedHubu: HubuCapability = hubu('unavailable', 'health_unavailable', undefined)
export const unprobedGongbu: GongbuCapability = gongbu('unavailable', 'liveness_unavailable', undefined)

/** Judges one round of Hubu probes: the first failing check wins. Versions are reported whatever the state. */
export function judgeHubu({ health, version }: HubuProbe, stamp: BuildStamp): HubuCapability {
  const reported = bodyOf(version)
  if (!isHealthy(health, 'ok')) return hubu('unavailable', 'health_unavailable', reported)
  if (!isSuccess(version)) return hubu('unavailable', 'version_unavailable', reported)
  const mismatch = mismatchOfBuild(reported, stamp) ?? mismatchOfExecutor(reported, 'executor_contract')
  return mismatch ? hubu('incompatible', mismatch, reported) : hubu('available', null, reported)
}

/** Judges one round of Gongbu probes: as Hubu, then its schemas; readiness comes last. */
export function judgeGongbu({ live, ready, version }: GongbuProbe, stamp: BuildStamp): GongbuCapability {
  const reported = bodyOf(version)
  if (!isHealthy(live, 'live')) return gongbu('unavailable', 'liveness_unavailable', reported)
  if (!isSuccess(version)) return gongbu('unavailable', 'version_unavailable', reported)
  const mismatch =
    mismatchOfBuild(reported, stamp) ??
    mismatchOfExecutor(reported, 'hubu_executor_contract') ??
    mismatchOfSchemas(reported)
  if (mismatch) return gongbu('incompatible', mismatch, reported)
  return isHealthy(ready, 'ready')
    ? gongbu('available', null, reported)
    : gongbu('degraded', 'backend_not_ready', reported)
}

function mismatchOfBuild(reported: unknown, { productVersion, sourceCommit }: BuildStamp) {
  if (member(reported, 'product_version') !== productVersion) return 'product_version_mismatch'
  const isOurs = /^[0-9a-f]{40}$/.test(sourceCommit) && member(reported, 'source_commit') === sourceCommit
  return isOurs ? undefined : 'source_commit_mismatch'
}

function mismatchOfExecutor(reported: unknown, name: string) {
  return member(reported, name) === protocol.executor_contract ? undefined : 'executor_contract_mismatch'
}

function mismatchOfSchemas(reported: unknown) {
  if (member(reported, 'api_schema_version') !== protocol.gongbu_api_schema_version)
    return 'api_schema_version_mismatch'
  if (member(reported, 'mcp_schema_version') !== protocol.gongbu_mcp_schema_version)
    return 'mcp_schema_version_mismatch'
  return member(reported, 'mcp_protocol_version') === protocol.baseline ? undefined : 'mcp_protocol_version_mismatch'
}

function hubu(
  state: HubuCapability['state'],
  reason: HubuCapability['reason_code'],
  reported: unknown,
): HubuCapability {
  return {
    state,
    product_version: text(reported, 'product_version'),
    source_commit: text(reported, 'source_commit'),
    contract_versions: { executor: text(reported, 'executor_contract') },
    reason_code: reason,
  }
}

function gongbu(
  state: GongbuCapability['state'],
  reason: GongbuCapability['reason_code'],
  reported: unknown,
): GongbuCapability {
  return {
    state,
    product_version: text(reported, 'product_version'),
    source_commit: text(reported, 'source_commit'),
    api_schema_version: unsigned32(reported, 'api_schema_version'),
    mcp_schema_version: unsigned32(reported, 'mcp_schema_version'),
    contract_versions: { executor: text(reported, 'hubu_executor_contract') },
    reason_code: reason,
  }
}

function isSuccess(answer: ProbeAnswer): boolean {
  return answer.kind === 'json' && answer.status >= 200 && answer.status <= 299
}

function isHealthy(answer: ProbeAnswer, status: string): boolean {
  return isSuccess(answer) && member(bodyOf(answer), 'status') === status
}

function bodyOf(answer: ProbeAnswer): unknown {
  return answer.kind === 'json' ? answer.body : undefined
}

function text(reported: unknown, name: string): string | null {
  const value = member(reported, name)
  return typeof value === 'string' ? value : null
}

function unsigned32(reported: unknown, name: string): number | null {
  const value = member(reported, name)
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffffff ? value : null
}
