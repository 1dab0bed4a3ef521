import { describe, expect, test } from 'vitest'
import type { RegistryCapability } from '#generated/types/router.js'
import { isCapabilitySnapshot } from '#generated/validators/router.js'
import type { GongbuProbe, HubuProbe } from '../../src/backends/probe.ts'
import { judgeGongbu, judgeHubu, unconfiguredGongbu, unconfiguredHubu } from '../../src/capabilities/compatibility.ts'
import { toSnapshot } from '../../src/capabilities/snapshot.ts'
import { stamp } from './calls/probes.ts'
import { probesOf, registryMissing, registryUp } from './capabilities/probes.ts'
import { expectGolden, toGoldenText } from './recording.ts'

interface Facts {
  /** Null: not configured. */
  hubu: HubuProbe | null
  gongbu: GongbuProbe | null
  registry: RegistryCapability
  sourceCommit?: string
}

const { hubu, gongbu } = probesOf
const well: Facts = { hubu: hubu.available, gongbu: gongbu.available, registry: registryUp }

const cases: Record<string, Facts> = {
  'all-available': well,
  'nothing-configured': { hubu: null, gongbu: null, registry: registryMissing },
  'gongbu-degraded': { ...well, gongbu: gongbu.notReady },
  'gongbu-unavailable': { ...well, gongbu: gongbu.dead },
  'hubu-unavailable': { ...well, hubu: hubu.silent },
  'hubu-incompatible': { ...well, hubu: hubu.otherExecutor },
  'registry-missing': { ...well, registry: registryMissing },
  'unstamped-build': { ...well, sourceCommit: 'unknown' },
}

describe('probe answers become the snapshot in golden/capabilities', () => {
  test.each(Object.entries(cases))('%s', (name, facts) => {
    const ours = { ...stamp, ...(facts.sourceCommit !== undefined && { sourceCommit: facts.sourceCommit }) }
    const generatedAt = '2026-08-18T00:00:00.000Z'
    const states = {
      hubu: facts.hubu === null ? unconfiguredHubu : judgeHubu(facts.hubu, ours),
      gongbu: facts.gongbu === null ? unconfiguredGongbu : judgeGongbu(facts.gongbu, ours),
      registry: facts.registry,
    }
    const snapshot = toSnapshot(states, new Date(generatedAt))
    expect(isCapabilitySnapshot(snapshot)).toBe(true)
    const { registry, ...probes } = facts
    const given = { stamp: ours, generatedAt, registry, probes: { hubu: probes.hubu, gongbu: probes.gongbu } }
    expectGolden(`capabilities/${name}.json`, toGoldenText({ given, snapshot }))
  })
})
