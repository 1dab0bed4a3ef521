import { expect, test } from 'vitest'
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { throughFailingDisk, type Failure } from '../operations/failing-disk.ts'
import { args, create, RouterWorld, type Outcome, type TestRouter } from './router-world.ts'
import { answer, text } from './scripted-hubu.ts'

const authorize = (router: TestRouter, callId = 'c-1') => router.call('hubu_authorize_spend', args, { callId })
const codeOf = ({ error }: Outcome) => [error?.code, error?.data?.code]
const ambiguous = [-32000, 'hubu_result_ambiguous']

/** Lets waits end while a call is under way. */
async function within(it: RouterWorld, ms: number, call: Promise<Outcome>): Promise<Outcome> {
  await it.time.pass(ms)
  return call
}

const unusable: [string, HttpOutcome][] = [
  ['a connection that drops before an answer', { kind: 'no_answer' }],
  ['a cut body behind a 200', { kind: 'cut', status: 200, contentType: 'application/json' }],
  ['a cut body behind a 502', { kind: 'cut', status: 502, contentType: 'text/html' }],
  ['an answer beyond every limit', { kind: 'too_large', status: 200, contentType: 'application/json' }],
  ['a 200 that is not JSON', text('not-json')],
  ['a close-delimited JSON that was cut', text('{"decision":"allow","auth_tok')],
  ['an empty 204', text('', 204)],
  ['an empty 200', text('')],
  ['a 200 of HTML', text('<html>welcome</html>', 200, 'text/html')],
  ['a 502 of HTML', text('<html>bad gateway</html>', 502, 'text/html')],
  [
    'UTF-16 with a byte order mark',
    { kind: 'answer', status: 200, contentType: undefined, body: Buffer.from('\ufeff{}', 'utf16le') },
  ],
  [
    'invalid UTF-8',
    { kind: 'answer', status: 200, contentType: undefined, body: Buffer.from('{"a":"\xff"}', 'latin1') },
  ],
  ['null', answer(null)],
  ['a list', answer([])],
  ['nothing that decides', answer({})],
  ['a decision nobody knows', answer({ decision: 'maybe' })],
  ['a numeric token', answer({ decision: 'allow', auth_token_id: 5 })],
  ['a result of more than 1 MiB', answer({ decision: 'allow', auth_token_id: 't', pad: 'x'.repeat(1_048_576) })],
]

test.each(unusable)(
  '%s leaves the outcome open, and the same call again settles it with the same key',
  async (_what, outcome) => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(() => outcome)
    const lost = await within(it, 500, authorize(router))
    const handle = it.row().operation_handle
    expect(codeOf(lost)).toEqual(ambiguous)
    expect(lost.error?.message).toContain(handle)
    expect(lost.error?.message).toMatch(
      /[Rr]edeliver this identical call with the same harness identity; do not submit a replacement/,
    )
    expect(lost.bytes).not.toContain(it.hubu.keys[0])
    expect(lost.bytes).not.toMatch(/html|maybe|xxx/)
    const waiting = await router.call('hubu_operation_status', { operation_handle: handle })
    expect(waiting.result?.structuredContent).toMatchObject({
      state: 'awaiting_hubu_result',
      result: null,
      replacement_safe: false,
    })
    expect(it.row()).toMatchObject({ decision: null, worker_lease_id: null })
    const settled = await authorize(router)
    expect(settled.result?.structuredContent).toMatchObject({ decision: 'allow', operation_handle: handle })
    expect(new Set(it.hubu.keys).size).toBe(1)
  },
)

test('a private key in a member name cannot be taken out, so the result is not stored and the outcome stays open', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(({ body }) => answer({ decision: 'allow', [`note ${String(body.operation_key)}`]: 1 }))
  const lost = await authorize(router)
  expect(codeOf(lost)).toEqual(ambiguous)
  expect(lost.bytes).not.toContain(it.hubu.keys[0])
  expect(it.row().decision).toBeNull()
})

test('an authorization id that another operation has leaves the outcome open', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  await authorize(router, 'c-1')
  it.hubu.next.push(() => answer({ decision: 'allow', auth_token_id: 'tok-1' }))
  expect(codeOf(await authorize(router, 'c-2'))).toEqual(ambiguous)
})

test('Hubu that cannot be reached is unavailable at once, and the same call later has the same key', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(() => ({ kind: 'not_connected' }))
  const refused = await authorize(router)
  expect(codeOf(refused)).toEqual([-32010, 'backend_unavailable'])
  expect(refused.error?.data).toMatchObject({ tool: 'hubu_authorize_spend', owner: 'hubu', retryable: true })
  expect(refused.error?.message).not.toMatch(/replacement/)
  expect(it.row()).toMatchObject({ decision: null, worker_lease_id: null })
  await router.call('hubu_unified_capabilities', {})
  expect((await authorize(router)).result?.structuredContent).toMatchObject({ decision: 'allow' })
  expect(new Set(it.hubu.keys).size).toBe(1)
})

test('a refusal of Hubu is passed on without secrets, and the same call gets it again', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(({ body }) => answer({ error: `bad ${String(body.operation_key)} hubu-canary` }, 400))
  const refused = await authorize(router)
  expect(codeOf(refused)).toEqual([-32000, 'hubu_application_error'])
  expect(refused.error?.message).toContain('400')
  expect(refused.error?.message).toContain('bad <private operation redacted> <redacted>')
  expect(refused.bytes).not.toContain(it.hubu.keys[0])
  expect(refused.error?.message).not.toMatch(/replacement/)
  expect((await authorize(router)).bytes).toBe(refused.bytes)
  expect(it.hubu.posts).toHaveLength(1)
})

test.each([
  ['a refusal after a try whose outcome is open', answer({ error: 'no' }, 401), -32000],
  ['unreachable after a try whose outcome is open', { kind: 'not_connected' } as HttpOutcome, -32010],
])('%s says that the earlier try may have been carried out', async (_what, outcome, code) => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(
    () => ({ kind: 'no_answer' }),
    () => outcome,
  )
  await within(it, 500, authorize(router))
  const refused = await authorize(router)
  expect(refused.error?.code).toBe(code)
  expect(refused.error?.message).toMatch(
    /earlier try .* may have been carried out.*redeliver this identical call.*do not submit a replacement/,
  )
})

test('a failure of Hubu itself on the first try leaves room for doubt as well', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(() => answer({ error: 'disk full after commit' }, 500))
  const failed = await authorize(router)
  expect(codeOf(failed)).toEqual([-32000, 'hubu_application_error'])
  expect(failed.error?.message).toMatch(/do not submit a replacement/)
})

test.each(['x', '[]', '{"error":null}', '{"error":{"code":1}}', '7'])(
  'an error body of %s is told in words',
  async (body) => {
    using it = new RouterWorld()
    const router = await it.start()
    it.hubu.next.push(() => text(body === 'x' ? '"x"' : body, 401))
    const refused = await authorize(router)
    expect(codeOf(refused)).toEqual([-32000, 'hubu_application_error'])
    expect(refused.error?.message).toContain('401')
  },
)

const registryError = [-32000, 'operation_registry_error']

test.each([
  { at: 'commit', code: 'SQLITE_FULL' },
  { at: 'begin', code: 'SQLITE_IOERR_READ' },
  { at: 'begin', code: 'SQLITE_READONLY' },
] as Failure[])('a registry that fails with $code is told before Hubu hears of the spend', async (failing) => {
  using it = new RouterWorld()
  const failure: Failure = { at: 'never', code: failing.code }
  const router = await it.start({ through: (database) => throughFailingDisk(database, failure) })
  failure.at = failing.at
  const refused = await authorize(router)
  expect(codeOf(refused)).toEqual(registryError)
  expect(refused.error?.message).toMatch(/nothing was sent/)
  expect(it.hubu.posts).toEqual([])
  expect(it.rows()).toEqual([])
  failure.at = 'never'
  expect((await authorize(router)).result?.structuredContent).toMatchObject({ decision: 'allow' })
})

test('a registry that is locked for longer than the patience refuses the spend, and nothing is sent', async () => {
  using it = new RouterWorld()
  const failure: Failure = { at: 'never', code: 'SQLITE_BUSY' }
  const router = await it.start({ through: (database) => throughFailingDisk(database, failure) })
  failure.at = 'begin'
  const call = authorize(router)
  await it.time.pass(4900)
  failure.at = 'never'
  expect((await within(it, 100, call)).result?.structuredContent).toMatchObject({ decision: 'allow' })
  failure.at = 'begin'
  expect(codeOf(await within(it, 5200, authorize(router, 'c-2')))).toEqual(registryError)
  expect(it.hubu.posts).toHaveLength(1)
})

test('a disk that fails after Hubu has answered leaves the outcome open, never a failure that invites a new spend', async () => {
  using it = new RouterWorld()
  const failure: Failure = { at: 'never', code: 'SQLITE_FULL' }
  const router = await it.start({ through: (database) => throughFailingDisk(database, failure) })
  it.hubu.next.push((post) => {
    failure.at = 'commit'
    return it.hubu.allow(post)
  })
  expect(codeOf(await authorize(router))).toEqual(ambiguous)
  failure.at = 'never'
  await it.time.pass(3000)
  expect((await authorize(router)).result?.structuredContent).toMatchObject({
    decision: 'allow',
    auth_token_id: 'tok-1',
  })
  expect(new Set(it.hubu.keys).size).toBe(1)
})

test('a redelivery that Hubu cannot take now is told to be redelivered, not replaced: its first try may have been carried out', async () => {
  using it = new RouterWorld()
  const router = await it.start()
  it.hubu.next.push(() => ({ kind: 'no_answer' }))
  const first = authorize(router)
  await it.time.pass(1000)
  expect(codeOf(await first)).toEqual([-32000, 'hubu_result_ambiguous'])
  it.hubu.isUp = false
  await router.call('hubu_unified_capabilities', {})
  const { error } = await authorize(router)
  expect(error?.data).toMatchObject({ code: 'backend_unavailable', retryable: true })
  expect(error?.message).toMatch(/redeliver it unchanged .* do not submit a replacement/)
  expect((await router.call('hubu_list_budgets', {})).error?.message).not.toContain('redeliver')
})

test('without a registry the four tools that need it refuse, and the rest works', async () => {
  using it = new RouterWorld()
  const router = await it.start({ hasRegistry: false })
  const refused = [-32000, 'operation_registry_unavailable']
  const first = await authorize(router)
  expect(codeOf(first)).toEqual(refused)
  expect(first.error?.message).toMatch(/redeliver it unchanged .* do not submit a replacement/)
  expect(codeOf(await router.call('hubu_submit_spend', args, { callId: 'c-1' }))).toEqual(refused)
  expect(
    codeOf(
      await router.call('hubu_operation_status', { operation_handle: `hubu:public-operation:v1:${'0'.repeat(32)}` }),
    ),
  ).toEqual(refused)
  expect(codeOf(await router.call('gongbu_create_execution', create))).toEqual(refused)
  expect(it.hubu.posts).toEqual([])
  expect(it.gongbu.posts).toEqual([])
})
