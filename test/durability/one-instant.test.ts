import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRouter } from '../e2e/router-process.ts'
import { buildBin } from '../support/built-bin.ts'
import { governedBackends, rowsOf } from './governed-backends.ts'

const processes = 12
const rounds = 50

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
}, 60_000)
afterAll(() => built[Symbol.dispose]())

const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'crowd', version: '1' } }

test(`${processes} processes that deliver one call at the same instant, ${rounds} times, make ${rounds} dispatches and no error`, async () => {
  await using backends = await governedBackends(() => 1)
  const registry = path.join(backends.folder, 'registry.sqlite3')
  const { env } = await backends.way(registry)
  const routers = Array.from({ length: processes }, () => startRouter(built.bin, env))
  try {
    await Promise.all(routers.map((router) => router.request('initialize', client)))
    for (let round = 0; round < rounds; round++) {
      const args = { account_id: backends.accountId, amount_cents: 100 + round, reason: `round ${round}` }
      const deliver = () =>
        Promise.all(routers.map((router) => router.callTool('hubu_submit_spend', args, { callId: `round-${round}` })))
      const replies = await deliver()
      expect(replies.filter(({ error }) => error !== undefined)).toEqual([])
      const texts = replies.map(({ result }) => result?.content?.[0]?.text)
      expect(new Set(texts).size).toBe(1)
    }
    expect(backends.spendRequests()).toBe(rounds)
    expect(await backends.payments()).toEqual(Array.from({ length: rounds }, (_, round) => 100 + round))
    expect(new Set(rowsOf(registry).map((row) => row.operation_key)).size).toBe(rounds)
    const ends = await Promise.all(routers.map((router) => router.end()))
    expect(ends).toEqual(Array.from({ length: processes }, () => [0, null]))
    expect(routers.map(({ stderr }) => stderr).join('')).toBe('')
  } finally {
    for (const router of routers) router[Symbol.dispose]()
  }
}, 120_000)
