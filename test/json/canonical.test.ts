import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, requestHash } from '../../src/json/canonical.ts'

const spend = { reason: 'test', amount_cents: 25, account_id: 'account-1' }
const create = {
  workload_type: 'image_generation',
  adapter: 'fixture',
  spend_auth_token_id: 'tok-1',
  input: { prompt: 'circle', image_count: 1 },
  schema_version: 2,
  input_schema_version: 1,
  provider: 'fixture',
  model: 'fixture-v1',
}

test.each([
  [
    'hubu_authorize_spend',
    spend,
    '{"account_id":"account-1","amount_cents":25,"reason":"test"}',
    'sha256:824539985d111bae4d0435abdb8b421f2831fdcd91d937d4973a31d880a6f4d8',
  ],
  [
    'hubu_submit_spend',
    spend,
    '{"account_id":"account-1","amount_cents":25,"reason":"test"}',
    'sha256:105c1844e8940501db662209013e1944be0d07fa77de07ca27f01d701cae056c',
  ],
  [
    'hubu_submit_spend',
    { b: [{ d: 1, c: null }], a: 'é' },
    '{"a":"é","b":[{"c":null,"d":1}]}',
    'sha256:f818867b9e2b6fca68893a25962a5bf37531722f4505c2ab751ce8257d1ff623',
  ],
  [
    'gongbu_create_execution',
    create,
    '{"adapter":"fixture","input":{"image_count":1,"prompt":"circle"},"input_schema_version":1,"model":"fixture-v1",' +
      '"provider":"fixture","schema_version":2,"spend_auth_token_id":"tok-1","workload_type":"image_generation"}',
    'sha256:5afaebe3463000a62163116834ce30d6019feb2cabbf5bb292f6be50a40ee8ac',
  ],
])('%s with its arguments has the published text and hash', (tool, args, text, hash) => {
  expect(canonicalJson(args)).toBe(text)
  expect(requestHash(tool, text)).toBe(hash)
})

test('member names are in the order of their UTF-8 bytes, which UTF-16 order is not', () => {
  expect(canonicalJson({ '\u{1f600}': 1, '\uffee': 2, z: 3, a: 4, 'a\u0000': 5 })).toBe(
    '{"a":4,"a\\u0000":5,"z":3,"\uffee":2,"\u{1f600}":1}',
  )
})

test('numbers are as short as JavaScript writes them, and exact up to 2^53-1', () => {
  expect(canonicalJson([1.0, 1e2, -0, 0.1, 9007199254740991])).toBe('[1,100,0,0.1,9007199254740991]')
})

/** The same value with its members in another order, at every depth. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reordered(member)]),
  )
}

test('the order of members never matters, and the text parses to the value it stands for', () => {
  const value = fc.jsonValue({ maxDepth: 5, depthSize: 'medium' })
  fc.assert(
    fc.property(value, (any) => {
      const plain = JSON.parse(JSON.stringify(any)) as unknown
      expect(canonicalJson(reordered(plain))).toBe(canonicalJson(plain))
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain)
    }),
    { numRuns: 500, seed: 1 },
  )
})

test('a real difference is one in the hash: another amount, an extra null, another tool', () => {
  const hashes = [
    requestHash('hubu_submit_spend', canonicalJson(spend)),
    requestHash('hubu_authorize_spend', canonicalJson(spend)),
    requestHash('hubu_submit_spend', canonicalJson({ ...spend, amount_cents: 26 })),
    requestHash('hubu_submit_spend', canonicalJson({ ...spend, merchant: null })),
    requestHash('hubu_submit_spend', canonicalJson({ ...spend, amount_cents: '25' })),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})
