import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import type { Answer } from '../support/healthy-backends.ts'
import { stubRouter } from '../support/stub-router.ts'
import { gate, spendArguments, startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** A Hubu that keeps requests of a route waiting until the test lets them go. */
function holding(route: string) {
  const release = gate()
  const arrivals: (() => void)[] = []
  let arrived = 0
  const answer: Answer = ({ path: asked }) => {
    if (asked !== route) return undefined
    arrived++
    for (const arrival of arrivals.splice(0)) arrival()
    return release.opened.then(() => ({ status: 200, json: allowed }))
  }
  return {
    answer,
    release: release.open,
    arrivals: async (count: number) => {
      while (arrived < count) await new Promise<void>((resolve) => arrivals.push(resolve))
    },
  }
}

const allowed = { decision: 'allow', decision_id: 'd', auth_token_id: 'token-1' }

function rowsOf(file: string): { decision: string | null }[] {
  const registry = openDatabase(file)
  try {
    return registry.prepare('select * from harness_operations').all() as ReturnType<typeof rowsOf>
  } finally {
    registry.close()
  }
}

describe('the end of input', () => {
  test('ends an idle router with 0, and the last one leaves no log file beside the registry', async () => {
    await using stub = await stubRouter()
    using router = startRouter(built.bin, stub.env)
    await router.request('initialize')
    await router.callTool('hubu_authorize_spend', spendArguments, { callId: 'call-1' })
    expect(await router.end()).toEqual([0, null])
    expect(readdirSync(path.dirname(stub.registry))).toEqual(['registry.sqlite3', 'registry.sqlite3.key-secret'])
    expect(router.stderr).toBe('')
  })

  test('waits for three calls in flight, answers each, and then exits 0', async () => {
    const hubu = holding('/ledger')
    await using stub = await stubRouter({ hubu: hubu.answer })
    using router = startRouter(built.bin, stub.env)
    const answers = [1, 2, 3].map(() => router.callTool('hubu_list_ledger'))
    await hubu.arrivals(3)
    router.stdin.end()
    hubu.release()
    expect((await Promise.all(answers)).map(({ result }) => result?.structuredContent)).toEqual(Array(3).fill(allowed))
    expect(await router.exit).toEqual([0, null])
  })

  test('answers everything of a session that was piped in at once', async () => {
    await using stub = await stubRouter()
    using router = startRouter(built.bin, stub.env)
    router.sendLine('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}')
    router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    router.sendLine('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    for (const [id, name] of ['hubu_list_agents', 'hubu_unified_capabilities', 'hubu_list_budgets'].entries())
      router.sendLine(`{"jsonrpc":"2.0","id":${id + 2},"method":"tools/call","params":{"name":"${name}"}}`)
    expect(await router.end()).toEqual([0, null])
    const answered = router.messages.filter(({ result }) => result !== undefined)
    expect(answered.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4])
  })
})

test('a list and a billable call before initialize are served, and Hubu is asked once', async () => {
  await using stub = await stubRouter()
  using router = startRouter(built.bin, stub.env)
  expect((await router.request('tools/list')).result?.tools?.length).toBeGreaterThan(30)
  const spend = await router.callTool('hubu_authorize_spend', spendArguments, { callId: 'call-1' })
  expect(spend.result?.structuredContent).toMatchObject({ decision: 'allow' })
  expect(stub.hubu.exchanges.filter(({ request }) => request.method === 'POST')).toHaveLength(1)
  expect((await router.request('initialize')).result).toMatchObject({ protocolVersion: '2024-11-05' })
  expect(await router.end()).toEqual([0, null])
})

describe('signals', () => {
  test('SIGTERM in the middle of a spend lets it finish: answered, stored, exit 0', async () => {
    const hubu = holding('/spend/authorize')
    await using stub = await stubRouter({ hubu: hubu.answer })
    using router = startRouter(built.bin, stub.env)
    const spend = router.callTool('hubu_authorize_spend', spendArguments, { callId: 'call-1' })
    await hubu.arrivals(1)
    router.child.kill('SIGTERM')
    hubu.release()
    expect((await spend).result?.structuredContent).toMatchObject({ decision: 'allow' })
    expect(await router.exit).toEqual([0, null])
    expect(rowsOf(stub.registry)).toMatchObject([{ decision: 'allow' }])
  })

  test('a second signal exits at once; the call redelivered to the next router is the same operation', async () => {
    const hubu = holding('/spend/authorize')
    await using stub = await stubRouter({ hubu: hubu.answer })
    using first = startRouter(built.bin, stub.env)
    void first.callTool('hubu_authorize_spend', spendArguments, { callId: 'call-1' })
    await hubu.arrivals(1)
    first.child.kill('SIGTERM')
    first.child.kill('SIGINT')
    expect(await first.exit).toEqual([1, null])
    expect(rowsOf(stub.registry)).toMatchObject([{ decision: null }])
    hubu.release()
    using second = startRouter(built.bin, stub.env)
    const spend = await second.callTool('hubu_authorize_spend', spendArguments, { callId: 'call-1' })
    expect(spend.result?.structuredContent).toMatchObject({ decision: 'allow' })
    const keys = stub.hubu.exchanges
      .filter(({ request }) => request.path === '/spend/authorize')
      .map(({ request }) => (JSON.parse(request.body) as { operation_key: string }).operation_key)
    expect(new Set(keys).size).toBe(1)
    await second.end()
  })
})

test('a router whose parent is killed stores the outcome of its spend and ends', async () => {
  const hubu = holding('/spend/authorize')
  await using stub = await stubRouter({ hubu: hubu.answer })
  const call = { name: 'hubu_authorize_spend', arguments: spendArguments, _meta: { callId: 'call-1' } }
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  // The router's stderr is a pipe of ours: it ends when the router does.
  const parent = spawn(process.execPath, ['-e', parentScript, built.bin, line], {
    env: stub.env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const routerEnds = once((parent.stdio[3] as Readable).resume(), 'close')
  await hubu.arrivals(1)
  parent.kill('SIGKILL')
  hubu.release()
  await routerEnds
  expect(rowsOf(stub.registry)).toMatchObject([{ decision: 'allow' }])
})

const parentScript = `
  const [bin, line] = process.argv.slice(1)
  const child = require('node:child_process').spawn(process.execPath, [bin], { stdio: ['pipe', 'pipe', 3] })
  child.stdin.write(line + '\\n')
  setInterval(() => {}, 1000)
`
