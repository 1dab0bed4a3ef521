// Many spends at once at a Hubu that works on one after the other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { healthyGongbu, healthyHubu } from '../support/healthy-backends.ts'
import type { Canned } from '../support/stub-backend.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test('of 100 spends at once each is decided, none is in doubt, and each reached Hubu once', async () => {
  using folder = tempFolder()
  let last = Promise.resolve()
  const keys: string[] = []
  await using hubu = await healthyHubu(({ path, body }): Promise<Canned> | undefined => {
    if (path !== '/spend/authorize') return undefined
    const { operation_key: key, task_id: task } = JSON.parse(body) as Record<string, string>
    keys.push(key ?? '')
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, 50)))
    return last.then(() => ({
      status: 200,
      json: {
        decision: 'allow',
        decision_id: 'd',
        auth_token_id: `token-${keys.indexOf(key ?? '')}`,
        operation_key: key,
        task_id: task,
      },
    }))
  })
  await using gongbu = await healthyGongbu()
  using router = startRouter(built.bin, {
    HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-canary-token',
    HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href,
    HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'gongbu-canary-token',
    HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('operations.sqlite3'),
  })
  await router.request('initialize', {})
  const spend = { account_id: 'account-1', amount_cents: 25, reason: 'one of many' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => router.callTool('hubu_authorize_spend', spend, { callId: `call-${i}` })),
  )
  expect(answers.filter(({ error }) => error !== undefined)).toEqual([])
  expect(new Set(keys).size).toBe(100)
  expect(keys).toHaveLength(100)
  await router.end()
})
