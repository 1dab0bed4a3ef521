import { expect, test } from 'vitest'
import { hasProtectedInput, refuseTrustedSpendMembers } from '../../src/identity/trusted-members.ts'
import { RouterError } from '../../src/errors/router-error.ts'

const trusted = [
  ...['operation_key', 'operation_handle', 'task_id', 'platform', 'installation_id', 'invocation_id', 'call_id'],
  ...['callId', 'tool_use_id', 'claudecode/toolUseId', '_meta'],
  ...['purchase', 'confirms', 'hubu.dev/purchase'],
]

test.each(trusted)('a model that supplies %s is refused, by name and not by value', (name) => {
  const args = { account_id: 'a', amount_cents: 1, reason: 'r', [name]: 'canary' }
  try {
    refuseTrustedSpendMembers(args)
    expect.unreachable()
  } catch (error) {
    expect(RouterError.from(error).code).toBe('trusted_argument_rejected')
    expect(RouterError.from(error).message).toContain(JSON.stringify(name))
    expect(RouterError.from(error).message).not.toContain('canary')
  }
})

test('the same names deeper down are the purchase, not the platform', () => {
  expect(() => refuseTrustedSpendMembers({ execution_scope: { task_id: 'x' }, Task_Id: 1 })).not.toThrow()
})

const overrides = [
  ...[
    'operation_key',
    'operation_handle',
    'task_id',
    'auth_token_id',
    'spend_auth_token_id',
    'decision_id',
    'claim_id',
  ],
  ...['hubu_claim_id', 'execution_id', 'execution_status', 'continuation_state', 'lifecycle_state', 'gongbu_status'],
  ...['endpoint', 'base_url', 'api_key', 'credential', 'credentials', 'authorization_header', 'bearer_token', 'header'],
  ...['headers', 'retry', 'retries', 'max_retries', 'retry_delay', 'retry_backoff'],
]

test.each(overrides)('an input that names %s at any depth and in any spelling is protected', (name) => {
  const dashed = name.replaceAll('_', '-')
  for (const spelling of [name, name.toUpperCase(), dashed, dashed.toUpperCase()]) {
    expect(hasProtectedInput({ [spelling]: null })).toBe(true)
    expect(hasProtectedInput({ x: [{ y: [1, { [spelling]: 1 }] }] })).toBe(true)
  }
})

test.each([{}, { prompt: 'retry the headers' }, { retry_: 1 }, { keys: ['api_key'] }, null, 'retry', 7, [['retry']]])(
  'an input of %j is not',
  (input) => expect(hasProtectedInput(input)).toBe(false),
)

test('an input that nests very deep is searched to its end', () => {
  let input: unknown = { retry: 1 }
  for (let i = 0; i < 100_000; i++) input = [input]
  expect(hasProtectedInput(input)).toBe(true)
})
