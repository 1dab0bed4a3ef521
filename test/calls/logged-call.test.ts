import { testCaller } from '../support/caller.ts'
import { expect, test } from 'vitest'
import { createLoggedCall } from '../../src/calls/logged-call.ts'
import type { HandleCall } from '../../src/calls/surface.ts'
import { inWords } from '../../src/capabilities/in-words.ts'
import { unconfiguredGongbu, unprobedHubu } from '../../src/capabilities/compatibility.ts'
import { RouterError } from '../../src/errors/router-error.ts'
import { noFindings } from '../../src/json/findings.ts'

const source = { cause: { kind: 'monitor' as const }, signal: new AbortController().signal, ...testCaller }

/** The line that a call leaves, and what the caller got. */
async function logged(name: unknown, handleCall: HandleCall) {
  const lines: string[] = []
  let now = 0
  const call = createLoggedCall(handleCall, {
    debug: (line) => lines.push(line),
    clock: { monotonicMs: () => (now += 12.3) },
  })
  const params = { name, arguments: { reason: 'canary argument' }, _meta: { callId: 'canary identity' } }
  const outcome = await call(params, noFindings, source).catch((fault: unknown) => fault)
  return { lines, outcome }
}

const answer = { content: [{ type: 'text' as const, text: 'canary answer' }] }

test('a call that is answered leaves its tool and its time, and the answer is passed on', async () => {
  const { lines, outcome } = await logged('hubu_list_budgets', () => Promise.resolve(answer))
  expect(lines).toEqual(['hubu_list_budgets was answered after 12 ms.'])
  expect(outcome).toBe(answer)
})

test('a tool error is told from an answer', async () => {
  const { lines } = await logged('gongbu_get_execution', () => Promise.resolve({ ...answer, isError: true }))
  expect(lines).toEqual(['gongbu_get_execution gave a tool error after 12 ms.'])
})

test.each<[string, unknown, string]>([
  ['a refusal by its code', new RouterError('approval_gate_required', 'canary'), 'approval_gate_required'],
  [
    'a refusal with the kind of fault behind it',
    new RouterError('backend_unavailable', 'canary', {
      cause: Object.assign(new Error('connect ECONNREFUSED canary-host:1'), { code: 'ECONNREFUSED' }),
    }),
    'backend_unavailable: Error ECONNREFUSED',
  ],
  ['a fault of the router by its kind', new TypeError('canary'), 'TypeError'],
])('%s is told, its message is not, and the fault is passed on', async (_what, fault, reason) => {
  const { lines, outcome } = await logged('hubu_health', () => Promise.reject(fault as Error))
  expect(lines).toEqual([`hubu_health was refused (${reason}) after 12 ms.`])
  expect(outcome).toBe(fault)
})

test.each(['canary_tool', '', undefined, null, 7, { canary: 1 }])(
  'the made-up name %j is not repeated',
  async (name) => {
    const { lines } = await logged(name, () => Promise.reject(new RouterError('tool_unknown', 'x')))
    expect(lines).toEqual(['A call outside the contract was refused (tool_unknown) after 12 ms.'])
  },
)

test('the states of backends and registry are told in one sentence with their reasons', () => {
  const registry = { state: 'available', reason_code: null, billable_operations_available: true } as const
  expect(inWords({ hubu: unprobedHubu, gongbu: unconfiguredGongbu, registry })).toBe(
    'Hubu is unavailable (health_unavailable), Gongbu is unconfigured (configuration_missing), the registry is available.',
  )
})
