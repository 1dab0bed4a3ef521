import { expect, test } from 'vitest'
import { agents } from '../../scripts/clients/agents/agent-list.ts'
import { checkRun } from '../../scripts/clients/agents/checks.ts'
import type { Exchange } from '../../scripts/clients/recorder/recording.ts'

const refusal = { code: -32000, message: 'no', data: { code: 'approval_gate_required' } }
const called = (error?: Exchange['error']): Exchange => ({
  pid: 1,
  method: 'tools/call',
  params: { name: 'hubu_register_human' },
  result: undefined,
  error,
})

test.each<[string, 'client' | 'router', Exchange[], number, string]>([
  ['is not called by a client that asks', 'client', [], 0, 'the client did not call it'],
  ['is called by a client that should ask', 'client', [called(refusal)], 1, 'without asking'],
  ['is called and refused by the router', 'router', [called(refusal)], 0, 'the router refused it'],
  ['is called and not refused', 'router', [called(refusal), called()], 1, 'the router did not refuse it'],
  ['is not called where the router should refuse it', 'router', [], 1, 'the client did not call it'],
])('a protected tool %s', (_what, protectedBy, exchanges, count, words) => {
  const agent = agents.find((one) => one.protectedBy === protectedBy)!
  const progress = { step: undefined, attempt: 0, played: 0, seen: {}, stopped: undefined }
  const money = { spentCents: 0, heldCents: 0 }
  const results = checkRun(agent, { progress, exchanges, shown: 0, money, words: '' })
  const { failures, detail } = results.find(({ scenario }) => scenario === 'runs no protected tool without a person')!
  expect(failures).toHaveLength(count)
  expect(detail).toContain(words)
})
