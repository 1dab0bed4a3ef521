// A client that sends nothing with a call, as most do: the router names its purchases.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOf, runCommand, spendOf, startSandbox, type StartedSandbox, type Value } from '../e2e/started-sandbox.ts'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const upToTwoCents = `id: small
version: "1"
default_effect: needs_approval
rules:
  - { id: small, effect: allow, when: { op: lte, field: amount, value: { money_cents: 2 } }, reason: Small spends are fine. }
`

/** Reads the status until it is another one. */
async function after(sandbox: StartedSandbox, handle: unknown, state: string): Promise<Value> {
  for (;;) {
    const status = await sandbox.call('hubu_operation_status', { operation_handle: handle })
    if (status.state !== state) return status
  }
}

async function pictureOf(
  sandbox: StartedSandbox,
  authTokenId: unknown,
  handle: unknown,
  count: number,
): Promise<string | undefined> {
  const create = { ...createOf(authTokenId), input: { prompt: 'a circle', image_count: count } }
  await sandbox.call('gongbu_create_execution', create)
  let status: Value = {}
  while (!status.terminal) status = await sandbox.call('hubu_operation_status', { operation_handle: handle })
  expect(status).toMatchObject({ state: 'succeeded' })
  const { artifacts } = await sandbox.call('gongbu_list_artifacts', { execution_id: status.execution_id })
  const [artifact] = artifacts as { artifact_id: string }[]
  const { content } = await sandbox.client.callTool({
    name: 'gongbu_get_artifact',
    arguments: { artifact_id: artifact?.artifact_id },
  })
  return (content as { type: string; mimeType?: string }[]).find(({ type }) => type === 'image')?.mimeType
}

test('a client without call ids buys, waits for an approval that completes by itself, and gets both pictures, each paid once', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  await using sandbox = await startSandbox(built.bin, data, { policy: upToTwoCents })

  const small = await sandbox.call('hubu_authorize_spend', spendOf(sandbox.accountId, 1, 'a small one'))
  expect(small).toMatchObject({ decision: 'allow' })
  expect(await pictureOf(sandbox, small.auth_token_id, small.operation_handle, 1)).toBe('image/png')

  const large = await sandbox.call('hubu_authorize_spend', spendOf(sandbox.accountId, 4, 'a large one'))
  expect(large).toMatchObject({ decision: 'needs_approval' })
  const id = (large.approval as Value).approval_request_id as string
  const approved = await runCommand(built.bin, ['approvals', 'approve', id, '--yes', '--data-folder', data])
  expect(approved).toMatchObject({ code: 0 })

  const authorized = await after(sandbox, large.operation_handle, 'approval_required')
  expect(authorized).toMatchObject({ state: 'authorized', terminal: false })
  const [, authTokenId] = /auth_token_id ([0-9a-f-]{36})/.exec(String(authorized.guidance)) ?? []
  expect(await pictureOf(sandbox, authTokenId, large.operation_handle, 4)).toBe('image/png')

  const { budgets } = await sandbox.call('hubu_list_budgets')
  expect(budgets).toMatchObject([{ consumed_amount_cents: 5, frozen_amount_cents: 0 }])
})
