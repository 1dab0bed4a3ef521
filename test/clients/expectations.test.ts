import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compare, type ExpectedFailures } from '../../scripts/clients/expectations.ts'
import type { ClientResult } from '../../scripts/clients/result.ts'

const result = (scenario: string, ...failures: string[]): ClientResult => ({
  client: 'conformance',
  scenario,
  failures,
  detail: 'no such method',
})
const listed = (checks: string[], reason = 'why'): ExpectedFailures => ({ conformance: { s: { checks, reason } } })

test('a listed failure with a reason is no surprise, and neither is a scenario that passes', () => {
  expect(compare([result('s', 'a', 'b'), result('t')], listed(['a', 'b']))).toEqual([])
})

test.each<[string, ClientResult[], ExpectedFailures, string]>([
  ['a check that fails unlisted', [result('s', 'a', 'b')], listed(['a']), 'conformance s: b failed (no such method)'],
  ['a listed check that passes', [result('s', 'a')], listed(['a', 'b']), 'b passes now; remove it'],
  ['a listed scenario that passes', [result('s')], listed(['a']), 'a passes now; remove it'],
  ['a listed scenario that did not run', [], listed(['a']), 'no such scenario ran'],
  ['an entry without a reason', [result('s', 'a')], listed(['a'], ' '), 'without a reason'],
  ['an entry without a check', [result('s')], listed([]), 'without a check'],
])('%s is a surprise', (_what, results, expected, complaint) => {
  expect(compare(results, expected)).toEqual([expect.stringContaining(complaint)])
})

test('every entry of the checked-in list names its checks and gives a reason', () => {
  const file = readFileSync(new URL('expected-failures.json', import.meta.url), 'utf8')
  const { expected } = JSON.parse(file) as { expected: ExpectedFailures }
  const asListed = Object.entries(expected.conformance ?? {}).map(([scenario, { checks }]) =>
    result(scenario, ...checks),
  )
  expect(asListed.length).toBeGreaterThan(0)
  expect(compare(asListed, expected)).toEqual([])
})
