import { expect, test } from 'vitest'
import { args, create, RouterWorld, type Outcome, type TestRouter } from './router-world.ts'
import { execution, refusal } from './scripted-gongbu.ts'
import { answer } from './scripted-hubu.ts'

const codeOf = ({ error }: Outcome) => [error?.code, error?.data?.code]
const toolError = ({ result }: Outcome) => {
  if (result?.isError !== true) return 'no error'
  return (JSON.parse(result.content[0]?.text ?? '{}') as { error: { code: string } }).error.code
}
const canonical = JSON.stringify(create)

/** A router whose authorization tok-1 is allowed. */
async function authorized() {
  const it = new RouterWorld()
  const router = await it.start()
  const { result } = await router.call('hubu_authorize_spend', args, { callId: 'c-1' })
  const handle = String(result?.structuredContent.operation_handle)
  const key = String(it.hubu.keys[0])
  const status = async (from: TestRouter = router) =>
    (await from.call('hubu_operation_status', { operation_handle: handle })).result?.structuredContent
  return { it, router, handle, key, status, gongbu: it.gongbu, [Symbol.dispose]: () => it[Symbol.dispose]() }
}

test('a create is acknowledged with the projection and without token or prompt, and nobody is asked for it', async () => {
  using w = await authorized()
  w.gongbu.onPost = [() => execution(2, 'succeeded', w.key)]
  const { result, bytes } = await w.router.call('gongbu_create_execution', create)
  expect(result?.isError).toBe(false)
  expect(result?.structuredContent).toMatchObject({
    schema_version: 1,
    operation_handle: w.handle,
    state: 'accepted',
    terminal: false,
    replacement_safe: false,
    execution_id: null,
    result: null,
  })
  expect(JSON.parse(result?.content[0]?.text ?? '')).toEqual(result?.structuredContent)
  expect(bytes).not.toMatch(/tok-1|circle/)
  await w.it.time.pass(100)
  expect(await w.status()).toMatchObject({
    state: 'succeeded',
    execution_id: 'exec-1',
    result: { code: 'execution_succeeded' },
  })
  expect(w.gongbu.posts).toEqual([canonical])
  expect(w.gongbu.gets).toEqual([])
})

test('trouble on the way posts the same bytes until Gongbu answers usefully', async () => {
  using w = await authorized()
  w.gongbu.onPost = [
    () =>
      refusal(500, {
        code: 'invalid_request',
        reason_code: 'target_not_selectable',
        fields: ['workload_type', 'provider', 'adapter', 'model'],
      }),
    () => ({ kind: 'no_answer' }),
    () => answer('truncated'),
    () => ({ kind: 'cut', status: 200, contentType: 'application/json' }),
    () => execution(2, 'succeeded', w.key),
  ]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(1500)
  expect(await w.status()).toMatchObject({ state: 'queued', result: { code: 'dispatch_retry_pending' } })
  await w.it.time.pass(20_000)
  expect(w.gongbu.posts).toEqual(Array.from({ length: 5 }, () => canonical))
  expect(await w.status()).toMatchObject({ state: 'succeeded' })
})

test('an exact create at every state gives that state and causes nothing', async () => {
  using w = await authorized()
  w.gongbu.onPost = [() => ({ kind: 'no_answer' }), () => execution(2, 'executing', w.key)]
  w.gongbu.onGet = [() => execution(1, 'executing', w.key), () => execution(1, 'succeeded', w.key)]
  const states: unknown[] = []
  for (const ms of [0, 500, 1000, 1000, 5000]) {
    await w.it.time.pass(ms)
    const again = await w.router.call('gongbu_create_execution', { ...create, model: 'fixture-v1' })
    states.push(again.result?.structuredContent.state)
  }
  expect(states).toEqual(['accepted', 'queued', 'reconciling', 'reconciling', 'succeeded'])
  expect([w.gongbu.posts.length, w.gongbu.gets.length]).toEqual([2, 2])
})

test('another intent under the same authorization, and ids that cannot be continued, are refused without a request', async () => {
  using w = await authorized()
  const { router } = w
  await router.call('hubu_submit_spend', args, { callId: 's' })
  w.it.hubu.next.push(() => answer({ decision: 'needs_approval', auth_token_id: 'tok-p' }))
  await router.call('hubu_authorize_spend', args, { callId: 'p' })
  const createWith = async (more: object) =>
    codeOf(await router.call('gongbu_create_execution', { ...create, ...more }))
  expect(await createWith({ spend_auth_token_id: 'nope' })).toEqual([-32000, 'continuation_unknown'])
  expect(await createWith({ spend_auth_token_id: 'tok-s' })).toEqual([-32000, 'continuation_not_authorization'])
  expect(await createWith({ spend_auth_token_id: 'tok-p' })).toEqual([-32000, 'continuation_not_executable'])
  w.gongbu.onPost = [() => execution(2, 'executing', w.key)]
  w.gongbu.onGet = [() => execution(1, 'executing', w.key)]
  await router.call('gongbu_create_execution', create)
  expect(await createWith({ model: 'other' })).toEqual([-32000, 'continuation_intent_conflict'])
  await w.it.time.pass(100)
  expect(w.gongbu.posts).toEqual([canonical])
})

test('an authorization that ran out before its create is unknown, and its status says why', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  const expires = new Date(it.now().getTime() + 1000).toISOString()
  it.hubu.next.push(() => answer({ decision: 'allow', auth_token_id: 'tok-1', authorization_expires_at: expires }))
  const { result } = await router.call('hubu_authorize_spend', args, { callId: 'c-1' })
  await it.time.pass(1000)
  expect(codeOf(await router.call('gongbu_create_execution', create))).toEqual([-32000, 'continuation_unknown'])
  const status = await router.call('hubu_operation_status', {
    operation_handle: result?.structuredContent.operation_handle,
  })
  expect(status.result?.structuredContent).toMatchObject({
    state: 'failed',
    result: { code: 'authorization_continuation_unavailable' },
  })
  const again = await router.call('hubu_authorize_spend', args, { callId: 'c-1' })
  expect(again.result?.structuredContent).not.toHaveProperty('auth_token_id')
  expect(it.hubu.posts).toHaveLength(1)
})

const { spend_auth_token_id: _token, ...tokenless } = create
test.each([
  tokenless,
  { ...create, schema_version: 1 },
  { ...create, input: [] },
  { ...create, input_schema_version: 0 },
  { ...create, model: '' },
  { ...create, spend_auth_token_id: 'token a' },
  { ...create, account_id: 'a' },
  { ...create, endpoint: 'http://x' },
])('a create that is malformed is a tool error and binds nothing: %j', async (malformed) => {
  using w = await authorized()
  expect(toolError(await w.router.call('gongbu_create_execution', malformed))).toBe('invalid_request')
  expect(w.it.row().operation_state).toBeNull()
})

test.each([{ x: [{ Retry: 1 }] }, { 'operation-key': 'z' }, { headers: {} }])(
  'an input of %j would override the platform and binds nothing',
  async (input) => {
    using w = await authorized()
    expect(toolError(await w.router.call('gongbu_create_execution', { ...create, input }))).toBe('protected_override')
    expect(w.it.row().operation_state).toBeNull()
  },
)

test('while Hubu is away a create is refused and nothing is bound', async () => {
  using w = await authorized()
  w.it.hubu.isUp = false
  const refused = await w.router.call('gongbu_create_execution', create)
  expect(codeOf(refused)).toEqual([-32010, 'backend_unavailable'])
  expect(refused.error?.data).toMatchObject({ owner: 'gongbu' })
  expect(w.it.row().operation_state).toBeNull()
})

test('a refusal with a private detail shows its code only; a diagnostic shows as the contract has it, for good', async () => {
  using w = await authorized()
  const fields = ['workload_type', 'provider', 'adapter', 'model']
  w.gongbu.onPost = [() => refusal(400, { code: 'invalid_request', reason_code: 'target_not_selectable', fields })]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(100)
  const expected = { code: 'execution_request_invalid', reason_code: 'target_not_selectable', fields }
  expect(await w.status()).toMatchObject({ state: 'failed', result: expected, replacement_safe: false })
  const later = await w.it.start()
  expect(await w.status(later)).toMatchObject({ result: expected })
  const again = await later.call('gongbu_create_execution', create)
  expect(again.result?.structuredContent.result).toEqual(expected)
  expect(again.bytes).not.toMatch(/execution_request_target_not_selectable|private detail/)
  expect(w.gongbu.posts).toHaveLength(1)
})

test('an answer about another key or another execution fails the operation and is not taken over', async () => {
  using w = await authorized()
  w.gongbu.onPost = [() => execution(2, 'executing', 'other-key')]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(100)
  expect(await w.status()).toMatchObject({
    state: 'failed',
    execution_id: null,
    result: { code: 'execution_dispatch_failed' },
  })
  using v = await authorized()
  v.gongbu.onPost = [() => execution(2, 'executing', v.key)]
  v.gongbu.onGet = [() => execution(1, 'executing', v.key, { execution_id: 'exec-2' })]
  await v.router.call('gongbu_create_execution', create)
  await v.it.time.pass(2000)
  expect(await v.status()).toMatchObject({
    state: 'failed',
    execution_id: 'exec-1',
    result: { code: 'execution_dispatch_failed' },
  })
})

test('an operation survives its process: acknowledged before the POST, or dead in the middle of it, it is posted again', async () => {
  using w = await authorized()
  let hold = true
  w.gongbu.onPost = [() => (hold ? new Promise(() => {}) : execution(2, 'succeeded', w.key))]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(500)
  w.router.kill()
  hold = false
  const next = await w.it.start()
  await w.it.time.pass(9000)
  expect(w.gongbu.posts).toHaveLength(1)
  await w.it.time.pass(2000)
  expect(w.gongbu.posts).toEqual([canonical, canonical])
  expect(await w.status(next)).toMatchObject({ state: 'succeeded' })
})

test('a refusal of the second POST, which overlapped the first, does not fail the operation', async () => {
  using w = await authorized()
  w.gongbu.onPost = [
    () => ({ kind: 'no_answer' }),
    () => refusal(409, { code: 'operation_key_in_use' }),
    () => refusal(400, { code: 'invalid_request' }),
    () => ({ kind: 'cut', status: 400, contentType: 'application/json' }),
    () => execution(2, 'succeeded', w.key),
  ]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(20_000)
  expect(w.gongbu.posts).toHaveLength(5)
  expect(await w.status()).toMatchObject({ state: 'succeeded' })
})

test('a direct read of a bound execution shows the handle, hides the key and moves the operation on', async () => {
  using w = await authorized()
  w.gongbu.onPost = [() => execution(2, 'executing', w.key)]
  w.gongbu.onGet = [() => execution(1, 'succeeded', w.key, { outcome: `made for ${w.key}` })]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(100)
  const read = await w.router.call('gongbu_get_execution', { execution_id: 'exec-1' })
  expect(read.bytes).toContain(w.handle)
  expect(read.bytes).not.toMatch(/operation_key|hubu:operation:v1:/)
  expect(await w.status()).toMatchObject({ state: 'succeeded' })
  await w.it.time.pass(5000)
  expect(w.gongbu.gets).toHaveLength(1)
})

test('a direct read that answers for another key is a conflict and changes nothing; an unbound one is passed on without a handle', async () => {
  using w = await authorized()
  w.gongbu.onPost = [() => execution(2, 'executing', w.key)]
  w.gongbu.onGet = [() => execution(1, 'executing', 'foreign-key')]
  await w.router.call('gongbu_create_execution', create)
  await w.it.time.pass(100)
  const before = w.it.row()
  expect(toolError(await w.router.call('gongbu_get_execution', { execution_id: 'exec-1' }))).toBe('identity_conflict')
  expect(w.it.row()).toEqual(before)
  const without = await w.it.start({ hasRegistry: false })
  const read = await without.call('gongbu_get_execution', { execution_id: 'exec-1' })
  expect(read.result?.isError).toBe(false)
  expect(read.bytes).not.toContain('operation_handle')
})

test('a status takes one text and nothing else, and knows only real handles', async () => {
  using w = await authorized()
  const ask = async (statusArgs: object) => codeOf(await w.router.call('hubu_operation_status', statusArgs))
  expect(await ask({})).toEqual([-32602, 'arguments_invalid'])
  expect(await ask({ operation_handle: 5 })).toEqual([-32602, 'arguments_invalid'])
  expect(await ask({ operation_handle: w.handle, more: 1 })).toEqual([-32602, 'arguments_invalid'])
  for (const handle of [
    'bogus',
    '',
    `hubu:public-operation:v1:${'0'.repeat(32)}`,
    `${w.handle} `,
    w.key,
    'x'.repeat(5000),
  ])
    expect(await ask({ operation_handle: handle })).toEqual([-32000, 'operation_handle_unknown'])
})

test('every time in a projection is UTC with milliseconds', async () => {
  using w = await authorized()
  expect((await w.status())?.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('an authorization without an execution scope is refused before it is acknowledged, and stays authorized', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(() =>
    answer({
      decision: 'allow',
      auth_token_id: 'tok-1',
      authorization_expires_at: '2099-01-01T00:00:00Z',
      execution_scope: null,
    }),
  )
  const spent = await router.call('hubu_authorize_spend', args, { callId: 'c-1' })
  const { error } = await router.call('gongbu_create_execution', create)
  expect(error).toMatchObject({ code: -32000, data: { code: 'continuation_not_executable' } })
  expect(error?.message).toMatch(/no execution_scope.*hubu_authorize_spend again/)
  const status = await router.call('hubu_operation_status', {
    operation_handle: spent.result?.structuredContent.operation_handle,
  })
  expect(status.result?.structuredContent.state).toBe('authorized')
})
