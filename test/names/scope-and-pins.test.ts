// Scopes and pins mean tools, not spellings.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aliases, findWireName, planShortNames, publicName } from '../../src/names/short-name.ts'
import { effectivePins, pinned } from '../../src/names/pins.ts'
import type { ResolveTool } from '../../src/names/resolve.ts'
import { createScope } from '../../src/names/scope.ts'

/** Resolves among connected servers, given by their tools' wire names. */
const among =
  (servers: Record<string, string[]>): ResolveTool =>
  (server, tool) =>
    servers[server] && findWireName(server, tool, planShortNames(server, servers[server]))

const connected = among({
  atlas: ['atlas_route', 'atlas_geocode'],
  bob: ['context'],
  scribe: ['scribe-read'],
  live: ['echo', 'live_echo'],
})
const unconnected = among({})

describe('a scope', () => {
  test('allows everything where a list is absent, and nothing where it is empty', () => {
    expect(createScope({}, connected).allows('any', 'thing')).toBe(true)
    expect(createScope({ servers: [] }, connected).allowsServer('atlas')).toBe(false)
    expect(createScope({ tools: [] }, connected).allows('atlas', 'atlas_route')).toBe(false)
    expect(createScope({ servers: ['bob'], tools: ['atlas__route'] }, connected).allows('atlas', 'atlas_route')).toBe(
      false,
    )
  })

  test.each([
    ['atlas__route', 'atlas', 'atlas_route'],
    ['atlas__atlas_route', 'atlas', 'atlas_route'],
    ['bob__bob_context', 'bob', 'context'],
    ['scribe__read', 'scribe', 'scribe-read'],
  ])('with %s allows %s its %s and nothing else', (rule, server, wireName) => {
    const scope = createScope({ tools: [rule] }, connected)
    expect(scope.allows(server, wireName)).toBe(true)
    expect(scope.allows(server, 'other')).toBe(false)
    expect(scope.allows('atlas', 'atlas_geocode')).toBe(false)
  })

  test('with one of two tools that share an alias does not admit the other', () => {
    const of = (rule: string) => {
      const scope = createScope({ tools: [rule] }, connected)
      return [scope.allows('live', 'echo'), scope.allows('live', 'live_echo')]
    }
    expect(of('live__echo')).toEqual([true, false])
    expect(of('live__live_echo')).toEqual([false, true])
  })

  test('knows a tool by the shortened name under which hosts are shown it', () => {
    const resolve: ResolveTool = (_server, tool) => (['od_d_0123abcd', 'od.d'].includes(tool) ? 'od.d' : undefined)
    for (const rule of ['s__od_d_0123abcd', 's__od.d']) {
      expect(createScope({ tools: [rule] }, resolve).allows('s', 'od.d')).toBe(true)
      expect(pinned([rule], resolve)('s', 'od.d')).toBe(true)
      expect(pinned([rule], resolve)('s', 'other')).toBe(false)
    }
  })

  test('allows of a server that is not connected only what is spelled exactly so', () => {
    const scope = createScope({ tools: ['live__echo', 'atlas__atlas_route'] }, unconnected)
    expect([scope.allows('live', 'echo'), scope.allows('live', 'live_echo')]).toEqual([true, false])
    expect([scope.allows('atlas', 'atlas_route'), scope.allows('atlas', 'route')]).toEqual([true, false])
  })

  test('admits exactly one tool of a connected server for each name, whatever the names', () => {
    const name = fc.stringMatching(/^(s[_-])?[ab_-]{1,4}$/)
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), (names) => {
        const resolve = among({ s: names })
        const plan = planShortNames('s', names)
        for (const [wireName, part] of plan) {
          const allowed = names.filter((each) =>
            createScope({ tools: [publicName('s', part)] }, resolve).allows('s', each),
          )
          expect(allowed).toEqual([wireName])
        }
        for (const rule of names.flatMap((each) => aliases('s', each)))
          expect(names.filter((each) => pinned([rule], resolve)('s', each)).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('pins', () => {
  test('name a tool by its server, a wildcard, its public and its wire name', () => {
    for (const pin of ['atlas', 'atlas__*', 'atlas__route', 'atlas__atlas_route'])
      expect(pinned([pin], connected)('atlas', 'atlas_route')).toBe(true)
    for (const pin of ['atlas__geocode', 'at', 'ledger__*'])
      expect(pinned([pin], connected)('atlas', 'atlas_route')).toBe(false)
  })

  test('of one of two tools that share an alias do not show the other', () => {
    const of = (pin: string) => ['echo', 'live_echo'].filter((tool) => pinned([pin], connected)('live', tool))
    expect([of('live__echo'), of('live__live_echo'), of('live')]).toEqual([
      ['echo'],
      ['live_echo'],
      ['echo', 'live_echo'],
    ])
  })

  test('are reported as far as they are in scope, and spelled out where the scope lists tools', () => {
    const reported = (pins: string[], lists: { servers?: string[]; tools?: string[] } | null, resolve = connected) =>
      effectivePins(pins, lists, createScope(lists ?? {}, resolve), resolve)
    const pins = ['ledger__*', 'atlas']
    expect(reported(pins, null)).toEqual(pins)
    expect(reported(pins, { servers: ['scribe'] })).toEqual([])
    const tools = ['atlas__route', 'atlas__geocode', 'scribe__read']
    expect(reported(pins, { tools })).toEqual(['atlas__geocode', 'atlas__route'])
    expect(reported(pins, { tools }, unconnected)).toEqual(['atlas__geocode', 'atlas__route'])
    expect(reported(['atlas__atlas_route'], { tools })).toEqual(['atlas__route'])
    expect(reported(['live__echo'], { tools: ['live__live_echo'] })).toEqual([])
  })
})
