import { describe, expect, test } from 'vitest'
import type { GatewayConfig } from '#generated/types/config.js'
import { readSpendSettings, spendKeysForRestart, type SpendGiven } from '../../src/config/spend-settings.ts'

const registry = { HUBU_UNIFIED_OPERATION_STATE_PATH: '/registry.sqlite3' }
const settings = (env: Record<string, string> = {}, given: SpendGiven = {}) =>
  readSpendSettings((name) => ({ ...registry, ...env })[name], given)
const withAgent = (agent: object, top: object = {}): SpendGiven => ({
  gateway: { ...top, agents: { tiny: { type: 'codex', path: '/f', ...agent } } } as GatewayConfig,
  agent: 'tiny',
})

test('nothing said: the harness names spends, doubt guards them, everything is written down', () => {
  expect(settings()).toEqual({
    identity: 'harness',
    principal: 'local',
    twinGuard: 'doubt',
    twinWindowMs: 600_000,
    journal: 'full',
  })
})

test('the flag wins over the environment, the environment over the file', () => {
  const file = withAgent({ identity: 'replace', principal: 'file', twin_window: '2m' }, { journal: 'sums' })
  expect(settings({}, file)).toMatchObject({ identity: 'replace', principal: 'file', twinWindowMs: 120_000 })
  const env = { HUBU_UNIFIED_IDENTITY: 'guarded', HUBU_UNIFIED_PRINCIPAL: 'env', HUBU_UNIFIED_JOURNAL: 'full' }
  expect(settings(env, file)).toMatchObject({ identity: 'guarded', principal: 'env', journal: 'full' })
  expect(settings(env, { ...file, identity: 'harness' })).toMatchObject({ identity: 'harness' })
})

test('a sandbox names spends itself, unless it keeps no journal', () => {
  const sandbox = { isSandbox: true }
  expect(settings({ HUBU_UNIFIED_OPERATION_STATE_PATH: '' }, sandbox)).toMatchObject({
    identity: 'guarded',
    twinGuard: 'refuse',
  })
  expect(settings({ HUBU_UNIFIED_JOURNAL: 'off' }, sandbox)).toMatchObject({ identity: 'harness', twinGuard: 'off' })
})

test('the principal of an agent is its name, in the letters that a principal has', () => {
  expect(settings({}, { agent: 'two words' }).principal).toBe('two-words')
  expect(settings({}, withAgent({})).principal).toBe('tiny')
})

describe('what cannot be is refused, by the name of the setting and without its value', () => {
  test.each([
    [{ HUBU_UNIFIED_IDENTITY: 'on' }, /HUBU_UNIFIED_IDENTITY must be harness, guarded, replace/],
    [{ HUBU_UNIFIED_JOURNAL: 'yes' }, /HUBU_UNIFIED_JOURNAL must be/],
    [{ HUBU_UNIFIED_PRINCIPAL: 'token:ada' }, /HUBU_UNIFIED_PRINCIPAL must be/],
    [{ HUBU_UNIFIED_TWIN_GUARD: 'maybe' }, /HUBU_UNIFIED_TWIN_GUARD must be/],
    [{ HUBU_UNIFIED_TWIN_WINDOW: '30s' }, /HUBU_UNIFIED_TWIN_WINDOW must be a duration from 1m to 24h/],
    [{ HUBU_UNIFIED_IDENTITY: 'guarded', HUBU_UNIFIED_JOURNAL: 'off' }, /HUBU_UNIFIED_IDENTITY.*HUBU_UNIFIED_JOURNAL/],
    [{ HUBU_UNIFIED_IDENTITY: 'replace', HUBU_UNIFIED_OPERATION_STATE_PATH: ' ' }, /HUBU_UNIFIED_OPERATION_STATE_PATH/],
    [{ HUBU_UNIFIED_IDENTITY: 'guarded', HUBU_UNIFIED_TWIN_GUARD: 'off' }, /HUBU_UNIFIED_TWIN_GUARD/],
    [{ HUBU_UNIFIED_JOURNAL: 'off', HUBU_UNIFIED_TWIN_GUARD: 'refuse' }, /HUBU_UNIFIED_TWIN_GUARD/],
  ])('%o', (env, message) => {
    expect(() => settings(env)).toThrow(message)
    const value = Object.values(env)[0]
    expect(() => settings(env)).not.toThrow(new RegExp(`${value} is not|"${value}"`))
  })

  test('a wrong flag', () => {
    expect(() => settings({}, { identity: 'none' })).toThrow(/--identity must be/)
  })
})

test('what would change the meaning of a retry counts from the next start on', () => {
  const started = settings()
  expect(spendKeysForRestart(started, settings({ HUBU_UNIFIED_TWIN_WINDOW: '2m' }))).toEqual(['twin_window'])
  expect(
    spendKeysForRestart(started, settings({ HUBU_UNIFIED_IDENTITY: 'guarded', HUBU_UNIFIED_PRINCIPAL: 'ada' })),
  ).toEqual(['identity', 'principal', 'twin_guard'])
})
