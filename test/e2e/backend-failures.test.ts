import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closedPort, rawServer, response, type RawRequest, type RawServer } from '../backends/raw-server.ts'
import { buildBin, testStamp } from '../support/built-bin.ts'
import { executionBody, healthyGongbu } from '../support/healthy-backends.ts'
import { stubRouter, tokens } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { spendArguments, startRouter, type Message, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** A Hubu of raw bytes: well when probed, and otherwise whatever `say` holds at the moment. */
async function rawHubu(say: { bytes: Buffer }): Promise<RawServer> {
  return rawServer((socket, request) => socket.end(probeBytes(request) ?? say.bytes))
}

function probeBytes({ head }: RawRequest): Buffer | undefined {
  const path = head.split(' ')[1]
  if (path === '/health') return response('{"status":"ok"}')
  if (path !== '/version') return undefined
  const version = { product_version: testStamp.productVersion, source_commit: testStamp.sourceCommit }
  return response(JSON.stringify({ ...version, executor_contract: 'hubu-spend-executor-v4.3' }))
}

/** Text that no agent should have to read: markup, parsers' complaints, library names. */
const unreadable = /<|Unexpected token|TypeError|fetch failed|undici|ECONN|UND_ERR|127\.0\.0\.1|\ufffd|at \w+ \(/

const chunked = (body: string) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`)
const json = '{"budgets":[],"decision":"allow","auth_token_id":"t"}'

interface Case {
  what: string
  bytes: Buffer
  read: string | null
  spend: string | null
}

const invalid = { read: 'hubu_response_invalid', spend: 'hubu_result_ambiguous' }
const refused = { read: 'hubu_application_error', spend: 'hubu_application_error' }
const cut = { read: 'backend_unavailable', spend: 'hubu_result_ambiguous' }
const cases: Case[] = [
  { what: 'a chunked body that is cut', bytes: chunked('10\r\n{"budgets":'), ...cut },
  {
    what: 'a body shorter than its length',
    bytes: Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{"budgets":[]}'),
    ...cut,
  },
  {
    what: 'a gzip body that says so',
    bytes: response(gzipSync(json), { headers: 'Content-Encoding: gzip\r\n' }),
    ...invalid,
  },
  { what: 'a gzip body that does not say so', bytes: response(gzipSync(json)), ...invalid },
  {
    what: 'half a gzip body',
    bytes: response(gzipSync(json).subarray(0, 20), { headers: 'Content-Encoding: gzip\r\n' }),
    ...invalid,
  },
  {
    what: '502 with HTML',
    bytes: response('<html>Bad Gateway</html>', { status: 502, type: 'text/html' }),
    ...invalid,
  },
  { what: '200 with HTML', bytes: response('<html>Log in</html>', { type: 'text/html' }), ...invalid },
  {
    what: 'JSON called text/plain, taken as JSON',
    bytes: response(json, { type: 'text/plain' }),
    read: null,
    spend: null,
  },
  { what: '204', bytes: Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'), ...invalid },
  { what: '200 with nothing', bytes: response(''), ...invalid },
  {
    what: '200 with null, which is an answer to a read',
    bytes: response('null'),
    read: null,
    spend: invalid.spend,
  },
  { what: 'bytes that are not UTF-8', bytes: response(Buffer.from('7b2261223a22ff227d', 'hex')), ...invalid },
  { what: 'UTF-16 with a byte order mark', bytes: response(Buffer.from(`\ufeff${json}`, 'utf16le')), ...invalid },
  {
    what: 'a member twice, of which the last counts',
    bytes: response('{"decision":"deny","decision":"allow","auth_token_id":"twice"}'),
    read: null,
    spend: null,
  },
  { what: 'the error body "x"', bytes: response('"x"', { status: 400 }), ...refused },
  { what: 'the error body []', bytes: response('[]', { status: 400 }), ...refused },
  { what: 'the error body {"error":null}', bytes: response('{"error":null}', { status: 409 }), ...refused },
  { what: 'the error body {"error":{"a":1}}', bytes: response('{"error":{"a":1}}', { status: 403 }), ...refused },
  { what: '401 without a body', bytes: response('', { status: 401 }), ...invalid, spend: refused.spend },
]

describe('an agent reads a short sentence and a code when Hubu answers with', () => {
  const say = { bytes: response('{}') }
  const folder = tempFolder()
  let hubu: RawServer
  let router: RouterProcess
  beforeAll(async () => {
    hubu = await rawHubu(say)
    router = startRouter(built.bin, {
      HUBU_UNIFIED_TWIN_GUARD: 'off',
      HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: tokens.hubu,
      HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3'),
      XDG_CONFIG_HOME: folder.path,
      XDG_DATA_HOME: folder.path,
    })
  })
  afterAll(async () => {
    expect(await router.end()).toEqual([0, null])
    await hubu[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  test.each(cases)('$what', async ({ what, bytes, read, spend }) => {
    say.bytes = bytes
    const readAnswer = await router.callTool('hubu_list_budgets')
    expect(codeOf(readAnswer)).toBe(read)
    // A read that found Hubu gone has marked it so; the next probe finds it well.
    await router.callTool('hubu_unified_capabilities')
    const posts = hubu.requests.filter(({ head }) => head.startsWith('POST')).length
    const spendAnswer = await router.callTool('hubu_authorize_spend', spendArguments, { callId: what })
    expect(codeOf(spendAnswer)).toBe(spend)
    expect(hubu.requests.filter(({ head }) => head.startsWith('POST'))).toHaveLength(posts + 1)
    for (const { error } of [readAnswer, spendAnswer]) {
      expect(error?.message ?? '').not.toMatch(unreadable)
      expect((error?.message ?? '').length).toBeLessThan(600)
    }
  })

  test.each([302, 307, 308])('a redirect %d, which is not followed', async (status) => {
    await using elsewhere = await rawServer((socket) => socket.end(response(json)))
    say.bytes = response('', { status, headers: `Location: ${elsewhere.url.href}\r\n` })
    expect(codeOf(await router.callTool('hubu_list_budgets'))).toBe('hubu_response_invalid')
    const spend = await router.callTool('hubu_authorize_spend', spendArguments, { callId: `redirect ${status}` })
    expect(codeOf(spend)).toBe('hubu_result_ambiguous')
    expect(elsewhere.received()).toBe('')
  })
})

test('200 reads and 20 spends all succeed on a Hubu that promises to keep its sockets and closes each; every POST is sent once', async () => {
  using folder = tempFolder()
  const answer = (socket: Socket, request: RawRequest, nth: number) => {
    const allowed = JSON.stringify({ decision: 'allow', auth_token_id: `token-${nth}` })
    socket.end(probeBytes(request) ?? response(allowed, { headers: 'Keep-Alive: timeout=60\r\n' }))
  }
  await using hubu = await rawServer(answer)
  using router = startRouter(built.bin, {
    HUBU_UNIFIED_TWIN_GUARD: 'off',
    HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: tokens.hubu,
    HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3'),
    XDG_CONFIG_HOME: folder.path,
    XDG_DATA_HOME: folder.path,
  })
  const codes = new Set<string | null>()
  for (let n = 0; n < 200; n++) {
    codes.add(codeOf(await router.callTool('hubu_list_budgets')))
    if (n % 10 === 0)
      codes.add(codeOf(await router.callTool('hubu_authorize_spend', spendArguments, { callId: `call-${n}` })))
  }
  expect([...codes]).toEqual([null])
  expect(hubu.requests.filter(({ head }) => head.startsWith('POST'))).toHaveLength(20)
  expect(await router.end()).toEqual([0, null])
})

test("a Hubu on which nothing listens is named, its address and the reason in the library's words are not", async () => {
  await using stub = await stubRouter()
  using router = startRouter(built.bin, {
    ...stub.env,
    HUBU_UNIFIED_HUBU_ENDPOINT: `http://localhost:${await closedPort()}/`,
  })
  const { error } = await router.callTool('hubu_list_budgets')
  expect(error).toMatchObject({ code: -32010, data: { code: 'backend_unavailable', owner: 'hubu' } })
  expect(error?.message).toContain('hubu cannot serve hubu_list_budgets now')
  expect(error?.message).not.toMatch(/fetch failed|localhost|ECONN/)
  expect((await router.request('tools/list')).result?.tools?.map(({ name }) => name)).toContain('gongbu_get_execution')
  await router.end()
})

test('one Gongbu read that fails hides no tool, touches no state of Hubu, and the next one works', async () => {
  let isFailing = true
  await using gongbu = await healthyGongbu(({ path }) => {
    if (!path.startsWith('/v1/executions/')) return undefined
    return isFailing ? 'hangUp' : { status: 200, json: executionBody('exec-1', 1) }
  })
  await using stub = await stubRouter()
  using router = startRouter(built.bin, { ...stub.env, HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href })
  await router.request('initialize')
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  const before = await router.request('tools/list')
  const failed = await router.callTool('gongbu_get_execution', { execution_id: 'exec-1' })
  expect(failed.result).toMatchObject({ isError: true })
  expect(failed.result?.content?.[0]?.text).toContain('"gongbu_unavailable"')
  isFailing = false
  expect((await router.request('tools/list')).result).toEqual(before.result)
  const works = await router.callTool('gongbu_get_execution', { execution_id: 'exec-1' })
  expect(works.result).toMatchObject({ isError: false })
  expect(codeOf(await router.callTool('hubu_list_budgets'))).toBeNull()
  expect(router.messages.filter(({ method }) => method !== undefined)).toEqual([])
  await router.end()
})

/** The machine code of a refusal; null for a result. */
function codeOf({ error }: Message): string | null {
  return error === undefined ? null : (error.data?.code ?? String(error.code))
}
