import { describe, expect, test } from 'vitest'
import type { GongbuProbe, HubuProbe } from '../../src/backends/probe.ts'
import { judgeGongbu, judgeHubu, unconfiguredGongbu, unconfiguredHubu } from '../../src/capabilities/compatibility.ts'
import { commit, gongbuNotReady, gongbuVersion, gongbuWell, hubuVersion, hubuWell, json, none, stamp } from './world.ts'

const reported = {
  product_version: '9.9.9',
  source_commit: commit,
  contract_versions: { executor: 'hubu-spend-executor-v4.3' },
}
const nothing = { product_version: null, source_commit: null, contract_versions: { executor: null } }

describe('Hubu', () => {
  const version = (more: object) => ({ version: json({ ...hubuVersion, ...more }) })

  test('healthy and of our build is available', () => {
    expect(judgeHubu(hubuWell, stamp)).toEqual({ state: 'available', reason_code: null, ...reported })
  })

  test.each<[id: string, change: Partial<HubuProbe>, state: string, reason: string, more: object]>([
    ['C02 status 503', { health: json({ status: 'ok' }, 503) }, 'unavailable', 'health_unavailable', reported],
    ['C02 down', { health: json({ status: 'down' }) }, 'unavailable', 'health_unavailable', reported],
    ['C02 an array', { health: json(['ok']) }, 'unavailable', 'health_unavailable', reported],
    ['C02 a redirect', { health: json({ status: 'ok' }, 302) }, 'unavailable', 'health_unavailable', reported],
    ['C02 refused', { health: none, version: none }, 'unavailable', 'health_unavailable', nothing],
    [
      'C02 with a bad version too',
      { health: none, ...version({ product_version: 'x' }) },
      'unavailable',
      'health_unavailable',
      { product_version: 'x' },
    ],
    [
      'C03 status 500',
      { version: json({ product_version: 'told' }, 500) },
      'unavailable',
      'version_unavailable',
      { product_version: 'told' },
    ],
    ['C03 not JSON', { version: none }, 'unavailable', 'version_unavailable', nothing],
    [
      'C04 product',
      version({ product_version: '9.9.8' }),
      'incompatible',
      'product_version_mismatch',
      { product_version: '9.9.8' },
    ],
    [
      'C04 product as number',
      version({ product_version: 9 }),
      'incompatible',
      'product_version_mismatch',
      { product_version: null },
    ],
    [
      'C05 other commit',
      version({ source_commit: 'b'.repeat(40) }),
      'incompatible',
      'source_commit_mismatch',
      { source_commit: 'b'.repeat(40) },
    ],
    [
      'C05 unknown',
      version({ source_commit: 'unknown' }),
      'incompatible',
      'source_commit_mismatch',
      { source_commit: 'unknown' },
    ],
    ['C05 upper case', version({ source_commit: 'A'.repeat(40) }), 'incompatible', 'source_commit_mismatch', {}],
    ['C05 too short', version({ source_commit: commit.slice(1) }), 'incompatible', 'source_commit_mismatch', {}],
    [
      'C06 executor',
      version({ executor_contract: 'hubu-spend-executor-v4.2' }),
      'incompatible',
      'executor_contract_mismatch',
      { contract_versions: { executor: 'hubu-spend-executor-v4.2' } },
    ],
    [
      'C06 none',
      version({ executor_contract: null }),
      'incompatible',
      'executor_contract_mismatch',
      { contract_versions: { executor: null } },
    ],
    ['no object', { version: json([]) }, 'incompatible', 'product_version_mismatch', nothing],
  ])('%s is %s / %s', (_id, change, state, reason_code, more) => {
    expect(judgeHubu({ ...hubuWell, ...change }, stamp)).toMatchObject({ state, reason_code, ...more })
  })

  test('201 with further members is healthy', () => {
    const probe = { ...hubuWell, health: json({ status: 'ok', more: 1 }, 201) }
    expect(judgeHubu(probe, stamp).state).toBe('available')
  })
})

describe('Gongbu', () => {
  const version = (more: object) => ({ version: json({ ...gongbuVersion, ...more }) })

  test('healthy and of our build is available', () => {
    const schemas = { api_schema_version: 2, mcp_schema_version: 2 }
    expect(judgeGongbu(gongbuWell, stamp)).toEqual({ state: 'available', reason_code: null, ...reported, ...schemas })
  })

  test.each<[id: string, change: Partial<GongbuProbe>, state: string, reason: string, more: object]>([
    ['C08 ok', { live: json({ status: 'ok' }) }, 'unavailable', 'liveness_unavailable', reported],
    ['C08 status 500', { live: json({ status: 'live' }, 500) }, 'unavailable', 'liveness_unavailable', reported],
    ['C08 dropped', { live: none }, 'unavailable', 'liveness_unavailable', reported],
    ['C08 version 404', { version: json({}, 404) }, 'unavailable', 'version_unavailable', nothing],
    [
      'C09 product',
      version({ product_version: '9.9.8' }),
      'incompatible',
      'product_version_mismatch',
      { product_version: '9.9.8' },
    ],
    ['C09 commit', version({ source_commit: 'b'.repeat(40) }), 'incompatible', 'source_commit_mismatch', {}],
    [
      'C09 executor',
      version({ hubu_executor_contract: 'v9' }),
      'incompatible',
      'executor_contract_mismatch',
      { contract_versions: { executor: 'v9' } },
    ],
    [
      "C09 Hubu's name of it",
      version({ hubu_executor_contract: undefined, executor_contract: 'hubu-spend-executor-v4.3' }),
      'incompatible',
      'executor_contract_mismatch',
      { contract_versions: { executor: null } },
    ],
    [
      'C09 api schema',
      version({ api_schema_version: 1 }),
      'incompatible',
      'api_schema_version_mismatch',
      { api_schema_version: 1 },
    ],
    [
      'C09 mcp schema',
      version({ mcp_schema_version: 1 }),
      'incompatible',
      'mcp_schema_version_mismatch',
      { mcp_schema_version: 1 },
    ],
    [
      'C09 mcp schema as text',
      version({ mcp_schema_version: '2' }),
      'incompatible',
      'mcp_schema_version_mismatch',
      { mcp_schema_version: null },
    ],
    [
      'C09 beyond 32 bits',
      version({ api_schema_version: 4294967298 }),
      'incompatible',
      'api_schema_version_mismatch',
      { api_schema_version: null },
    ],
    [
      'C09 negative',
      version({ api_schema_version: -2 }),
      'incompatible',
      'api_schema_version_mismatch',
      { api_schema_version: null },
    ],
    [
      'C09 the largest',
      version({ api_schema_version: 4294967295 }),
      'incompatible',
      'api_schema_version_mismatch',
      { api_schema_version: 4294967295 },
    ],
    [
      'C09 protocol',
      version({ mcp_protocol_version: '2099-01-01' }),
      'incompatible',
      'mcp_protocol_version_mismatch',
      {},
    ],
    [
      'C10 product and schema',
      version({ product_version: '9.9.8', api_schema_version: 1 }),
      'incompatible',
      'product_version_mismatch',
      {},
    ],
    [
      'C10 schema and protocol',
      version({ mcp_schema_version: 1, mcp_protocol_version: 'x' }),
      'incompatible',
      'mcp_schema_version_mismatch',
      {},
    ],
    ['C11 status 503', gongbuNotReady, 'degraded', 'backend_not_ready', reported],
    ['C11 dropped', { ready: none }, 'degraded', 'backend_not_ready', reported],
    ['C11 another word', { ready: json({ status: 'live' }) }, 'degraded', 'backend_not_ready', reported],
    [
      'C12 unready and of another schema',
      { ready: none, ...version({ api_schema_version: 1 }) },
      'incompatible',
      'api_schema_version_mismatch',
      {},
    ],
  ])('%s is %s / %s', (_id, change, state, reason_code, more) => {
    expect(judgeGongbu({ ...gongbuWell, ...change }, stamp)).toMatchObject({ state, reason_code, ...more })
  })
})

test('a router without a stamp is compatible with nobody, its like included', () => {
  for (const sourceCommit of ['unknown', '', 'A'.repeat(40), 'a'.repeat(39)]) {
    const unstamped = { ...stamp, sourceCommit }
    const same = { source_commit: sourceCommit }
    const hubu = judgeHubu({ ...hubuWell, version: json({ ...hubuVersion, ...same }) }, unstamped)
    const gongbu = judgeGongbu({ ...gongbuWell, version: json({ ...gongbuVersion, ...same }) }, unstamped)
    for (const { state, reason_code } of [hubu, gongbu]) {
      expect([state, reason_code]).toEqual(['incompatible', 'source_commit_mismatch'])
    }
  }
})

test('an unconfigured backend reports nothing but that', () => {
  const missing = { state: 'unconfigured', reason_code: 'configuration_missing', ...nothing }
  expect(unconfiguredHubu).toEqual(missing)
  expect(unconfiguredGongbu).toEqual({ ...missing, api_schema_version: null, mcp_schema_version: null })
})
