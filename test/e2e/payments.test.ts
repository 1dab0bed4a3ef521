import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { askAlways, runCommand, startSandbox, type Value } from './started-sandbox.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const unpaid = /no payment ran|nothing was (spent|paid)/i

test('a spend that a human approved is paid when it is delivered again, and told as paid from then on', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  await using sandbox = await startSandbox(built.bin, data, { policy: askAlways })
  const spend = { account_id: sandbox.accountId, amount_cents: 1, reason: 'One picture' }
  const deliver = () => sandbox.call('hubu_submit_spend', spend, 'call-1')

  const pending = await deliver()
  expect(pending).toMatchObject({ decision: 'needs_approval', requires_human_approval: true })
  expect(JSON.stringify(pending)).toMatch(unpaid)
  const status = () => sandbox.call('hubu_operation_status', { operation_handle: pending.operation_handle })
  expect(await status()).toMatchObject({ state: 'approval_required', terminal: false })

  const id = (pending.approval as Value).approval_request_id as string
  const approved = await runCommand(built.bin, ['approvals', 'approve', id, '--yes', '--data-folder', data])
  expect(approved).toMatchObject({ code: 0 })

  const paid = await deliver()
  expect(paid).toMatchObject({ payment: { status: 'succeeded' }, requires_human_approval: false })
  expect(paid).not.toHaveProperty('approval_reason')
  expect(JSON.stringify(paid)).not.toMatch(unpaid)
  const ended = await status()
  expect(ended).toMatchObject({ state: 'succeeded', terminal: true, result: { code: 'spend_succeeded' } })
  expect(JSON.stringify(ended)).not.toMatch(unpaid)

  expect(await deliver()).toEqual(paid)
  const { transactions } = await sandbox.call('hubu_list_ledger')
  expect(transactions).toHaveLength(1)
})

test('a declined payment is told as a failure of its own, and never as a success', async () => {
  using folder = tempFolder()
  await using sandbox = await startSandbox(built.bin, folder.file('sandbox'))
  const spend = { account_id: sandbox.accountId, amount_cents: 1, reason: 'One picture', merchant: 'fail' }
  const declined = await sandbox.call('hubu_submit_spend', spend, 'call-1')
  expect(declined).toMatchObject({ decision: 'allow', payment: { status: 'failed' } })

  const status = await sandbox.call('hubu_operation_status', { operation_handle: declined.operation_handle })
  expect(status).toMatchObject({
    schema_version: 2,
    state: 'failed',
    terminal: true,
    replacement_safe: false,
    result: { code: 'spend_payment_failed' },
  })
  expect(await sandbox.call('hubu_submit_spend', spend, 'call-1')).toEqual(declined)
})
