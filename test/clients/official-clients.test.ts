import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolNames } from '#generated/ownership.js'
import { openDatabase } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { connectAuto, connectModern, connectV1, connectV2 } from './client-kinds.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const budgets = { budgets: [{ budget_id: 'bgt_2b4c6d8e0f1g', amount_limit_cents: 2 ** 53 - 1, note: '𝄞 é' }] }

describe.each([
  { kind: 'the client of SDK 1.32', connect: connectV1, version: '2025-11-25' },
  { kind: 'the second-generation client with a handshake', connect: connectV2, version: '2025-11-25' },
  { kind: 'the second-generation client in the modern era', connect: connectModern, version: '2026-07-28' },
])('$kind', ({ connect, version }) => {
  test('connects, lists the contract, calls, spends once for one call id, and leaves no process behind', async () => {
    await using stub = await stubRouter({
      hubu: ({ path }) => (path === '/budgets' ? { status: 200, json: budgets } : undefined),
    })
    const client = await connect(built.bin, { ...stub.env, HUBU_UNIFIED_RESPONSE_BUDGET: '0' })
    expect(client.serverName()).toBe('hubu-unified-mcp')
    expect(client.protocolVersion()).toBe(version)
    expect(await client.listTools()).toEqual(toolNames)
    await client.ping()
    const read = await client.callTool({ name: 'hubu_list_budgets', arguments: {} })
    expect(read).toMatchObject({ structuredContent: budgets })
    const spend = {
      name: 'hubu_authorize_spend',
      arguments: { account_id: 'aga_yf2v3sx9tb26', amount_cents: 25, reason: 'a picture' },
      _meta: { callId: 'call-1' },
    }
    const first = await client.callTool(spend)
    expect(await client.callTool(spend)).toEqual(first)
    expect(stub.hubu.exchanges.filter(({ request }) => request.path === '/spend/authorize')).toHaveLength(1)
    await expect(client.callTool({ name: 'hubu_list_budgets', arguments: { surplus: 1 } })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'arguments_invalid' },
    })
    expect(await client.close()).toBe('')
  })

  test('hears of progress while Hubu is slow, under the token that it chose', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await using stub = await stubRouter({
      hubu: ({ path }) =>
        path === '/ledger' ? released.then(() => ({ status: 200, json: { entries: [] } })) : undefined,
    })
    const client = await connect(built.bin, stub.env)
    const heard: number[] = []
    const call = client.callTool(
      { name: 'hubu_list_ledger' },
      {
        onProgress: (progress) => {
          heard.push(progress)
          release()
        },
      },
    )
    expect(await call).toMatchObject({ structuredContent: { entries: [] } })
    expect(heard[0]).toBe(1)
    await client.close()
  })

  test('cancels a read: the router gives up its request to Hubu and goes on serving', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    let gaveUp: Promise<void> | undefined
    await using stub = await stubRouter({
      hubu: ({ path }, gone) => {
        if (path !== '/ledger') return undefined
        gaveUp = gone
        arrived()
        return gone.then(() => 'hangUp' as const)
      },
    })
    const client = await connect(built.bin, stub.env)
    const abort = new AbortController()
    const call = client.callTool({ name: 'hubu_list_ledger' }, { signal: abort.signal })
    await arrival
    abort.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await gaveUp
    expect(await client.callTool({ name: 'hubu_list_budgets' })).toMatchObject({ structuredContent: {} })
    await client.close()
  })

  test('is told once when Hubu goes and once when it comes back, and then lists accordingly', async () => {
    let isWell = true
    await using stub = await stubRouter(
      { hubu: ({ path }) => (path === '/health' && !isWell ? { status: 503, json: {} } : undefined) },
      { HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '20' },
    )
    let changes = 0
    let heard = () => {}
    const change = () => new Promise<void>((resolve) => (heard = resolve))
    const client = await connect(built.bin, stub.env, () => {
      changes++
      heard()
    })
    expect(await client.listTools()).toContain('hubu_list_budgets')
    const gone = change()
    isWell = false
    await gone
    expect(await client.listTools()).not.toContain('hubu_list_budgets')
    const back = change()
    isWell = true
    await back
    expect(await client.listTools()).toContain('hubu_list_budgets')
    await client.ping()
    expect(changes).toBe(2)
    await client.close()
  })
})

test('the process that the second-generation client asks and throws away leaves the registry unlocked and without rows', async () => {
  await using stub = await stubRouter()
  const client = await connectAuto(built.bin, stub.env)
  expect(client.protocolVersion()).toBe('2026-07-28')
  await client.close()
  const registry = openDatabase(stub.registry)
  try {
    expect(registry.prepare('select count(*) from harness_operations').pluck().get()).toBe(0)
    expect(registry.transaction(() => registry.pragma('user_version', { simple: true })).exclusive()).toBe(4)
  } finally {
    registry.close()
  }
})
