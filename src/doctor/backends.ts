import type { GongbuCapability, HubuCapability } from '#generated/types/router.js'
import type { BuildStamp } from '../capabilities/compatibility.ts'
import type { ProbeAnswer } from '../backends/probe.ts'
import { networkReason, statusReason } from '../downstream/reasons/network.ts'
import { failure, ok, warning, type Finding } from './finding.ts'

/** Why its first probe brought nothing that could be used, as far as that is known. */
function reasonOf(probe: ProbeAnswer): string {
  if (probe.kind === 'json') return probe.status === 200 ? '' : `: ${statusReason(probe.status)}`
  const reason = probe.cause === undefined ? 'what answers there is something else, perhaps a login page' : undefined
  const known = reason ?? networkReason(probe.cause)
  return known === undefined ? '' : `: ${known}`
}

/** What a probe of one backend said, in words, held against our stamp. */
export function checkBackend(
  backend: 'hubu' | 'gongbu',
  found: HubuCapability | GongbuCapability,
  stamp: BuildStamp,
  first?: ProbeAnswer,
): Finding {
  const versions = `version ${found.product_version ?? 'unknown'}, commit ${found.source_commit ?? 'unknown'}`
  switch (found.state) {
    case 'available':
      return ok(backend, `available, ${versions}`)
    case 'degraded':
      return warning(
        backend,
        `alive but not ready, ${versions}`,
        'New executions are refused until it is ready. Look at its own log.',
      )
    case 'unconfigured':
      return warning(
        backend,
        'not configured: its endpoint, its token or both are missing',
        `Set HUBU_UNIFIED_${backend.toUpperCase()}_ENDPOINT and its bearer token or token file.`,
      )
    case 'unavailable':
      return failure(
        backend,
        `does not answer as it should (${found.reason_code})${first === undefined ? '' : reasonOf(first)}`,
        'Start it, and check endpoint and token.',
      )
    case 'incompatible':
      return failure(
        backend,
        `is of another release (${found.reason_code}): it says ${versions}; this router is ${stamp.productVersion}, ${stamp.sourceCommit}`,
        'Install router, Hubu and Gongbu from one release, or rebuild the router with that release as its stamp.',
      )
  }
}
