import type { GongbuCapability, HubuCapability } from '#generated/types/router.js'
import type { BuildStamp } from '../capabilities/compatibility.ts'
import { failure, ok, warning, type Finding } from './finding.ts'

/** What a probe of one backend said, in words, held against our stamp. */
export function checkBackend(
  backend: 'hubu' | 'gongbu',
  found: HubuCapability | GongbuCapability,
  stamp: BuildStamp,
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
        `does not answer as it should (${found.reason_code})`,
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
