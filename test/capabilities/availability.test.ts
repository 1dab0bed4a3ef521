import { expect, test } from 'vitest'
import { toolNames, type ToolName } from '#generated/ownership.js'
import { isCapabilitySnapshot } from '#generated/validators/router.js'
import { isListed, listedTools, reasonOf, refusalOf, type States } from '../../src/capabilities/availability.ts'
import { judgeGongbu, judgeHubu, unconfiguredGongbu, unconfiguredHubu } from '../../src/capabilities/compatibility.ts'
import { toSnapshot } from '../../src/capabilities/snapshot.ts'
import {
  gongbuDown,
  gongbuNotReady,
  gongbuVersion,
  gongbuWell,
  hubuDown,
  hubuVersion,
  hubuWell,
  json,
  registryDown,
  registryUp,
  stamp,
} from './world.ts'

const hubuOf = {
  unconfigured: unconfiguredHubu,
  unavailable: judgeHubu(hubuDown, stamp),
  incompatible: judgeHubu({ ...hubuWell, version: json({ ...hubuVersion, product_version: 'x' }) }, stamp),
  available: judgeHubu(hubuWell, stamp),
}
const gongbuOf = {
  unconfigured: unconfiguredGongbu,
  unavailable: judgeGongbu(gongbuDown, stamp),
  incompatible: judgeGongbu({ ...gongbuWell, version: json({ ...gongbuVersion, product_version: 'x' }) }, stamp),
  degraded: judgeGongbu(gongbuNotReady, stamp),
  available: judgeGongbu(gongbuWell, stamp),
}
const states = (hubu: keyof typeof hubuOf, gongbu: keyof typeof gongbuOf, registry = registryUp): States => ({
  hubu: hubuOf[hubu],
  gongbu: gongbuOf[gongbu],
  registry,
})

const create = 'gongbu_create_execution'
const billable: ToolName[] = ['hubu_submit_spend', 'hubu_authorize_spend', create]
const reads: ToolName[] = ['gongbu_get_execution', 'gongbu_list_artifacts', 'gongbu_get_artifact']

test.each([
  ['both available', states('available', 'available'), 34],
  ['Gongbu degraded', states('available', 'degraded'), 33],
  ['Gongbu unavailable', states('available', 'unavailable'), 30],
  ['Gongbu unconfigured', states('available', 'unconfigured'), 30],
  ['Hubu unavailable', states('unavailable', 'available'), 5],
  ['Hubu incompatible', states('incompatible', 'available'), 5],
  ['Hubu unconfigured', states('unconfigured', 'available'), 5],
  ['no registry', states('available', 'available', registryDown), 30],
  ['nothing but the registry', states('unconfigured', 'unconfigured'), 2],
  ['nothing at all', states('unconfigured', 'unconfigured', registryDown), 1],
])('%s: the list has the tools that it should, in contract order', (_name, state, count) => {
  const listed = listedTools(state)
  expect(listed).toHaveLength(count)
  expect(listed).toEqual(toolNames.filter((name) => isListed(name, state)))
})

test('a degraded Gongbu refuses only new executions', () => {
  const state = states('available', 'degraded')
  expect(refusalOf(create, state)).toBe('backend_not_ready')
  for (const tool of reads) expect(refusalOf(tool, state)).toBe(null)
})

test('a create needs Hubu, and says what Hubu lacks; reads do not', () => {
  for (const hubu of ['unavailable', 'incompatible', 'unconfigured'] as const) {
    const state = states(hubu, 'available')
    expect(refusalOf(create, state)).toBe(`backend_${hubu}`)
    for (const tool of reads) expect(refusalOf(tool, state)).toBe(null)
    for (const tool of ['hubu_list_budgets', 'hubu_client_approval_profile', 'hubu_authorize_spend'] as const) {
      expect(refusalOf(tool, state)).toBe(`backend_${hubu}`)
    }
  }
})

test("Gongbu's own state is told before Hubu's", () => {
  expect(refusalOf(create, states('unavailable', 'degraded'))).toBe('backend_not_ready')
  expect(refusalOf(create, states('unavailable', 'incompatible'))).toBe('backend_incompatible')
  expect(refusalOf(create, states('incompatible', 'unconfigured'))).toBe('backend_unconfigured')
})

test('router tools are refused by no backend', () => {
  for (const tool of ['hubu_unified_capabilities', 'hubu_operation_status'] as const) {
    expect(refusalOf(tool, states('unconfigured', 'unavailable', registryDown))).toBe(null)
  }
})

test('without a registry the four tools that need it say so, whatever the backends do', () => {
  for (const state of [
    states('available', 'available', registryDown),
    states('unavailable', 'unavailable', registryDown),
  ]) {
    for (const tool of [...billable, 'hubu_operation_status'] as const) {
      expect(reasonOf(tool, state)).toBe('operation_registry_unavailable')
      expect(isListed(tool, state)).toBe(false)
    }
    expect(reasonOf('hubu_unified_capabilities', state)).toBe(null)
  }
  expect(reasonOf('hubu_health', states('unavailable', 'unavailable', registryDown))).toBe('backend_unavailable')
})

test('a call checks the registry later: without it the backends still decide alone', () => {
  for (const tool of billable) expect(refusalOf(tool, states('available', 'available', registryDown))).toBe(null)
})

test('the snapshot lists all 34 tools by name and is what the contract says, in every state', () => {
  const at = new Date('2026-08-18T00:00:00.000Z')
  for (const hubu of Object.keys(hubuOf) as (keyof typeof hubuOf)[]) {
    for (const gongbu of Object.keys(gongbuOf) as (keyof typeof gongbuOf)[]) {
      for (const registry of [registryUp, registryDown]) {
        const snapshot = toSnapshot(states(hubu, gongbu, registry), at)
        expect(isCapabilitySnapshot(snapshot)).toBe(true)
        const names = snapshot.tools.map(({ name }) => name)
        expect(names).toEqual([...names].sort())
        expect(new Set(names)).toEqual(new Set(toolNames))
        expect(snapshot.generated_at).toBe('2026-08-18T00:00:00.000Z')
        for (const tool of snapshot.tools) expect(tool.available).toBe(tool.reason_code === null)
      }
    }
  }
  const healthy = toSnapshot(states('available', 'available'), at)
  expect(healthy.tools.every(({ available }) => available)).toBe(true)
  expect(healthy.tools[0]).toEqual({ name: create, owner: 'gongbu', available: true, reason_code: null })
})
