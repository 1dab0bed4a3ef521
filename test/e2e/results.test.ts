// Oversized results through the built bin, as a client meets them.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OkPage } from '#generated/types/router.js'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { receiptOf, rows, sentFor } from './oversized.ts'
import { spendArguments, startRouter, type RouterProcess } from './router-process.ts'

const pictureBytes = Buffer.alloc(100_000, 'png')

const artifact = (id: string) => ({
  ...{ artifact_id: id, execution_id: 'exec-1', kind: 'image', media_type: 'image/png', size_bytes: 8 },
  ...{ sha256: 'f'.repeat(64), metadata: { width: 1 }, metadata_schema_version: 1, created_at: '2026-11-29T00:00:00Z' },
})

/** What Hubu lists, as text; a test may change it. */
let ledger = JSON.stringify(rows(400))
let built: Awaited<ReturnType<typeof buildBin>>
let stub: StubRouter
beforeAll(async () => {
  built = await buildBin()
  stub = await stubRouter({
    hubu: ({ path }) =>
      path === '/ledger' ? { status: 200, contentType: 'application/json', text: ledger } : undefined,
    gongbu: ({ path }) => {
      if (path.includes('/art-1')) {
        return { status: 200, contentType: 'image/png', base64: pictureBytes.toString('base64') }
      }
      if (!path.endsWith('/exec-1/artifacts')) return undefined
      const artifacts = Array.from({ length: 20 }, (_, n) => artifact(`art-${n}`))
      return { status: 200, json: { schema_version: 1, execution_id: 'exec-1', artifacts } }
    },
  })
})
afterAll(async () => {
  await stub[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

const start = (env: Record<string, string> = {}, args: string[] = []) =>
  startRouter(built.bin, { ...stub.env, ...env }, args)

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

async function readAll(router: RouterProcess, callId: string, name = 'get_result'): Promise<string> {
  const parts: Buffer[] = []
  for (let cursor = 0; ;) {
    const { result } = await router.callTool(name, { callId, cursor })
    const page = result?.structuredContent as OkPage
    parts.push(Buffer.from(page.data, 'base64'))
    if (page.done) return Buffer.concat(parts).toString()
    cursor = page.nextCursor
  }
}

describe('a result over the budget', () => {
  test('gives a receipt that fits, and its pages are the bytes that would have been sent', async () => {
    ledger = JSON.stringify(rows(400))
    using router = start()
    const answer = await router.callTool('hubu_list_ledger')
    const receipt = receiptOf(answer)
    const wanted = sentFor(ledger)
    expect(receipt).toMatchObject({ status: 'stored', server: 'hubu', tool: 'hubu_list_ledger', budgetBytes: 32_768 })
    expect(receipt).toMatchObject({ namespaced: 'hubu_list_ledger', originalBytes: Buffer.byteLength(wanted) })
    expect(bytesOf(answer.result)).toBeLessThanOrEqual(32_768)
    expect(receipt.preview?.startsWith('{\n  "transactions": [')).toBe(true)
    for (const name of ['get_result', 'mcphub_get_result', 'mcphub__get_result', 'mcphub__mcphub_get_result'])
      expect(await readAll(router, receipt.callId, name)).toBe(wanted)
    expect(createHash('sha256').update(wanted).digest('hex')).toBe(receipt.sha256)
    expect(await router.end()).toEqual([0, null])
    expect(router.stderr).toBe('')
  })

  test('is whole to the digit, and so is one that is sent at once', async () => {
    ledger = `{"big":9007199254740993,"one":1.0,"tiny":1e-400, "same": [ ]}`
    using router = start()
    await router.callTool('hubu_list_ledger')
    const { result } = await router.callTool('hubu_list_ledger')
    expect(result?.content?.[0]?.text).toBe(
      '{\n  "big": 9007199254740993,\n  "one": 1.0,\n  "tiny": 1e-400,\n  "same": []\n}',
    )
    ledger = `{"big":9007199254740993,"pad":"${'x'.repeat(40_000)}"}`
    const { callId } = receiptOf(await router.callTool('hubu_list_ledger'))
    const payload = await readAll(router, callId)
    expect(payload).toContain('"structuredContent":{"big":9007199254740993,"pad"')
    expect(payload).toContain('\\"big\\": 9007199254740993,')
  })

  test('is found again after a restart, and expires for nobody else', async () => {
    ledger = JSON.stringify(rows(400))
    using first = start()
    const { callId } = receiptOf(await first.callTool('hubu_list_ledger'))
    await first.end()
    using second = start()
    expect(await readAll(second, callId)).toBe(sentFor(ledger))
  })

  test('can be searched, and read as text', async () => {
    ledger = JSON.stringify(rows(400))
    using router = start()
    const { callId } = receiptOf(await router.callTool('hubu_list_ledger'))
    const found = await router.callTool('get_result', { callId, find: 'txn-399' })
    const { matches } = found.result?.structuredContent as { matches: { offset: number; context: string }[] }
    expect(matches).toHaveLength(2)
    const page = await router.callTool('get_result', { callId, cursor: matches[1]?.offset, encoding: 'utf8' })
    expect((page.result?.structuredContent as OkPage).data).toMatch(/^txn-399","description":"\\"row\\" 399 é界😀"/)
  })

  test('a bad call of get_result is told what is wrong, and nothing breaks', async () => {
    using router = start()
    for (const args of [{}, { callId: ' ' }, { callId: 'x', cursor: -1 }, { callId: 'x', cursor: 1e30 }]) {
      const { result } = await router.callTool('get_result', args)
      expect(result?.isError).toBe(true)
    }
    const { result } = await router.requestRaw(
      'tools/call',
      '{"name":"get_result","arguments":{"callId":"x","callId":"y"}}',
    )
    expect(result?.content?.[0]?.text).toContain('given twice')
    expect((await router.callTool('get_result', { callId: 'x', cursor: 0 })).result?.structuredContent).toMatchObject({
      status: 'unavailable',
    })
  })
})

describe('what is never stored', () => {
  test('spends, executions, statuses, capabilities, the profile, pages and pictures arrive whole at the smallest budget', async () => {
    using router = start({ HUBU_UNIFIED_RESPONSE_BUDGET: '512' })
    const spend = await router.callTool('hubu_authorize_spend', spendArguments, { callId: 'never-stored' })
    expect(spend.result?.structuredContent).toHaveProperty('operation_handle')
    expect(bytesOf(spend.result)).toBeGreaterThan(512)
    const { operation_handle: handle } = spend.result?.structuredContent as { operation_handle: string }
    const status = await router.callTool('hubu_operation_status', { operation_handle: handle })
    expect(status.result?.structuredContent).toHaveProperty('terminal')
    for (const name of ['hubu_unified_capabilities', 'hubu_client_approval_profile']) {
      const { result } = await router.callTool(name)
      expect(result?.structuredContent).not.toHaveProperty('callId')
      expect(bytesOf(result)).toBeGreaterThan(512)
    }
    const picture = await router.callTool('gongbu_get_artifact', { artifact_id: 'art-1' })
    const image = picture.result?.content?.[1] as unknown as { data: string }
    expect(Buffer.from(image.data, 'base64').equals(pictureBytes)).toBe(true)
  })

  test('reads of both backends are stored at that budget', async () => {
    ledger = JSON.stringify(rows(40))
    using router = start({ HUBU_UNIFIED_RESPONSE_BUDGET: '512' })
    for (const [name, args] of [
      ['hubu_list_ledger', {}],
      ['gongbu_list_artifacts', { execution_id: 'exec-1' }],
    ] as const) {
      const answer = await router.callTool(name, args)
      expect(receiptOf(answer)).toMatchObject({ status: 'stored', budgetBytes: 512 })
      expect(bytesOf(answer.result)).toBeLessThanOrEqual(512)
      const payload = JSON.parse(await readAll(router, receiptOf(answer).callId)) as { content: unknown[] }
      expect(payload.content).toHaveLength(1)
    }
  })
})

describe('switches', () => {
  const listed = async (router: RouterProcess) =>
    (await router.request('tools/list')).result?.tools?.map(({ name }) => name)

  test.each([
    ['a budget of 0', { HUBU_UNIFIED_RESPONSE_BUDGET: '0' }],
    ['verbatim', { HUBU_UNIFIED_VERBATIM: '1', HUBU_UNIFIED_RESPONSE_BUDGET: '512' }],
  ])('%s lets everything through, lists no get_result and serves no resources', async (_n, env) => {
    ledger = JSON.stringify(rows(4000))
    using router = start(env)
    const { result } = await router.request('initialize', { protocolVersion: '2025-11-25' })
    expect((result as { capabilities?: object }).capabilities).not.toHaveProperty('resources')
    expect(JSON.stringify((await router.callTool('hubu_list_ledger')).result)).toBe(sentFor(ledger))
    expect(await listed(router)).not.toContain('get_result')
    expect((await router.request('resources/list')).error?.code).toBe(-32601)
  })

  test('get_result is listed last, without a page of its own', async () => {
    using router = start()
    expect((await listed(router))?.at(-1)).toBe('get_result')
    expect((await router.request('tools/list')).result).not.toHaveProperty('nextCursor')
  })

  test('flag over environment over file', async () => {
    using folder = tempFolder()
    ledger = JSON.stringify(rows(400))
    const file = (name: string, text: string) => {
      writeFileSync(folder.file(name), text)
      return folder.file(name)
    }
    const kilobyte = file('kilobyte.yaml', 'response_budget: 1KB\n')
    const budget = async (env: Record<string, string>, args: string[] = []) => {
      using router = start(env, args)
      return receiptOf(await router.callTool('hubu_list_ledger')).budgetBytes
    }
    expect(await budget({ HUBU_UNIFIED_CONFIG: kilobyte })).toBe(1024)
    expect(await budget({ HUBU_UNIFIED_CONFIG: kilobyte, HUBU_UNIFIED_RESPONSE_BUDGET: '2KB' })).toBe(2048)
    const other = file('other.yaml', 'response_budget: 3KB\n')
    expect(await budget({ HUBU_UNIFIED_CONFIG: kilobyte }, ['--config', other])).toBe(3072)
    expect(await budget({}, [`--config=${other}`])).toBe(3072)
    expect(await budget({}, ['serve', '--config', other])).toBe(3072)
  })

  test.each([
    ['respons_budget: 1KB', ':1:1: respons_budget is not a key here; did you mean response_budget?'],
    ['response_budget: 511', ':1:1: response_budget must be a size such as 32KB'],
  ])('a config file with %s ends the start with one line', async (text, message) => {
    using folder = tempFolder()
    writeFileSync(folder.file('c.yaml'), text)
    using router = start({}, ['--config', folder.file('c.yaml')])
    expect(await router.end()).toEqual([1, null])
    expect(router.stderr).toMatch(/^hubu-unified-mcp: .*\n$/)
    expect(router.stderr).toContain(folder.file('c.yaml') + message)
    expect(router.messages).toEqual([])
  })

  test.each(['abc', '-1', '511', ''])('a budget of %j in the environment ends the start', async (text) => {
    using router = start({ HUBU_UNIFIED_RESPONSE_BUDGET: text })
    expect(await router.end()).toEqual([1, null])
    expect(router.stderr).toMatch(/^hubu-unified-mcp: HUBU_UNIFIED_RESPONSE_BUDGET must be a size such as [^\n]*\n$/)
  })
})
