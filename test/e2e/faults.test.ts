// What an agent sees when a backend fails, in the sandbox of the built bin.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { createOf, runCommand, spendOf, startSandbox, type StartedSandbox, type Value } from './started-sandbox.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const refused = (code: number, reason: string) => ({ error: { code, data: { code: reason } } })

async function budget(sandbox: StartedSandbox): Promise<Value> {
  return ((await sandbox.call('hubu_list_budgets')).budgets as Value[])[0] ?? {}
}

/** Authorizes one picture and hands its prompt to Gongbu; the operation's handle. */
async function order(sandbox: StartedSandbox, prompt: string): Promise<string> {
  const spend = spendOf(sandbox.accountId)
  const allowed = await sandbox.call('hubu_authorize_spend', spend, `authorize ${prompt}`)
  expect(allowed).toMatchObject({ decision: 'allow' })
  await sandbox.call('gongbu_create_execution', createOf(allowed.auth_token_id, prompt))
  return allowed.operation_handle as string
}

/** Reads the status until it is as wanted; all different ones that were seen, as `state code`. */
async function follow(sandbox: StartedSandbox, handle: string, isDone: (status: Value) => boolean) {
  const seen = new Set<string>()
  for (;;) {
    const status = await sandbox.call('hubu_operation_status', { operation_handle: handle })
    seen.add(`${String(status.state)} ${String((status.result as Value | null)?.code)}`)
    if (isDone(status)) return { status, seen: [...seen] }
  }
}

const isEnded = (status: Value) => status.terminal === true

describe('an answer of Hubu is lost', () => {
  test.each(['hubu-lost-reply', 'hubu-cut-reply'])(
    '%s: the payment is in doubt, and delivering it again charges nothing more',
    async (fault) => {
      using folder = tempFolder()
      await using sandbox = await startSandbox(built.bin, folder.file('sandbox'), { faults: [fault] })
      const spend = { ...spendOf(sandbox.accountId), amount_cents: 7 }
      const lost = await sandbox.attempt('hubu_submit_spend', spend, 'call-1')
      expect(lost).toMatchObject(refused(-32000, 'hubu_result_ambiguous'))
      const again = await sandbox.call('hubu_submit_spend', spend, 'call-1')
      expect(again).toMatchObject({ decision: 'allow' })
      expect(await sandbox.call('hubu_submit_spend', spend, 'call-1')).toEqual(again)
      expect((await sandbox.call('hubu_list_ledger')).transactions).toHaveLength(1)
      expect(await budget(sandbox)).toMatchObject({ consumed_amount_cents: 7, frozen_amount_cents: 0 })
    },
  )

  test('a spend that Hubu answers with garbage is redelivered once it is well again', async () => {
    using folder = tempFolder()
    const data = folder.file('sandbox')
    await using sandbox = await startSandbox(built.bin, data, { faults: ['hubu-garbage'] })
    const spend = spendOf(sandbox.accountId)
    for (let delivery = 0; delivery < 2; delivery++) {
      const lost = await sandbox.attempt('hubu_authorize_spend', spend, 'call-1')
      expect(lost).toMatchObject(refused(-32000, 'hubu_result_ambiguous'))
    }
    expect((await runCommand(built.bin, ['sandbox', 'faults', 'clear', '--data-folder', data])).code).toBe(0)
    expect(await sandbox.call('hubu_authorize_spend', spend, 'call-1')).toMatchObject({ decision: 'allow' })
    expect(await budget(sandbox)).toMatchObject({ frozen_amount_cents: 1 })
  })
})

describe('Gongbu fails', () => {
  test('not ready: the create tool leaves the list and is refused, until Gongbu is ready again', async () => {
    using folder = tempFolder()
    const data = folder.file('sandbox')
    await using sandbox = await startSandbox(built.bin, data)
    const create = createOf('spat_none', 'a boat')
    expect(await sandbox.toolNames()).toContain('gongbu_create_execution')

    const hidden = sandbox.nextListChange()
    const set = await runCommand(built.bin, ['sandbox', 'faults', 'set', 'gongbu-not-ready', '--data-folder', data])
    expect(set.stdout).toMatch(/gongbu-not-ready +gongbu +GET \/readyz +not_ready +always/)
    await hidden
    expect(await sandbox.toolNames()).not.toContain('gongbu_create_execution')
    expect(await sandbox.toolNames()).toContain('gongbu_get_execution')
    const attempt = await sandbox.attempt('gongbu_create_execution', create)
    expect(attempt).toMatchObject(refused(-32010, 'backend_not_ready'))

    const shown = sandbox.nextListChange()
    const clear = await runCommand(built.bin, ['sandbox', 'faults', 'clear', '--data-folder', data])
    expect(clear.stdout).toBe('Nothing is made to fail.\n')
    await shown
    expect(await sandbox.toolNames()).toContain('gongbu_create_execution')
  })

  test('the answer to a create is lost: the worker repeats it, and there is one execution and one charge', async () => {
    using folder = tempFolder()
    await using sandbox = await startSandbox(built.bin, folder.file('sandbox'), { faults: ['gongbu-lost-reply'] })
    const { status } = await follow(sandbox, await order(sandbox, 'a boat'), isEnded)
    expect(status).toMatchObject({ state: 'succeeded' })
    expect(await budget(sandbox)).toMatchObject({ consumed_amount_cents: 1, frozen_amount_cents: 0 })
  })

  test('a marker in the prompt makes the provider slow: the work is seen in progress, then it succeeds', async () => {
    using folder = tempFolder()
    await using sandbox = await startSandbox(built.bin, folder.file('sandbox'))
    const { status, seen } = await follow(sandbox, await order(sandbox, 'a boat [[sandbox: slow 1s]]'), isEnded)
    expect(status).toMatchObject({ state: 'succeeded', result: { code: 'execution_succeeded' } })
    expect(seen).toContain('reconciling execution_in_progress')
    expect(seen.at(-1)).toBe('succeeded execution_succeeded')
  })

  test('a marker in the prompt leaves the outcome open: the operation reconciles and the money stays held', async () => {
    using folder = tempFolder()
    // Two purchases that are equal and both meant.
    const env = { HUBU_UNIFIED_IDENTITY: 'harness', HUBU_UNIFIED_TWIN_GUARD: 'off' }
    await using sandbox = await startSandbox(built.bin, folder.file('sandbox'), { env })
    const isOpen = (status: Value) => (status.result as Value | null)?.code === 'provider_outcome_ambiguous'
    const { status } = await follow(sandbox, await order(sandbox, '[[sandbox: reconciliation]]'), isOpen)
    expect(status).toMatchObject({ state: 'reconciling', terminal: false })
    expect(await budget(sandbox)).toMatchObject({ consumed_amount_cents: 0, frozen_amount_cents: 1 })

    const other = await follow(sandbox, await order(sandbox, '[[sandbox: rejected]]'), isEnded)
    expect(other.status).toMatchObject({ state: 'failed', result: { code: 'authorization_released' } })
    expect(await budget(sandbox)).toMatchObject({ consumed_amount_cents: 0, frozen_amount_cents: 1 })
  })
})

test('backends of another version are incompatible, and the capability tool says why', async () => {
  using folder = tempFolder()
  await using sandbox = await startSandbox(built.bin, folder.file('sandbox'), { faults: ['incompatible-version'] })
  const { backends } = (await sandbox.call('hubu_unified_capabilities')) as { backends: Record<string, Value> }
  for (const backend of ['hubu', 'gongbu'])
    expect(backends[backend]).toMatchObject({
      state: 'incompatible',
      product_version: '0.0.0-incompatible',
      reason_code: 'product_version_mismatch',
    })
  const attempt = await sandbox.attempt('hubu_list_agents')
  expect(attempt).toMatchObject(refused(-32010, 'backend_incompatible'))
})

describe('the commands', () => {
  test('a fault that is not known is a usage error that lists those that are', async () => {
    for (const args of [
      ['sandbox', '--fault', 'hubu-asleep'],
      ['sandbox', 'faults', 'set', 'hubu-slow', 'hubu-asleep'],
    ]) {
      const { code, stderr, stdout } = await runCommand(built.bin, args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain("'hubu-asleep'")
      expect(stderr).toMatch(/^ +hubu-lost-reply +the answer/m)
    }
  })

  test('the faults of the start are listed with what is left of them', async () => {
    using folder = tempFolder()
    const data = folder.file('sandbox')
    await using sandbox = await startSandbox(built.bin, data, { faults: ['hubu-lost-reply', 'gongbu-reconciliation'] })
    await sandbox.attempt('hubu_authorize_spend', spendOf(sandbox.accountId), 'call-1')
    const { stdout } = await runCommand(built.bin, ['sandbox', 'faults', 'list', '--json', '--data-folder', data])
    expect(JSON.parse(stdout)).toEqual({
      faults: [
        {
          backend: 'hubu',
          rule: {
            name: 'hubu-lost-reply',
            method: 'POST',
            path: '/spend',
            times: 1,
            kind: 'lost_reply',
            handled: true,
          },
        },
        { backend: 'gongbu', rule: { name: 'gongbu-reconciliation', kind: 'execution', behaviour: 'reconciliation' } },
      ],
    })
  })

  test('without a running sandbox they say so', async () => {
    using folder = tempFolder()
    const gone = await runCommand(built.bin, ['sandbox', 'faults', 'list', '--data-folder', folder.file('none')])
    expect([gone.code, gone.stdout]).toEqual([1, ''])
    expect(gone.stderr).toContain('hubu-unified-mcp sandbox')
  })
})
