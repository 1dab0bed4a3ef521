import { describe, expect, test } from 'vitest'
import { createChallenge, readBearerHeader, rightMissing, unauthorized } from '../../src/http/bearers/bearer.ts'
import { createDoorkeeper, type Door } from '../../src/http/bearers/doorkeeper.ts'
import { rightFor, withIncluded } from '../../src/http/bearers/rights.ts'
import { hashOf, readTokenList, writeTokenList, type TokenEntry } from '../../src/http/bearers/token-list.ts'
import { Places } from '../../src/http/limits.ts'

describe('the header', () => {
  test.each(['Bearer abc.def', 'bearer abc.def', 'BEARER abc.def'])('%s', (line) => {
    expect(readBearerHeader([line])).toEqual({ token: 'abc.def' })
  })
  test.each(['Basic x', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer  a', 'Token a', 'Bearer ä'])(
    '%s is none',
    (line) => {
      expect(readBearerHeader([line])).toBe('malformed')
    },
  )
  test('none and several are told apart', () => {
    expect([readBearerHeader(undefined), readBearerHeader(['Bearer a', 'Bearer a'])]).toEqual(['absent', 'several'])
  })
})

test('a challenge says where to go and what is needed, and never which check failed', () => {
  const own = createChallenge(undefined)
  const issuer = createChallenge('https://r.example/.well-known/oauth-protected-resource/mcp')
  const header = (refused: ReturnType<typeof unauthorized>) => refused.headers?.['WWW-Authenticate']
  expect(header(unauthorized(own, true))).toBe('Bearer realm="hubu-unified-mcp"')
  expect(header(unauthorized(own, false))).toBe('Bearer realm="hubu-unified-mcp", error="invalid_token"')
  expect(header(unauthorized(issuer, true))).toBe(
    'Bearer resource_metadata="https://r.example/.well-known/oauth-protected-resource/mcp", scope="hubu:read"',
  )
  expect(header(rightMissing(issuer, 'spend'))).toContain('scope="hubu:read hubu:spend", error="insufficient_scope"')
})

const entry = (token: string, more: Partial<TokenEntry> = {}): TokenEntry => ({
  id: '00000001',
  sha256: hashOf(token),
  principal: 'alice',
  rights: ['spend'],
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  ...more,
})

describe('who is let in', () => {
  const clock = { nowMs: () => Date.parse('2026-06-01T00:00:00Z') }
  const never = () => Promise.reject(new Error('no issuer'))
  const keeper = (door: Partial<Door>) =>
    createDoorkeeper({ door: { startToken: undefined, tokens: [], auth: undefined, ...door }, clock, openJwt: never })

  test('the holder of the start token is whoever started the process', () => {
    const doorkeeper = keeper({ startToken: 'hubu_start' })
    expect(doorkeeper.admit('hubu_start')).toMatchObject({ kind: 'known', bearer: { principal: 'local' } })
    expect(doorkeeper.admit('hubu_other')).toEqual({ kind: 'unknown', reason: 'unknown' })
  })

  test('a token that was given out is its principal, with what its rights include, until it is over or taken back', () => {
    const tokens = [entry('hubu_a'), entry('hubu_b', { expires_at: '2026-05-01T00:00:00Z' })]
    const doorkeeper = keeper({ tokens })
    const admission = doorkeeper.admit('hubu_a') as { bearer: Parameters<typeof doorkeeper.isStillGood>[0] }
    expect(admission.bearer.principal).toBe('token:alice')
    expect([...admission.bearer.rights].sort()).toEqual(['read', 'spend'])
    expect(doorkeeper.admit('hubu_b')).toEqual({ kind: 'unknown', reason: 'expired' })
    expect(doorkeeper.isStillGood(admission.bearer)).toBe(true)
    doorkeeper.apply({ startToken: undefined, tokens: [], auth: undefined })
    expect(doorkeeper.isStillGood(admission.bearer)).toBe(false)
  })
})

test('a file of tokens is taken as a whole or not at all', () => {
  expect(readTokenList(writeTokenList([entry('hubu_a', { agent: 'tiny', label: 'x' })]))).toHaveLength(1)
  for (const wrong of [{ principal: 'a b' }, { rights: [] }, { rights: ['all'] }, { sha256: 'x' }, { id: 1 }])
    expect(
      readTokenList(writeTokenList([entry('hubu_a'), entry('hubu_b', wrong as Partial<TokenEntry>)])),
    ).toBeUndefined()
  expect([readTokenList(''), readTokenList('[]'), readTokenList('{"version":2,"tokens":[]}')]).toEqual(
    Array(3).fill(undefined),
  )
})

describe('rights', () => {
  const forTool = (name: string, args?: object) => rightFor('tools/call', { name, arguments: args })

  test('a tool needs its own, under every name', () => {
    expect(forTool('hubu_list_budgets')).toBe('read')
    expect(
      ['hubu_authorize_spend', 'hubu_submit_spend', 'gongbu_create_execution'].map((name) => forTool(name)),
    ).toEqual(Array(3).fill('spend'))
    expect(['hubu__authorize_spend', 'hubu__hubu_authorize_spend'].map((name) => forTool(name))).toEqual([
      'spend',
      'spend',
    ])
    expect(forTool('hubu_create_budget')).toBe('protected')
    expect(rightFor('tools/list', { name: 'hubu_create_budget' })).toBe('read')
  })

  test('a call through another tool needs what the inner one needs', () => {
    expect(forTool('call_tool', { tool: 'hubu_authorize_spend' })).toBe('spend')
    expect(forTool('mcphub__call_tool', { server: 'hubu', tool: 'authorize_spend' })).toBe('spend')
    for (const named of [
      { server: 'hubu', tool: 'hubu__hubu_authorize_spend' },
      { server: 'hubu', tool: 'hubu__authorize_spend' },
      { server: 'gongbu', tool: 'gongbu__create_execution' },
      { tool: 'hubu__submit_spend' },
    ])
      expect(forTool('call_tool', named), JSON.stringify(named)).toBe('spend')
    expect(forTool('call_tool', { tool: 'hubu_create_budget' })).toBe('read')
  })

  test('whoever has one may read', () => {
    expect([...withIncluded(['protected'])]).toEqual(['protected', 'read'])
    expect([...withIncluded([])]).toEqual([])
  })
})

test('a principal fills its own places and those of the process, and each is given back once', () => {
  const places = new Places(2, 3)
  const [one, two] = [places.take('a'), places.take('a')] as (() => void)[]
  expect(places.take('a')).toBe('principal')
  const other = places.take('b') as () => void
  expect(places.take('b')).toBe('process')
  one!()
  one!()
  expect([places.count, typeof places.take('b')]).toEqual([2, 'function'])
  two!()
  other()
  expect(places.count).toBe(1)
})
