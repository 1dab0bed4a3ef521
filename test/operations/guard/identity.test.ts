import { expect, test } from 'vitest'
import { guardedIdentity, isNamedFor, nearFingerprint } from '../../../src/operations/guard/identity.ts'
import { possibleDuplicate } from '../../../src/operations/guard/refusal.ts'
import { looksRepeating } from '../../../src/operations/guard/repeating-ids.ts'

const intent = { principal: 'cursor', tool: 'hubu_submit_spend', fingerprint: `sha256:${'a'.repeat(64)}` }

test('the router names a purchase the same way in every process, and each next one in another', () => {
  const first = guardedIdentity(intent, 1)
  expect(first).toMatchObject({ platform: 'guarded', taskId: null, codexCallId: null, hubuInvocationId: null })
  expect(first.harnessCallId).toMatch(/^guarded:v1:[0-9a-f]{64}$/)
  expect(guardedIdentity({ ...intent }, 1)).toEqual(first)
  const others = [
    guardedIdentity(intent, 2),
    guardedIdentity({ ...intent, principal: 'qwen' }, 1),
    guardedIdentity({ ...intent, tool: 'hubu_authorize_spend' }, 1),
    guardedIdentity({ ...intent, fingerprint: `sha256:${'b'.repeat(64)}` }, 1),
  ]
  expect(new Set([first, ...others].map(({ harnessCallId }) => harnessCallId)).size).toBe(5)
})

test('a row belongs to the principal whose name it was made from', () => {
  const row = { platform: 'guarded', harness_call_id: guardedIdentity(intent, 3).harnessCallId }
  expect(isNamedFor(row, intent, [1, 2, 3])).toBe(true)
  expect(isNamedFor(row, intent, [1, 2])).toBe(false)
  expect(isNamedFor(row, { ...intent, principal: 'qwen' }, [1, 2, 3])).toBe(false)
  expect(isNamedFor({ ...row, platform: 'codex' }, intent, [3])).toBe(false)
})

test('purchases are alike when nothing but the reason differs, in whatever order they are written', () => {
  const near = (args: object) => nearFingerprint('hubu_submit_spend', args).toString('hex')
  const args = { account_id: 'a', amount_cents: 1, reason: 'one' }
  expect(near({ reason: 'two', amount_cents: 1, account_id: 'a' })).toBe(near(args))
  expect(near({ ...args, amount_cents: 2 })).not.toBe(near(args))
  expect(near({ ...args, merchant: 'm' })).not.toBe(near(args))
})

const isToolName = (name: string) => ['hubu_submit_spend', 'hubu_authorize_spend'].includes(name)

test.each([
  ...['functions.hubu_submit_spend:0', 'hubu_submit_spend:12', 'hubu_authorize_spend_3', 'hubu_submit_spend-000001'],
  ...['mcp__hubu__hubu_submit_spend:4', 'call_7', '0', '17'],
])('%s looks like an id that begins again with each turn', (id) => expect(looksRepeating(id, isToolName)).toBe(true))

test.each([
  ...['toolu_01ABCDEFGHIJKLMNOPQRSTUV', 'call_Ab12Cd34Ef56Gh78Ij90Kl12', '3f2b8c1e-9d47-4a60-8f3c-5b1e7a9d2c46'],
  ...['codex-call-1', 'call_1234567', 'hubu_submit_spend', 'hubu_submit_spend:1234567', 'other_tool:0'],
])('%s does not', (id) => expect(looksRepeating(id, isToolName)).toBe(false))

test('a refusal names the earlier operation and the person who can confirm, and shows no way around it', () => {
  const error = possibleDuplicate({
    operation_handle: `hubu:public-operation:v1:${'c'.repeat(32)}`,
    reason: 'earlier_just_paid',
    difference: 'none',
    answer: 'paid',
    requested_at: '2026-11-30T13:51:15.338Z',
  })
  expect(error.code).toBe('possible_duplicate')
  expect(error.message).toMatch(/^Nothing was spent or reserved/)
  for (const part of ['hubu_operation_status', 'c'.repeat(32), '2026-11-30T13:51:15.338Z', 'operations confirm'])
    expect(error.message).toContain(part)
  expect(error.message).not.toMatch(/\breason\b|\bchange|\bdifferent|\bamount\b/)
  expect(error.toWire().data).toMatchObject({ code: 'possible_duplicate', answer: 'paid', difference: 'none' })
})
