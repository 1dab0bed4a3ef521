import { expect, test } from 'vitest'
import { args, RouterWorld, type Outcome, type TestRouter } from './router-world.ts'
import { answer, text } from './scripted-hubu.ts'

const authorize = (router: TestRouter, meta: unknown = { callId: 'c-1' }, callArgs: object = args) =>
  router.call('hubu_authorize_spend', callArgs, meta)
const envelope = (id: string, more: object = {}, platform = 'hubu-platform') => ({
  'hubu.dev/platform-invocation': { platform, invocation_id: id, ...more },
})
const codeOf = ({ error }: Outcome) => [error?.code, error?.data?.code]
const status = async (router: TestRouter, handle: unknown) =>
  (await router.call('hubu_operation_status', { operation_handle: handle })).result?.structuredContent

async function world() {
  const it = new RouterWorld()
  return { it, router: await it.start(), hubu: it.hubu, [Symbol.dispose]: () => it[Symbol.dispose]() }
}

test('an authorization sends the arguments, the private key and the task once, and shows a handle and guidance', async () => {
  using w = await world()
  const { result, bytes } = await authorize(w.router)
  const { hubu } = w
  const [post, ...more] = hubu.posts
  expect(more).toEqual([])
  expect(post).toEqual({ path: '/spend/authorize', body: { ...args, operation_key: hubu.keys[0], task_id: null } })
  expect(hubu.keys[0]).toMatch(/^hubu:operation:v1:codex:[0-9a-f]{32}$/)
  expect(result?.structuredContent).toMatchObject({
    decision: 'allow',
    auth_token_id: 'tok-1',
    requires_human_approval: false,
    agent_guidance: { on_ambiguous_result: 'redeliver_exact_call', replacement_call: 'do_not_submit' },
  })
  expect(result?.structuredContent.operation_handle).toMatch(/^hubu:public-operation:v1:[0-9a-f]{32}$/)
  expect(result?.structuredContent).not.toHaveProperty('approval_reason')
  expect(bytes).not.toContain('operation_key')
  expect(JSON.parse(result?.content[0]?.text ?? '')).toEqual(result?.structuredContent)
})

test('each source gives the key its platform, and only the envelope has a task', async () => {
  using w = await world()
  await authorize(w.router, { 'claudecode/toolUseId': 'toolu_1' })
  await authorize(w.router, envelope('i-1', { task_id: 'linear:T-1', installation_id: 'host-1' }))
  expect(w.hubu.keys[0]).toMatch(/^hubu:operation:v1:claude-code:/)
  expect(w.hubu.keys[1]).toMatch(/^hubu:operation:v1:hubu-platform:/)
  expect(w.hubu.posts.map(({ body }) => body.task_id)).toEqual([null, 'linear:T-1'])
})

test('no identity, no valid identity, trusted names and unknown arguments reach neither Hubu nor the file', async () => {
  using w = await world()
  const { it, router } = w
  expect(codeOf(await authorize(router, null))).toEqual([-32000, 'identity_missing'])
  expect(codeOf(await authorize(router, { callId: 'a', 'claudecode/toolUseId': 'b' }))).toEqual([
    -32000,
    'identity_ambiguous',
  ])
  expect(codeOf(await authorize(router, { callId: ' c' }))).toEqual([-32000, 'identity_invalid'])
  const trusted = await authorize(router, { callId: 'c' }, { ...args, operation_key: 'canary' })
  expect(codeOf(trusted)).toEqual([-32000, 'trusted_argument_rejected'])
  expect(trusted.bytes).not.toContain('canary')
  expect(codeOf(await authorize(router, { callId: 'c' }, { ...args, foo: 1 }))).toEqual([-32602, 'arguments_invalid'])
  expect(w.hubu.posts).toEqual([])
  expect(it.rows()).toEqual([])
})

test('metadata of others is never stored', async () => {
  using w = await world()
  await authorize(w.router, { callId: 'c-2', other: { deep: 'meta-canary' } })
  expect(JSON.stringify(w.it.rows())).not.toContain('meta-canary')
})

test('the same call again, in any key order and after a restart, gets the stored result word for word', async () => {
  using w = await world()
  const first = await authorize(w.router)
  const reordered = { reason: 'test', amount_cents: 25, account_id: 'account-1' }
  expect((await authorize(w.router, { callId: 'c-1' }, reordered)).bytes).toBe(first.bytes)
  w.router.kill()
  expect((await authorize(await w.it.start())).bytes).toBe(first.bytes)
  expect(w.hubu.posts).toHaveLength(1)
})

test('an identity belongs to one call: other arguments, tool, task or source collide, and the original still works', async () => {
  using w = await world()
  const { router, hubu } = w
  const first = await authorize(router)
  const collision = [-32000, 'identity_collision']
  const other = await authorize(router, { callId: 'c-1' }, { ...args, amount_cents: 30 })
  expect(codeOf(other)).toEqual(collision)
  expect(other.bytes).not.toMatch(/c-1|account-1/)
  expect(codeOf(await router.call('hubu_submit_spend', args, { callId: 'c-1' }))).toEqual(collision)
  expect(codeOf(await authorize(router, envelope('c-1', {}, 'codex')))).toEqual(collision)
  await authorize(router, envelope('i-1', { task_id: 't-1' }))
  for (const more of [{ task_id: 't-2' }, { task_id: null }, {}])
    expect(codeOf(await authorize(router, envelope('i-1', more)))).toEqual(collision)
  expect(hubu.posts).toHaveLength(2)
  expect((await authorize(router)).bytes).toBe(first.bytes)
})

test('another call id, or the same text from another source, is another purchase', async () => {
  using w = await world()
  const handles = [
    await authorize(w.router, { callId: 'same' }),
    await authorize(w.router, { callId: 'other' }),
    await authorize(w.router, { 'claudecode/toolUseId': 'same' }),
  ].map(({ result }) => result?.structuredContent.operation_handle)
  expect(new Set(handles).size).toBe(3)
  expect(new Set(w.hubu.keys).size).toBe(3)
})

test('another installation alias is the same operation', async () => {
  using w = await world()
  const first = await authorize(w.router, envelope('i-1', { installation_id: 'host-1' }))
  expect((await authorize(w.router, envelope('i-1', { installation_id: 'host-2' }))).bytes).toBe(first.bytes)
  expect(w.it.row().controlled_installation_id).toBe('host-1')
  expect(w.hubu.posts).toHaveLength(1)
})

test('a submitted spend is finished when Hubu allows it', async () => {
  using w = await world()
  const { result } = await w.router.call('hubu_submit_spend', args, { 'claudecode/toolUseId': 'toolu_1' })
  expect(w.hubu.posts[0]?.path).toBe('/spend')
  expect(await status(w.router, result?.structuredContent.operation_handle)).toMatchObject({
    state: 'succeeded',
    result: { code: 'spend_succeeded' },
    terminal: true,
  })
})

test('a denial is final and needs no second request', async () => {
  using w = await world()
  w.hubu.next.push(() => answer({ decision: 'deny', decision_id: 'dec-1', requires_human_approval: true }))
  const first = await authorize(w.router)
  expect(first.result?.structuredContent).toMatchObject({ decision: 'deny', requires_human_approval: false })
  expect((await authorize(w.router)).bytes).toBe(first.bytes)
  expect(w.hubu.posts).toHaveLength(1)
  const found = await status(w.router, first.result?.structuredContent.operation_handle)
  expect(found).toMatchObject({ state: 'failed', result: { code: 'authorization_denied' } })
})

test('a pending approval is asked about again with the same key until Hubu decides, and then never more', async () => {
  using w = await world()
  const { router, hubu } = w
  const pending = { decision: 'needs_approval', decision_id: 'dec-2', approval: { approval_request_id: 'apr-1' } }
  hubu.next.push(
    () => answer(pending),
    () => answer({ ...pending, decision_id: 'dec-3' }),
  )
  const first = (await authorize(router)).result?.structuredContent
  expect(first).toMatchObject({ requires_human_approval: true, approval_reason: expect.any(String) as unknown })
  const waiting = await status(router, first?.operation_handle)
  expect(waiting).toMatchObject({ state: 'approval_required', result: { code: 'human_approval_required' } })
  expect(String(waiting?.guidance)).not.toContain('gongbu_create_execution')
  await w.it.time.pass(1000)
  expect((await authorize(router)).result?.structuredContent.decision_id).toBe('dec-3')
  await w.it.time.pass(1000)
  const allowed = await authorize(router)
  expect(allowed.result?.structuredContent).toMatchObject({ decision: 'allow', requires_human_approval: false })
  expect((await authorize(router)).bytes).toBe(allowed.bytes)
  expect(hubu.posts).toHaveLength(3)
  expect(new Set(hubu.keys).size).toBe(1)
  expect(await status(router, first?.operation_handle)).toMatchObject({ state: 'authorized', replacement_safe: true })
})

test('an allowance under the other name of its id keeps that name, and a claim of Hubu about approval is corrected', async () => {
  using w = await world()
  w.hubu.next.push(() => answer({ decision: 'allow', spend_auth_token_id: 'tok-9', requires_human_approval: true }))
  const result = (await authorize(w.router)).result?.structuredContent
  expect(result).toMatchObject({ spend_auth_token_id: 'tok-9', requires_human_approval: false })
  expect(result).not.toHaveProperty('auth_token_id')
  expect(w.it.row().auth_token_id).toBe('tok-9')
})

test.each([
  {},
  { auth_token_id: 'tok-1', authorization_expires_at: '2000-01-01T00:00:00Z' },
  { auth_token_id: 'tok-1', authorization_expires_at: 'soon' },
])('an allowance of %j is stored as it is and cannot be continued', async (members) => {
  using w = await world()
  w.hubu.next.push(() => answer({ decision: 'allow', ...members }))
  const result = (await authorize(w.router)).result?.structuredContent
  expect(result).toMatchObject({ decision: 'allow', ...members })
  expect(await status(w.router, result?.operation_handle)).toMatchObject({
    state: 'failed',
    result: { code: 'authorization_continuation_unavailable' },
    terminal: true,
  })
})

test('every key in an answer goes, with whatever it stood in; the longer one whole', async () => {
  using w = await world()
  w.hubu.next.push(({ body }) => {
    const key = String(body.operation_key)
    return answer({
      decision: 'deny',
      operation_key: key,
      review: { operation_key: 'other-key', note: 'see other-key and other-key-longer' },
      list: [{ operation_key: 'other-key-longer' }, `${key} ${key}`, { operation_key: 7 }],
    })
  })
  const { result, bytes } = await authorize(w.router)
  const marker = '<private operation redacted>'
  expect(result?.structuredContent).toMatchObject({
    review: { note: `see ${marker} and ${marker}` },
    list: [{}, `${marker} ${marker}`, {}],
  })
  for (const secret of [w.hubu.keys[0], 'operation_key', 'longer']) expect(bytes).not.toContain(secret)
})

test('the private key of another operation in an answer does not reach the agent either', async () => {
  using w = await world()
  const other = `hubu:operation:v1:codex:${'0'.repeat(32)}`
  w.hubu.next.push(() => answer({ decision: 'deny', reason: `the budget waits for ${other}` }))
  expect((await authorize(w.router)).result?.structuredContent.reason).toBe(
    'the budget waits for <private operation redacted>',
  )
})

test('the text form of a result is the value and nothing else, when Hubu says it in text/plain as well', async () => {
  using w = await world()
  w.hubu.next.push(() => text('{"decision":"deny"}', 201, 'text/plain'))
  expect((await authorize(w.router)).result?.structuredContent).toMatchObject({ decision: 'deny' })
})

test('numbers in an answer are stored and shown as Hubu wrote them, at a redelivery in the same bytes', async () => {
  using w = await world()
  const members =
    '"review":{"amount_cents":12345678901234567890,"spent":[-9007199254740993,12345678901234567.89,1.0,2E+2,1e400]}'
  const allow = `{"decision":"allow","auth_token_id":"tok-1","authorization_expires_at":"2026-11-29T01:00:00Z",${members}}`
  w.hubu.next.push(() => text(allow, 200))
  const first = await authorize(w.router)
  expect(first.bytes).toContain(members)
  expect(first.result?.content[0]?.text).toContain('"amount_cents": 12345678901234567890,')
  expect(w.it.row()).toMatchObject({ decision: 'allow', auth_token_id: 'tok-1' })
  expect((await authorize(w.router)).bytes).toBe(first.bytes)
  const again = await w.it.start()
  expect((await authorize(again)).bytes).toBe(first.bytes)
  await w.it.time.pass(3_600_000)
  const erased = await authorize(again)
  expect(erased.bytes).toContain(members)
  expect(erased.bytes).not.toContain('tok-1')
  expect(w.hubu.posts).toHaveLength(1)
})

test.each(['"auth_token_id":12345678901234567890', '"decision_id":9007199254740993'])(
  'an id that is a long integer is refused, not rounded: %s',
  async (member) => {
    using w = await world()
    w.hubu.next.push(() => text(`{"decision":"allow",${member}}`, 200))
    expect(codeOf(await authorize(w.router))).toEqual([-32000, 'hubu_result_ambiguous'])
    expect(w.it.row()).toMatchObject({ decision: null, result_json: null })
  },
)
