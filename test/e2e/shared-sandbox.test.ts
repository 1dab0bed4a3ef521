// Several clients of one person on the sandbox of the built bin: one budget, whoever serves it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { gone, isRunning } from '../support/processes.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { createOf, runCommand, spendOf, startSandbox, type StartedSandbox, type Value } from './started-sandbox.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const command = (args: string[]) => runCommand(built.bin, args)

async function budgetOf(sandbox: StartedSandbox): Promise<Value> {
  return ((await sandbox.call('hubu_list_budgets')).budgets as Value[])[0] ?? {}
}

/** Kills the process of a client without a word, and waits until it is gone. */
async function kill({ processId }: StartedSandbox): Promise<void> {
  process.kill(processId, 'SIGKILL')
  await gone(processId)
}

/** Delivers a purchase, again and again under its own id, until its outcome is known. */
async function buy(sandbox: StartedSandbox, cents: number, callId: string): Promise<Value> {
  for (;;) {
    const outcome = await sandbox.attempt('hubu_submit_spend', spendOf(sandbox.accountId, cents), callId)
    if ('value' in outcome) return outcome.value
    expect(outcome.error.data?.code).toMatch(/^(hubu_result_ambiguous|backend_unavailable|hubu_unavailable)$/)
  }
}

test('two clients that start at once share one budget, and an approval that one waits for is decided for it', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const [first, second] = await Promise.all([startSandbox(built.bin, data), startSandbox(built.bin, data)])
  expect(second.accountId).toBe(first.accountId)
  await buy(first, 70, 'call-1')
  await buy(second, 30, 'call-2')
  for (const client of [first, second]) expect(await budgetOf(client)).toMatchObject({ consumed_amount_cents: 100 })

  const waiting = await second.call('hubu_authorize_spend', spendOf(second.accountId, 250), 'call-3')
  expect(waiting).toMatchObject({ decision: 'needs_approval' })
  const { stdout } = await command(['approvals', 'list', '--json', '--data-folder', data])
  const [{ workflow_id: id }] = (JSON.parse(stdout) as { pending: [{ workflow_id: string }] }).pending
  expect(id).toBe((waiting.approval as Value).approval_request_id)
  expect((await command(['approvals', 'approve', id, '--yes', '--data-folder', data])).code).toBe(0)
  expect(await second.call('hubu_authorize_spend', spendOf(second.accountId, 250), 'call-3')).toMatchObject({
    decision: 'allow',
  })

  await Promise.all([first.client.close(), second.client.close()])
  for (const { processId } of [first, second]) expect(isRunning(processId)).toBe(false)
})

test('when the client that serves is killed or leaves, the others go on without a failed call', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const first = await startSandbox(built.bin, data)
  const second = await startSandbox(built.bin, data)
  await using third = await startSandbox(built.bin, data)
  const allowed = await second.call('hubu_authorize_spend', spendOf(second.accountId), 'call-1')
  await kill(first)
  expect(await second.call('hubu_authorize_spend', spendOf(second.accountId), 'call-1')).toEqual(allowed)
  expect(await budgetOf(third)).toMatchObject({ frozen_amount_cents: 1 })
  await second.call('gongbu_create_execution', createOf(allowed.auth_token_id))
  await second.client.close()

  let status: Value = {}
  while (!status.terminal)
    status = await third.call('hubu_operation_status', { operation_handle: allowed.operation_handle })
  expect(status).toMatchObject({ state: 'succeeded' })
  expect(await third.toolNames()).toContain('gongbu_create_execution')
  expect(await budgetOf(third)).toMatchObject({ consumed_amount_cents: 1, frozen_amount_cents: 0 })
  expect((await command(['approvals', 'list', '--data-folder', data])).stdout).toBe('Nothing waits for a decision.\n')
})

test('a purchase under way while the process that serves is killed is charged once, round after round', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const rounds = 5
  // Equal purchases are meant here, each under its own id.
  const env = { HUBU_UNIFIED_TWIN_GUARD: 'off', HUBU_UNIFIED_IDENTITY: 'harness' }
  let serving = await startSandbox(built.bin, data, { env })
  let buyer = await startSandbox(built.bin, data, { env })
  for (let round = 0; round < rounds; round++) {
    const bought = [1, 2, 3, 4].map((number) => buy(buyer, 5, `round ${round} call ${number}`))
    // Each round meets the purchases somewhere else on their way.
    for (let turn = 0; turn < round * 40; turn++) await new Promise(setImmediate)
    await kill(serving)
    for (const receipt of await Promise.all(bought)) expect(receipt).toMatchObject({ decision: 'allow' })
    serving = buyer
    buyer = await startSandbox(built.bin, data, { env })
  }
  expect(await budgetOf(buyer)).toMatchObject({ consumed_amount_cents: rounds * 20, frozen_amount_cents: 0 })
  await Promise.all([serving.client.close(), buyer.client.close()])
}, 120_000)
