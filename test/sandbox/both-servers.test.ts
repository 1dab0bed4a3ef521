// The embedded Hubu and the embedded Gongbu, which know each other only by HTTP.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startGongbu, type GongbuSettings, type RunningGongbu } from '../../src/sandbox/gongbu/server.ts'
import { startHubu } from '../../src/sandbox/hubu/server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { eventually } from './gongbu/support/eventually.ts'
import { createBody } from './gongbu/support/harness.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any

const stamp = { productVersion: '0.2.0', sourceCommit: 'c'.repeat(40) }
const callerToken = 'gongbu-caller-token'
const hubuToken = 'hubu-api-token'
const scope = {
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}

/** Both servers on one folder; a human with one agent, a permissive policy and a budget of 100 cents. */
async function startBoth(settings: GongbuSettings = {}) {
  const folder = tempFolder()
  const hubu = await startHubu({
    databasePath: folder.file('hubu.sqlite3'),
    stamp,
    tokens: { api: hubuToken, approval: 'approval-token', reconciliation: 'reconciliation-token' },
  })
  const start = (more: GongbuSettings = {}) =>
    startGongbu({
      databasePath: folder.file('gongbu.sqlite3'),
      artifactFolder: folder.file('artifacts'),
      stamp,
      callerToken,
      hubu: { url: hubu.url, token: hubuToken },
      settings: { drainMs: 0, ...settings, ...more },
    })
  let gongbu: RunningGongbu = await start()

  async function ask(base: string, token: string, method: string, target: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${base}${target}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    expect(response.status, `${method} ${target}`).toBe(200)
    return response.json()
  }
  const atHubu = (method: string, target: string, body?: unknown) => ask(hubu.url, hubuToken, method, target, body)
  await atHubu('POST', '/init', { username: 'ada', display_name: 'Ada' })
  const agent = await atHubu('POST', '/agents/register', { name: 'painter', version: '1' })
  await atHubu('POST', '/policies', { daily_limit_cents: 5000 })
  await atHubu('POST', '/budgets', { agent_id: agent.agent_id, amount_cents: 100 })

  const both = {
    atHubu,
    url: () => gongbu.url,
    /** An authorization of so many cents. */
    async authorize(operationKey: string, cents: number): Promise<string> {
      const spend = await atHubu('POST', '/spend/authorize', {
        operation_key: operationKey,
        account_id: agent.account_id,
        amount_cents: cents,
        reason: 'a picture',
        execution_scope: scope,
      })
      return spend.auth_token_id
    },
    atGongbu: (method: string, target: string, body?: unknown) => ask(gongbu.url, callerToken, method, target, body),
    create: (token: string, more: Record<string, unknown> = {}) =>
      both.atGongbu('POST', '/v2/executions', createBody(token, more)),
    async ended(id: string): Promise<Body> {
      const ended = ['succeeded', 'failed', 'released', 'reconciliation_required']
      const read = () => both.atGongbu('GET', `/v1/executions/${id}`)
      await eventually(async () => ended.includes((await read()).status), both.money)
      return read()
    },
    async money() {
      const { budgets } = await atHubu('GET', '/budgets?all=1')
      const [budget] = budgets
      return [budget.frozen_amount_cents, budget.consumed_amount_cents, budget.remaining_amount_cents]
    },
    async restart(more: GongbuSettings = {}) {
      await gongbu.close()
      gongbu = await start(more)
    },
    async [Symbol.asyncDispose]() {
      await gongbu.close()
      await hubu.close()
      folder[Symbol.dispose]()
    },
  }
  return both
}

test('an authorized picture is made, paid from the budget and posted in the ledger', async () => {
  await using both = await startBoth()
  expect(await (await fetch(`${both.url()}/readyz`)).json()).toEqual({ status: 'ready' })
  const token = await both.authorize('demo:op-1', 3)
  expect(await both.money()).toEqual([3, 0, 97])
  const created = await both.create(token, { input: { prompt: 'p', image_count: 3 } })
  expect(created).toMatchObject({ status: 'pending', authorization: { amount_minor: 3, currency: 'USD' } })
  expect(await both.ended(created.execution_id)).toMatchObject({ status: 'succeeded', failure: null })
  expect(await both.money()).toEqual([0, 3, 97])

  const { artifacts } = await both.atGongbu('GET', `/v1/executions/${created.execution_id}/artifacts`)
  expect(artifacts).toHaveLength(3)
  const bytes = await fetch(`${both.url()}/v1/artifacts/${artifacts[2].artifact_id}`, {
    headers: { authorization: `Bearer ${callerToken}` },
  })
  const digest = createHash('sha256').update(Buffer.from(await bytes.arrayBuffer()))
  expect(digest.digest('hex')).toBe(artifacts[2].sha256)

  const { transactions } = await both.atHubu('GET', '/ledger/transactions')
  expect(transactions).toMatchObject([
    {
      kind: 'external_provider',
      provider: { id: 'provider:local:fixture' },
      effective_cost: { amount: '3', scale: 2, currency: 'usd' },
      budget_charge_delta_cents: 3,
    },
  ])
  expect((await both.create(token, { input: { prompt: 'p', image_count: 3 } })).execution_id).toBe(created.execution_id)
})

test('work that the provider refuses gives the money back', async () => {
  await using both = await startBoth({ faults: { scenario: 'proven_rejection' } })
  const created = await both.create(await both.authorize('demo:op-1', 1))
  expect(await both.ended(created.execution_id)).toMatchObject({ status: 'released' })
  expect(await both.money()).toEqual([0, 0, 100])
})

test('fewer cents than authorized are paid when rounding says so', async () => {
  await using both = await startBoth()
  const sized = { model: 'sized-image-v1', input: { prompt: 'p', image_count: 1, image_size: '2k' } }
  const created = await both.create(await both.authorize('demo:op-1', 11), sized)
  expect(await both.ended(created.execution_id)).toMatchObject({ status: 'succeeded' })
  expect(await both.money()).toEqual([0, 10, 90])
})

test('an authorization for another amount is refused and stays usable', async () => {
  await using both = await startBoth()
  const token = await both.authorize('demo:op-1', 2)
  const refused = await fetch(`${both.url()}/v2/executions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${callerToken}` },
    body: JSON.stringify(createBody(token)),
  })
  expect(refused.status).toBe(400)
  const created = await both.create(token, { input: { prompt: 'p', image_count: 2 } })
  expect(await both.ended(created.execution_id)).toMatchObject({ status: 'succeeded' })
})

const steps = ['preflight', 'claim', 'check-claim', 'call-provider', 'store-artifacts', 'settle'] as const
test.each(steps)('a Gongbu that stops before %s goes on after its restart and pays once', async (step) => {
  let reached = () => undefined as void
  const there = new Promise<void>((resolve) => (reached = resolve))
  await using both = await startBoth({
    hooks: {
      beforeStep(kind) {
        if (kind !== step) return
        reached()
        return new Promise<void>(() => undefined)
      },
    },
  })
  const created = await both.create(await both.authorize('demo:op-1', 1))
  await there
  await both.restart({ hooks: {} })
  expect(await both.ended(created.execution_id)).toMatchObject({ status: 'succeeded' })
  expect(await both.money()).toEqual([0, 1, 99])
  const { transactions } = await both.atHubu('GET', '/ledger/transactions')
  expect(transactions).toHaveLength(1)
})
