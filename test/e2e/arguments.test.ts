import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { gate, spendArguments, startRouter, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
let stub: StubRouter
let router: RouterProcess
const arrived = gate()
const held = gate()
beforeAll(async () => {
  built = await buildBin()
  stub = await stubRouter(
    {
      hubu: ({ path, body }) => {
        if (path !== '/spend/authorize' || !body.includes('"slow"')) return undefined
        arrived.open()
        return held.opened.then(() => ({ status: 200, json: { decision: 'allow', auth_token_id: 'slow-token' } }))
      },
    },
    { HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' },
  )
  router = startRouter(built.bin, stub.env)
})
afterAll(async () => {
  expect(await router.end()).toEqual([0, null])
  await stub[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

/** Calls a tool with this text as arguments; the bodies that Hubu saw meanwhile. */
async function call(tool: string, rawArguments: string, rawMeta = 'null') {
  const before = stub.hubu.exchanges.length
  const answer = await router.requestRaw(
    'tools/call',
    `{"name":"${tool}","arguments":${rawArguments},"_meta":${rawMeta}}`,
  )
  const posts = stub.hubu.exchanges.slice(before).filter(({ request }) => request.method === 'POST')
  return { answer, bodies: posts.map(({ request }) => request.body) }
}

let spends = 0
const spend = (rawAmount: string) =>
  call(
    'hubu_authorize_spend',
    `{"account_id":"a","amount_cents":${rawAmount},"reason":"r"}`,
    `{"callId":"amount-${++spends}"}`,
  )

describe('amounts', () => {
  test.each([
    ['1.0', 1],
    ['1e3', 1000],
    ['10.0E+1', 100],
    ['9007199254740991', 9007199254740991],
    ['9.007199254740991e15', 9007199254740991],
  ])('%s goes out as the plain integer %s', async (raw, integer) => {
    const { bodies } = await spend(raw)
    expect(bodies).toEqual([expect.stringContaining(`"amount_cents":${integer},`)])
  })

  test.each([
    '1e400',
    '-1e400',
    '9007199254740992',
    '9007199254740993',
    '12345678901234567890',
    '1.5',
    '0.1e-5',
    '"25"',
  ])('%s is refused, and Hubu hears nothing', async (raw) => {
    const { answer, bodies } = await spend(raw)
    expect(answer.error).toMatchObject({ code: -32602, data: { code: 'arguments_invalid' } })
    expect(answer.error?.message).not.toContain(raw)
    expect(bodies).toEqual([])
  })

  test('-0 goes out as 0, for Hubu to refuse', async () => {
    expect((await spend('-0')).bodies).toEqual([expect.stringContaining('"amount_cents":0,')])
  })
})

describe('odd objects', () => {
  test.each([
    ['an own __proto__', '{"amount_cents":1,"__proto__":{"polluted":true}}'],
    ['an escaped __proto__ deep inside', '{"amount_cents":{"a":[{"\\u005f_proto__":1}]}}'],
    ['a member given twice', '{"amount_cents":1,"amount_cents":2}'],
    ['20,000 levels', `{"amount_cents":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['200,000 items', `{"agent_id":[${'0,'.repeat(199_999)}0]}`],
    ['200,000 unknown members', `{${Array.from({ length: 200_000 }, (_, n) => `"m${n}":0`).join()}}`],
    ['half a surrogate pair', '{"agent_id":"a\\ud800b"}'],
    ['half a surrogate pair in a name', '{"\\udc00":1}'],
  ])('%s is refused in few words, and Hubu hears nothing', async (_what, raw) => {
    const { answer, bodies } = await call('hubu_create_budget', raw)
    expect(answer.error).toMatchObject({ code: -32602, data: { code: 'arguments_invalid' } })
    expect(JSON.stringify(answer).length).toBeLessThan(3000)
    expect(bodies).toEqual([])
    expect((await router.request('ping')).result).toEqual({})
  })

  test('20,000 levels inside the input of an execution are a tool error, and nothing is bound', async () => {
    const { answer } = await call(
      'gongbu_create_execution',
      `{"input":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    )
    expect(answer.result).toMatchObject({ isError: true })
    expect(answer.result?.content?.[0]?.text).toContain('"invalid_request"')
  })
})

describe('texts', () => {
  test('combining marks, emoji and line separators reach Hubu as they were written', async () => {
    const reason = 'e\u0301 \u00e9 👩‍👩‍👧 \u2028 \u202e \0'
    const { bodies } = await call(
      'hubu_authorize_spend',
      JSON.stringify({ ...spendArguments, reason }),
      '{"callId":"texts"}',
    )
    expect(bodies.map((body) => (JSON.parse(body) as { reason: string }).reason)).toEqual([reason])
  })

  test('a length limit of the schema counts code points, the limit of a call id counts bytes', async () => {
    const create = (token: string) =>
      call('gongbu_create_execution', JSON.stringify({ ...execution, spend_auth_token_id: token }))
    const tooLong = 'spend_auth_token_id: '
    expect((await create('𝄞'.repeat(256))).answer.result?.content?.[0]?.text).toContain(tooLong)
    // Not too long, but no id that Gongbu could have given.
    expect((await create('𝄞'.repeat(255))).answer.result?.content?.[0]?.text).not.toContain(tooLong)
    const meta = (callId: string) =>
      call('hubu_authorize_spend', JSON.stringify(spendArguments), JSON.stringify({ callId }))
    expect((await meta('𝄞'.repeat(128))).answer.result).toBeDefined()
    expect((await meta('𝄞'.repeat(129))).answer.error).toMatchObject({ data: { code: 'identity_invalid' } })
  })

  test('a call id with half a surrogate pair identifies nothing', async () => {
    const { answer, bodies } = await call(
      'hubu_authorize_spend',
      JSON.stringify(spendArguments),
      '{"callId":"\\ud800"}',
    )
    expect(answer.error).toMatchObject({ code: -32000, data: { code: 'identity_invalid' } })
    expect(bodies).toEqual([])
  })
})

const execution = {
  schema_version: 2,
  input: { prompt: 'x' },
  input_schema_version: 1,
  workload_type: 'image_generation',
  provider: 'sandbox',
  adapter: 'fixture',
  model: 'deterministic-image-v1',
}

describe('identity', () => {
  test('a client that gives up on a spend and delivers it again gets the stored result of the one request', async () => {
    const params = JSON.stringify({
      name: 'hubu_authorize_spend',
      arguments: { ...spendArguments, reason: 'slow' },
      _meta: { callId: 'given-up' },
    })
    const before = stub.hubu.exchanges.length
    router.sendLine(`{"jsonrpc":"2.0","id":"first try","method":"tools/call","params":${params}}`)
    await arrived.opened
    router.sendLine('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"first try"}}')
    const second = router.requestRaw('tools/call', params)
    // Answered, so what was sent before it has been read.
    await router.request('ping')
    held.open()
    expect((await second).result?.structuredContent).toMatchObject({ auth_token_id: 'slow-token' })
    expect(router.messages.some(({ id }) => id === 'first try')).toBe(false)
    expect(stub.hubu.exchanges.slice(before).filter(({ request }) => request.method === 'POST')).toHaveLength(1)
  })

  test('two spends at once under one JSON-RPC id are answered with their own data', async () => {
    const line = (callId: string, task: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'twin',
        method: 'tools/call',
        params: {
          name: 'hubu_authorize_spend',
          arguments: { ...spendArguments, reason: task },
          _meta: { 'hubu.dev/platform-invocation': { platform: 'test', invocation_id: callId, task_id: task } },
        },
      })
    router.sendLine(line('twin-1', 'first'))
    router.sendLine(line('twin-2', 'second'))
    while (router.messages.filter(({ id }) => id === 'twin').length < 2) await router.request('ping')
    const tasks = router.messages
      .filter(({ id }) => id === 'twin')
      .map(({ result }) => (result?.structuredContent as { task_id: string }).task_id)
    expect(tasks.sort()).toEqual(['first', 'second'])
  })
})
