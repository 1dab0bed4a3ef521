// A person finds a purchase of the running sandbox, has it checked, and means a second one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { runCommand, startSandbox } from './started-sandbox.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test('a purchase is found, shown with its story, checked at the sandbox, and confirmed for a second time', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  await using sandbox = await startSandbox(built.bin, data)
  const operations = (...args: string[]) => runCommand(built.bin, ['operations', ...args, '--data-folder', data])
  const spend = { account_id: sandbox.accountId, amount_cents: 7, reason: 'Ein Bild für die Titelseite' }
  const bought = await sandbox.call('hubu_submit_spend', spend)
  const digits = String(bought.operation_handle).slice(-32)
  await sandbox.call('hubu_operation_status', { operation_handle: bought.operation_handle })
  expect(await sandbox.attempt('hubu_submit_spend', spend)).toMatchObject({
    error: { data: { code: 'possible_duplicate' } },
  })

  const found = await operations('find', '--words', 'titel BILD', '--amount', '0.07', '--check')
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(found.stdout).toMatch(
    / 0\.07 USD +paid +local +submit_spend +[0-9a-f]{8} +"Ein Bild für die Titelseite" +confirmed\n/,
  )
  const shown = await operations('show', digits.slice(0, 12), '--check')
  expect(shown.stdout).toMatch(/^answer: +paid 0\.07 USD\. The money moved, once\.\ncheck: +confirmed/)
  expect(shown.stdout).toContain('call named by:          the router')
  expect(shown.stdout).toMatch(/what happened:\n.*requested/)

  const confirmed = await operations('confirm', digits, '--for', '1h', '--yes')
  expect(confirmed).toMatchObject({ code: 0 })
  const second = await sandbox.call('hubu_submit_spend', spend)
  expect(second.operation_handle).not.toBe(bought.operation_handle)
  const third = await sandbox.attempt('hubu_submit_spend', spend)
  expect('error' in third ? third.error.data : { code: 'possible_duplicate', ...third.value }).toMatchObject({
    code: 'possible_duplicate',
    operation_handle: second.operation_handle,
  })
  expect(
    (await operations('find', '--amount', '0.07', '--answer', 'paid', '--json')).stdout.match(/"operation_handle"/g),
  ).toHaveLength(2)
})
