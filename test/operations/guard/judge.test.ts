import { describe, expect, test } from 'vitest'
import { judge, judgeNear, type Judged } from '../../../src/operations/guard/judge.ts'
import type { Earlier, Standing } from '../../../src/operations/guard/situation.ts'

const nowMs = Date.UTC(2026, 10, 30)
const minute = 60_000
const hour = 60 * minute
const windowMs = 10 * minute

const earlier = (standing: Standing, members: Partial<Earlier> = {}): Earlier => ({
  handle: 'hubu:public-operation:v1:0',
  standing,
  answer: 'unknown',
  requestedAtMs: nowMs - minute,
  storedAtMs: nowMs - minute,
  changedAtMs: nowMs - minute,
  delivery: 'written',
  deliveredAtMs: nowMs - minute,
  ...members,
})
const all = (found: Earlier | undefined) =>
  (['guarded', 'refuse', 'doubt'] as const satisfies Judged[]).map((as) => {
    const verdict = judge(found, as, nowMs, windowMs)
    return verdict.kind === 'refuse' ? verdict.reason : verdict.kind
  })

describe('a call that the router names, one that a harness named under refuse, and one under doubt', () => {
  const old = { requestedAtMs: nowMs - 25 * hour, storedAtMs: nowMs - 25 * hour, changedAtMs: nowMs - 25 * hour }
  const taken = (agoMs: number): Partial<Earlier> => ({
    delivery: 'taken',
    deliveredAtMs: nowMs - agoMs,
    changedAtMs: nowMs - agoMs,
  })
  const lost = { delivery: 'dropped' } as const
  const silent = { delivery: null, deliveredAtMs: null } as const
  test.each<[string, Earlier | undefined, [string, string, string]]>([
    ['nothing before', undefined, ['new', 'new', 'new']],
    ['asked at this moment', earlier('in_flight'), ['join', 'earlier_in_flight', 'new']],
    ['undecided', earlier('undecided'), ['join', 'earlier_undecided', 'earlier_undecided']],
    ['undecided for a day', earlier('undecided', old), ['join', 'earlier_undecided', 'new']],
    ['waits for a human', earlier('waiting', old), ['join', ...twice('earlier_waits_for_a_human')]],
    ['unused', earlier('unused'), ['join', 'earlier_unused', 'new']],
    ['unused, its answer dropped', earlier('unused', lost), ['join', ...twice('earlier_unused')]],
    ['paid, answer written', earlier('paid'), ['join', 'earlier_answer_not_taken', 'new']],
    ['paid, answer dropped', earlier('paid', lost), ['join', ...twice('earlier_answer_not_taken')]],
    ['paid, answer never handed over', earlier('paid', silent), ['join', ...twice('earlier_answer_not_taken')]],
    [
      'paid, answer stored a moment ago',
      earlier('paid', { ...silent, storedAtMs: nowMs - 4000 }),
      ['join', 'earlier_answer_not_taken', 'new'],
    ],
    [
      'paid a day ago, answer not taken',
      earlier('paid', { ...old, ...lost }),
      [...twice('earlier_answer_not_taken'), 'new'],
    ],
    ['being carried out', earlier('running'), [...twice('earlier_still_running'), 'new']],
    ['just paid', earlier('paid', taken(9 * minute)), [...twice('earlier_just_paid'), 'new']],
    ['paid before the window', earlier('paid', taken(11 * minute)), ['new', 'new', 'new']],
    ['in doubt', earlier('in_doubt'), [...twice('earlier_in_doubt'), 'earlier_in_doubt']],
    ['in doubt for a day', earlier('in_doubt', old), [...twice('earlier_in_doubt'), 'new']],
  ])('%s', (_what, found, expected) => expect(all(found)).toEqual(expected))
})

test('the window begins with what came later, the payment or its answer', () => {
  const slow = { delivery: 'taken', changedAtMs: nowMs - hour, deliveredAtMs: nowMs - minute } as const
  expect(all(earlier('paid', slow))[0]).toBe('earlier_just_paid')
})

test('a clock that was set back holds the guard longer', () => {
  const ahead = { delivery: 'taken', changedAtMs: nowMs + hour, deliveredAtMs: nowMs + hour } as const
  expect(all(earlier('paid', ahead))[1]).toBe('earlier_just_paid')
})

describe('a purchase that differs in its reason alone', () => {
  const near = (found: Earlier | undefined) => {
    const verdict = judgeNear(found, nowMs, windowMs)
    return verdict.kind === 'refuse' ? verdict.reason : verdict.kind
  }

  test.each<[Standing, string]>([
    ['in_flight', 'earlier_in_flight'],
    ['undecided', 'earlier_undecided'],
    ['waiting', 'earlier_waits_for_a_human'],
    ['unused', 'new'],
    ['running', 'new'],
    ['in_doubt', 'new'],
    ['paid', 'earlier_answer_not_taken'],
  ])('beside an earlier one that is %s', (standing, expected) => expect(near(earlier(standing))).toBe(expected))

  test('passes once the answer was taken, and after the window', () => {
    expect(near(earlier('paid', { delivery: 'taken' }))).toBe('new')
    expect(near(earlier('waiting', { requestedAtMs: nowMs - windowMs }))).toBe('new')
    expect(near(undefined)).toBe('new')
  })
})

function twice(reason: string): [string, string] {
  return [reason, reason]
}
