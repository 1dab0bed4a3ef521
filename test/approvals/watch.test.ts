import { expect, test } from 'vitest'
import { ApprovalError } from '../../src/approvals/approval-error.ts'
import type { HubuApprovals, PendingSpend } from '../../src/approvals/hubu-approvals.ts'
import { eventId, noticeBody, noticeLine, type ApprovalEvent } from '../../src/approvals/notice.ts'
import { watchApprovals } from '../../src/approvals/watch.ts'
import { FakeClock } from '../support/fake-clock.ts'

const spend = (id: string): PendingSpend => ({
  ...{ workflow_id: id, status: 'needs_approval', created_at: '2026-11-29T00:00:00Z', agent_id: 'agt_1' },
  ...{ account_id: 'aga_1', authorized_max_cents: 250, currency: 'usd', purpose: 'what the agent wrote' },
  ...{ provider: { id: 'provider:local:fixture', display_name: 'Nice\u001b[2J' } },
})
const away = () => new ApprovalError('Hubu cannot be reached.', { isAway: true })

/** Watches through the given looks, one after the other, and tells what was said. */
async function watched(looks: (string[] | Error | { ids: string[]; isWhole: boolean })[], decided = {}) {
  const stop = new AbortController()
  const clock = new FakeClock({ sleepMs: (ms) => ms })
  const events: string[] = []
  const remarks: string[] = []
  const ended = watchApprovals({
    hubu: {
      pending: () => {
        const look = looks.shift() ?? []
        if (looks.length === 0) stop.abort()
        if (look instanceof Error) return Promise.reject(look)
        const { ids, isWhole } = Array.isArray(look) ? { ids: look, isWhole: true } : look
        return Promise.resolve({ spends: ids.map(spend), isWhole })
      },
      show: (id) =>
        Promise.resolve({ status: 'approved', ...decided, id } as unknown as Awaited<
          ReturnType<HubuApprovals['show']>
        >),
    },
    clock,
    intervalMs: 5000,
    signal: stop.signal,
    tell: ({ status, spend: { workflow_id: id } }) => void events.push(`${status} ${id}`),
    remark: (text) => void remarks.push(text),
  })
  await ended
  return { events, remarks, pauses: clock.slept }
}

test('what waits is told once, oldest first, and what became of it once it waits no more', async () => {
  expect(await watched([['b', 'a'], ['b', 'a'], ['c', 'b'], ['c']])).toMatchObject({
    events: ['pending a', 'pending b', 'pending c', 'approved a'],
  })
})

test('a request that only fell off the pages that are read is not taken for decided', async () => {
  const cut = { ids: ['b'], isWhole: false }
  const { events, remarks } = await watched([['a'], cut, cut, []], { status: 'pending' })
  expect(events).toEqual(['pending a', 'pending b'])
  expect(remarks).toHaveLength(1)
})

test('a Hubu that goes is told once, asked ever more slowly, and told once when it is back', async () => {
  const { remarks, pauses } = await watched([away(), away(), away(), away(), away(), ['a'], []])
  expect(remarks).toEqual(['Hubu cannot be reached. Watching goes on.', 'Hubu answers again.'])
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 5000, 5000])
})

test('a refusal ends the watch', async () => {
  await expect(watched([new ApprovalError('Hubu refused with status 401: no'), []])).rejects.toThrow('401')
})

test('a notice holds amounts and ids, and nothing that an agent or a provider wrote', () => {
  const event: ApprovalEvent = { type: 'approval.waiting', status: 'pending', atMs: 0, spend: spend('a-1') }
  expect(noticeBody(event, true)).toEqual({
    type: 'approval.waiting',
    timestamp: '1970-01-01T00:00:00.000Z',
    text: '2.50 USD waits for a human decision (agent agt_1).',
    data: {
      approval_request_id: 'a-1',
      status: 'pending',
      amount: { minor: '250', text: '2.50', currency: 'USD' },
      account_id: 'aga_1',
      agent_id: 'agt_1',
      provider: 'provider:local:fixture',
      billing_merchant: null,
      sandbox: true,
    },
  })
  expect(noticeLine(event)).toMatch(/^\d\d:\d\d:\d\d {2}waiting {3}2\.50 USD {2}agt_1 {2}a-1$/)
  expect(eventId('approval.waiting', 'a-1')).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
})
