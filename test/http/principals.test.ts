// What belongs to one principal is unknown to another: at one router, and at two on the same files.
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { healthyGongbu, healthyHubu } from '../support/healthy-backends.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { createOf } from '../e2e/started-sandbox.ts'
import { backendsIn, startHttpRouter, type HttpRouter } from './lab.ts'
import { call, people, post, toolsOf } from './people.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const tools = ['bulk', 'echo', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } }))
const atlas = {
  command: process.execPath,
  args: [path.resolve('test/downstream/fixtures/server.mjs')],
  env: { DOWNSTREAM_TEST: JSON.stringify({ tools }) },
  enabled: true,
}

/** Alice and Bob before one router, or each before an own one on the same files. */
async function world(isShared: boolean, env: Record<string, string> = {}) {
  const hubu = await healthyHubu()
  const gongbu = await healthyGongbu()
  const folder = tempFolder()
  const { file, tokens } = people(folder.path, {
    alice: { principal: 'alice' },
    bob: { principal: 'bob' },
    reader: { principal: 'alice', rights: ['read'] },
  })
  const options = {
    bin: built.bin,
    folder: folder.path,
    env: { ...backendsIn(folder.path, { hubu, gongbu }), ...env },
    config: { servers: { atlas }, auth: { tokens: file }, response_budget: '2KB' },
  }
  const first = await startHttpRouter(options)
  const second = isShared ? first : await startHttpRouter(options)
  // A machine under load may take longer than the first probes have.
  for (const router of [first, second])
    await expect.poll(() => toolsOf(router, tokens.alice)).toContain('hubu_authorize_spend')
  return {
    ...{ first, second, tokens, hubu, gongbu },
    async [Symbol.asyncDispose]() {
      await Promise.all([...new Set([first, second])].map((router) => router.stop()))
      await Promise.all([hubu[Symbol.asyncDispose](), gongbu[Symbol.asyncDispose]()])
      folder[Symbol.dispose]()
    },
  }
}

const spend = { account_id: 'account-1', amount_cents: 25, reason: 'a picture' }

test.each([
  ['one router', true],
  ['two routers on the same files', false],
])(
  'at %s, handles, tokens, results, calls in the background and resources are those of one principal',
  async (_, isShared) => {
    await using lab = await world(isShared)
    const { first, second, tokens } = lab
    const asAlice = (...asked: [string, object?, object?]) => call(first, tokens.alice, ...asked)
    const asBob = (...asked: [string, object?, object?]) => call(second, tokens.bob, ...asked)

    const bought = await asAlice('hubu_authorize_spend', spend, { callId: 'c1' })
    const others = await asBob('hubu_authorize_spend', spend, { callId: 'c1' })
    const { operation_handle: handle, auth_token_id: token } = bought.body.result!.structuredContent as Record<
      string,
      string
    >
    expect(others.body.result?.structuredContent?.operation_handle).not.toBe(handle)
    const keys = lab.hubu.exchanges
      .filter(({ request }) => request.path === '/spend/authorize')
      .map(({ request }) => (JSON.parse(request.body) as { operation_key: string }).operation_key)
    expect(new Set(keys).size).toBe(2)
    expect((await asBob('hubu_operation_status', { operation_handle: handle })).body.error?.data?.code).toBe(
      'operation_handle_unknown',
    )
    expect((await asAlice('hubu_operation_status', { operation_handle: handle })).body.error).toBeUndefined()
    const taken = await asBob('gongbu_create_execution', createOf(token), { callId: 'c2' })
    expect(taken.body.error?.data?.code).toBe('continuation_unknown')
    const made = await asAlice('gongbu_create_execution', createOf(token), { callId: 'c2' })
    expect(made.body.error).toBeUndefined()

    const receipt = (await asAlice('atlas__bulk', { bytes: 20_000 })).body.result!.structuredContent!
    expect(receipt.status).toBe('stored')
    const { callId } = receipt as { callId: string }
    expect((await asBob('get_result', { callId })).body.result?.structuredContent).toMatchObject({
      status: 'unavailable',
    })
    expect((await asAlice('get_result', { callId })).body.result?.structuredContent).toMatchObject({ status: 'ok' })
    const uri = `hubu-result:///${callId}`
    const read = (router: HttpRouter, who: string) => post(router, who, { method: 'resources/read', params: { uri } })
    expect((await read(second, tokens.bob)).body.error?.code).toBe(-32602)
    expect((await read(first, tokens.alice)).body.error).toBeUndefined()
    const listed = async (router: HttpRouter, who: string) =>
      JSON.stringify((await post(router, who, { method: 'resources/list' })).body).includes(uri)
    expect([await listed(first, tokens.alice), await listed(second, tokens.bob)]).toEqual([true, false])

    const detached = await asAlice('call_tool', { tool: 'atlas__hang', detach: true })
    const running = { callId: detached.body.result!.structuredContent!.callId }
    for (const more of [{}, { cancel: true }])
      expect((await asBob('poll_result', { ...running, ...more })).body.result?.structuredContent).toMatchObject({
        status: 'unknown',
      })
    expect((await asAlice('poll_result', running)).body.result?.structuredContent).toMatchObject({ status: 'pending' })

    const found = async (ask: typeof asAlice) =>
      ((await ask('router__find_operations', {})).body.result!.structuredContent as { operations: object[] }).operations
    expect([(await found(asAlice)).length, (await found(asBob)).length]).toEqual([1, 1])
    const servers = (answer: Awaited<ReturnType<typeof asAlice>>) =>
      (answer.body.result!.structuredContent!.servers as { server: string }[]).map(({ server }) => server)
    expect(servers(await asBob('stats'))).not.toContain('atlas')
    expect(servers(await asAlice('stats'))).toContain('atlas')
  },
)

test.each([
  ['0', 'alice', 'approval_gate_required'],
  ['1', 'reader', 'insufficient_scope'],
  ['1', 'alice', undefined],
] as const)('a protected tool with trust %s is answered to %s with %s', async (trust, who, refusal) => {
  await using lab = await world(true, { HUBU_MCP_TRUST_CLIENT_APPROVAL: trust })
  const { first, tokens } = lab
  const { body } = await call(first, tokens[who], 'hubu_register_human', { name: 'n' })
  const { error } = body as { error?: { data?: { code: string } } | string }
  const told = typeof error === 'string' ? error : error?.data?.code
  if (refusal === undefined) expect(told).not.toBe('approval_gate_required')
  else expect(told).toBe(refusal)
  expect((await toolsOf(first, tokens[who])).includes('hubu_register_human')).toBe(who === 'alice')
})

test('who may only read finds and is told of no tool that it may not call', async () => {
  await using lab = await world(true)
  const { first, tokens } = lab
  const search = await call(first, tokens.reader, 'search_tools', { query: 'authorize a spend' })
  expect(JSON.stringify(search.body)).not.toContain('hubu_authorize_spend')
  const described = await call(first, tokens.reader, 'describe_tool', { tool: 'hubu_authorize_spend' })
  expect(described.body.result?.structuredContent).toMatchObject({ error: 'tool not found' })
  const all = await call(first, tokens.alice, 'describe_tool', { tool: 'hubu_authorize_spend' })
  expect(all.body.result?.structuredContent).not.toHaveProperty('error')
})
