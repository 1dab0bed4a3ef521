// The router dies between the request to Hubu and its own answer, and the client sends the call again, under another id, to another process.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { healthyHubu } from '../support/healthy-backends.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { backendsIn, startHttpRouter, type HttpRouter } from './lab.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const rounds = Number(process.env.HUBU_TEST_ROUNDS ?? 2)

async function buy(
  { url, token }: HttpRouter,
  id: number,
  callId: string,
): Promise<{ result?: { structuredContent: { decision?: string } } }> {
  const args = { account_id: 'account-1', amount_cents: 25, reason: `round ${callId}` }
  const params = { name: 'hubu_authorize_spend', arguments: args, _meta: { callId } }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  })
  return (await response.json()) as Awaited<ReturnType<typeof buy>>
}

test('one charge, whichever process hears of the call again', { timeout: 60_000 * rounds }, async () => {
  const held: { release?: () => void; isHolding: boolean } = { isHolding: true }
  const keys: unknown[] = []
  await using hubu = await healthyHubu(({ path, body }) => {
    if (path !== '/spend/authorize') return undefined
    const { operation_key: key, task_id: task } = JSON.parse(body) as Record<string, unknown>
    keys.push(key)
    const json = {
      decision: 'allow',
      decision_id: 'd',
      auth_token_id: `t-${String(key).slice(-32)}`,
      operation_key: key,
      task_id: task,
    }
    const allowed = { status: 200, json }
    if (!held.isHolding) return allowed
    return new Promise((resolve) => (held.release = () => resolve(allowed)))
  })
  using folder = tempFolder()
  const options = { bin: built.bin, folder: folder.path, env: backendsIn(folder.path, { hubu }) }
  const stays = await startHttpRouter(options)
  for (let round = 0; round < rounds; round++) {
    const dies = await startHttpRouter(options)
    held.isHolding = true
    keys.length = 0
    const lost = buy(dies, 1, `call-${round}`).catch(() => 'lost')
    while (keys.length === 0) await pause(5)
    await dies.stop('SIGKILL')
    expect(await lost).toBe('lost')
    held.isHolding = false
    held.release?.()
    for (let id = 2; ; id++) {
      const answer = await buy(stays, id, `call-${round}`)
      if (answer.result?.structuredContent.decision === 'allow') break
      await pause(200)
    }
    expect(new Set(keys).size).toBe(1)
  }
  expect(await stays.stop()).toBe(0)
})
