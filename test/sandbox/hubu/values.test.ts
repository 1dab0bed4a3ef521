import { expect, test } from 'vitest'
import { allocatedCents, type Target } from '../../../src/sandbox/hubu/budgets/targets.ts'
import type { Budget } from '../../../src/sandbox/hubu/budgets/budgets.ts'
import { chargeCents } from '../../../src/sandbox/hubu/executor/receipt.ts'
import { parseUuid, publicId } from '../../../src/sandbox/hubu/ids.ts'
import { parseLeases } from '../../../src/sandbox/hubu/leases.ts'
import { describeCondition } from '../../../src/sandbox/hubu/policies/describe.ts'
import { evaluatePolicy } from '../../../src/sandbox/hubu/policies/evaluate.ts'
import { payloadHash, type Condition, type Policy } from '../../../src/sandbox/hubu/policies/policy.ts'
import { legacyScope } from '../../../src/sandbox/hubu/scopes/scope.ts'
import { parseInstant } from '../../../src/sandbox/hubu/time/instant.ts'

test('a public id is the low 60 bits of its UUID', () => {
  expect(publicId('aga', '3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46')).toBe('aga_yf2v3sx9tb26')
})

test('a UUID is understood in its four spellings and no other', () => {
  const uuid = '3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46'
  for (const text of [uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`])
    expect(parseUuid(text)).toBe(uuid)
  for (const text of [` ${uuid}`, `${uuid}0`, 'x', '', `{${uuid}`, uuid.replace('-', '')])
    expect(parseUuid(text)).toBeUndefined()
})

test('a legacy merchant has its published digest', () => {
  expect(legacyScope(' Acme Cafe ').billing_merchant).toEqual({
    id: 'merchant:legacy:9bd5c89311ba46ec',
    display_name: 'Acme Cafe',
  })
})

test('a policy payload has its published digest', () => {
  const payload =
    '{"id":"demo","version":"v1","owner_user_id":"00000000-0000-4000-8000-000000000123","rules":[{"id":"small","effect":"allow","when":{"op":"lte","field":"amount","value":{"money_cents":500}},"reason":"small spend"}],"default_effect":"needs_approval"}'
  expect(payloadHash(payload)).toBe('sha256:c819ed8b048426b07308ce3d1095d68c3763110a6239eba853eca0a206195eba')
})

test.each([
  [0n, 6n, 0n],
  [1n, 6n, 1n],
  [10000n, 6n, 1n],
  [10001n, 6n, 2n],
  [5000000n, 6n, 500n],
  [3500001n, 6n, 351n],
  [5000001n, 6n, 501n],
  [1n, 3n, 1n],
  [10n, 3n, 1n],
  [11n, 3n, 2n],
  [25001n, 3n, 2501n],
  [25001n, 4n, 251n],
  [7n, 0n, 700n],
  [7n, 1n, 70n],
  [2n ** 63n - 1n, 2n, 2n ** 63n - 1n],
  [2n ** 63n - 1n, 18n, 923n],
])('a cost of %i at scale %i is %i cents', (amount, scale, cents) => {
  expect(chargeCents(amount, scale)).toBe(cents)
})

test('a cost whose cents leave 64 bits is refused', () => {
  expect(() => chargeCents(2n ** 63n - 1n, 1n)).toThrow('too large')
})

const facts = { amount: 600n, currency: 'usd', agent_id: 'a', merchant: 'm', provider: undefined }

test.each<[string, boolean, Condition]>([
  ['merchant equals `m`', true, { op: 'eq', field: 'merchant', value: { string: 'm' } }],
  ['merchant does not equal `x`', true, { op: 'neq', field: 'merchant', value: { string: 'x' } }],
  ['provider does not equal `x`', false, { op: 'neq', field: 'provider', value: { string: 'x' } }],
  ['amount is greater than 600 minor units', false, { op: 'gt', field: 'amount', value: { money_cents: 600n } }],
  ['amount is at least 600 minor units', true, { op: 'gte', field: 'amount', value: { money_cents: 600n } }],
  ['amount is less than 600 minor units', false, { op: 'lt', field: 'amount', value: { money_cents: 600n } }],
  ['amount is at most 600 minor units', true, { op: 'lte', field: 'amount', value: { money_cents: 600n } }],
  ['merchant is one of `x`, `m`', true, { op: 'in', field: 'merchant', values: [{ string: 'x' }, { string: 'm' }] }],
  ['merchant is one of ', false, { op: 'in', field: 'merchant', values: [] }],
  ['provider is supplied', false, { op: 'exists', field: 'provider' }],
  ['not (provider is supplied)', true, { op: 'not', condition: { op: 'exists', field: 'provider' } }],
  [
    'not (category equals `x`)',
    true,
    { op: 'not', condition: { op: 'eq', field: 'category', value: { string: 'x' } } },
  ],
  [
    'all of (currency equals usd; amount is supplied)',
    true,
    {
      op: 'all',
      conditions: [
        { op: 'eq', field: 'currency', value: { currency: 'usd' } },
        { op: 'exists', field: 'amount' },
      ],
    },
  ],
  [
    'any of (category is supplied; agent_id equals b)',
    false,
    {
      op: 'any',
      conditions: [
        { op: 'exists', field: 'category' },
        { op: 'eq', field: 'agent_id', value: { agent_id: 'b' } },
      ],
    },
  ],
])('the condition `%s` is %s, and reads like that', (text, expected, condition) => {
  const policy: Policy = {
    id: 'p',
    version: 'v',
    owner_user_id: 'o',
    rules: [{ id: 'r', effect: 'allow', when: condition, reason: 'because' }],
    default_effect: 'deny',
  }
  expect(evaluatePolicy(policy, facts).decision).toBe(expected ? 'allow' : 'deny')
  expect(describeCondition(condition)).toBe(text)
})

test('what is allocated at one time is the highest sum in force, capped at 64 bits', () => {
  const budget = (limit: bigint, start: string, end: string | null, status: Budget['status'] = 'active') =>
    ({
      amount_limit_cents: limit,
      starting_at: parseInstant(start, ''),
      ending_before: end && parseInstant(end, ''),
      status,
    }) as Budget
  const target = {
    starting_at: parseInstant('2031-01-10T00:00:00Z', ''),
    ending_before: parseInstant('2031-02-10T00:00:00Z', ''),
  } as Target
  const allocated = (...budgets: Budget[]) => allocatedCents(target, budgets)
  const early = budget(100n, '2031-01-01T00:00:00Z', '2031-01-20T00:00:00Z')
  const late = budget(70n, '2031-01-20T00:00:00Z', null)
  expect(allocated(early, late)).toBe(100n)
  expect(allocated(early, late, budget(50n, '2031-01-19T00:00:00Z', '2031-01-21T00:00:00Z'))).toBe(150n)
  expect(
    allocated(budget(9n, '2031-02-10T00:00:00Z', null), budget(9n, '2030-01-01T00:00:00Z', '2031-01-10T00:00:00Z')),
  ).toBe(0n)
  expect(allocated(budget(5n, '2031-01-01T00:00:00Z', null, 'revoked'))).toBe(0n)
  const most = 2n ** 63n - 1n
  expect(allocated(budget(most, '2031-01-01T00:00:00Z', null), budget(most, '2031-01-01T00:00:00Z', null))).toBe(most)
})

test('a lease configuration is read, and one out of its bounds is refused', () => {
  const yaml = (ttl: string, name = 'default', profile = '{ claim_ttl_seconds: 900 }') =>
    `authorization_ttl_seconds: ${ttl}\ndefault_lease_profile: ${name}\nlease_profiles:\n  default: ${profile}\n`
  expect(parseLeases(yaml('300'))).toEqual({
    authorizationTtlSeconds: 300,
    defaultLeaseProfile: 'default',
    leaseProfiles: { default: { claimTtlSeconds: 900 } },
  })
  for (const broken of [
    yaml('0'),
    yaml('-1'),
    yaml('1.5'),
    yaml('"300"'),
    yaml('1000000000000000'),
    yaml('300', 'other'),
    yaml('300', 'default', '{}'),
    yaml('300', 'default', '{ claim_ttl_seconds: 0 }'),
    yaml('300', 'default', '{ claim_ttl_seconds: 9, more: 1 }'),
    `${yaml('300')}extra: 1\n`,
    'lease_profiles: {}\n',
    '- 1',
    '',
  ])
    expect(() => parseLeases(broken)).toThrow()
})
