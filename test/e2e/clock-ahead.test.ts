// Built routers on one registry and one Hubu: the clock of one of them is 30 hours ahead, and tokens are too short.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import type { Canned, SeenRequest } from '../support/stub-backend.ts'
import { stubRouter } from '../support/stub-router.ts'
import { spendArguments, startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Loaded before the router: everything in that process then lives 30 hours ahead. */
const aheadOf = `data:text/javascript,${encodeURIComponent('const now = Date.now; Date.now = () => now() + 30 * 3600e3')}`

/** Authorizations that live for an hour by Hubu's own clock. */
const forAnHour = ({ path, body }: SeenRequest): Canned | undefined => {
  if (path !== '/spend/authorize') return undefined
  const { operation_key: key } = JSON.parse(body) as { operation_key: string }
  return {
    status: 200,
    json: {
      decision: 'allow',
      operation_key: key,
      task_id: null,
      auth_token_id: `tok-${key.slice(-8)}`,
      authorization_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }
}

test('a router whose clock is ahead leaves the authorizations of the others alone and says so', async () => {
  await using stub = await stubRouter({ hubu: forAnHour }, { HUBU_UNIFIED_LOG: 'warn' })
  const begin = async (router: ReturnType<typeof startRouter>) => {
    const clientInfo = { name: 'test', version: '1' }
    await router.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  }
  const buy = async (router: ReturnType<typeof startRouter>, callId: string) => {
    const reply = await router.callTool('hubu_authorize_spend', { ...spendArguments, reason: callId }, { callId })
    return (reply.result?.structuredContent as { auth_token_id?: string } | undefined)?.auth_token_id
  }
  using right = startRouter(built.bin, stub.env)
  await begin(right)
  const token = await buy(right, 'call-1')
  expect(token).toMatch(/^tok-/)
  using ahead = startRouter(built.bin, { ...stub.env, NODE_OPTIONS: `--import ${aheadOf}` })
  await begin(ahead)
  expect(await buy(ahead, 'call-2')).toMatch(/^tok-/)
  expect(await buy(ahead, 'call-3')).toMatch(/^tok-/)
  expect(await buy(right, 'call-1')).toBe(token)
  await ahead.end()
  expect(ahead.stderr.match(/clock of this machine is ahead/g)).toHaveLength(1)
})

test('the log names tokens that are too short to be hidden everywhere', async () => {
  await using stub = await stubRouter({}, { HUBU_UNIFIED_LOG: 'warn', HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu' })
  using router = startRouter(built.bin, stub.env)
  await router.end()
  expect(router.stderr).toMatch(/The Hubu token has fewer than 8 characters/)
  expect(router.stderr).not.toMatch(/The Gongbu token has/)
})
