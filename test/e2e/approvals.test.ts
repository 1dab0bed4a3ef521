import { existsSync, statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { askAlways, createOf, runCommand, spendOf, startSandbox, type Value } from './started-sandbox.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const command = (args: string[]) => runCommand(built.bin, args)

test('a spend that needs a human waits, is approved by one, is delivered again and executed', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  await using sandbox = await startSandbox(built.bin, data, { policy: askAlways })
  const spend = spendOf(sandbox.accountId)

  const pending = await sandbox.call('hubu_authorize_spend', spend, 'call-1')
  expect(pending).toMatchObject({ decision: 'needs_approval', requires_human_approval: true })
  const handle = pending.operation_handle
  expect(await sandbox.call('hubu_operation_status', { operation_handle: handle })).toMatchObject({
    state: 'approval_required',
  })
  const id = (pending.approval as Value).approval_request_id as string

  const list = await command(['approvals', 'list', '--json', '--data-folder', data])
  expect(JSON.parse(list.stdout)).toMatchObject({ pending: [{ workflow_id: id, authorized_max_cents: 1 }] })
  const shown = await command(['approvals', 'show', id, '--data-folder', data])
  expect(shown.stdout).toMatch(/amount +0\.01 USD/)
  expect(shown.stdout).toContain('"One picture"')

  const short = id.slice(0, 8)
  expect((await command(['approvals', 'show', short, '--data-folder', data])).stdout).toBe(shown.stdout)
  const watched = await command(['approvals', 'watch', '--once', '--json', '--data-folder', data])
  expect(watched.code).toBe(0)
  expect(JSON.parse(watched.stdout)).toMatchObject({ data: { approval_request_id: id, amount: { minor: '1' } } })

  const known = await command(['operations', 'list', '--json', '--data-folder', data])
  expect(JSON.parse(known.stdout)).toMatchObject({ operations: [{ state: 'approval_required' }] })
  const stored = await command(['results', 'list', '--data-folder', data])
  expect(stored).toMatchObject({ code: 0, stderr: '' })

  const unasked = await command(['approvals', 'approve', id, '--data-folder', data])
  expect(unasked).toMatchObject({ code: 1 })
  expect(unasked.stderr).toContain('--yes')
  expect(await command(['approvals', 'approve', short, '--yes', '--data-folder', data])).toMatchObject({ code: 0 })

  const digits = String(handle).slice(-32)
  const { stdout: story } = await command(['operations', 'show', digits, '--data-folder', data])
  expect(story).toMatch(/approval shown to a person[^]*approval decided/)

  const allowed = await sandbox.call('hubu_authorize_spend', spend, 'call-1')
  expect(allowed).toMatchObject({ decision: 'allow', operation_handle: handle })
  expect((await command(['approvals', 'list', '--data-folder', data])).stdout).toBe('Nothing waits for a decision.\n')
  expect(await command(['approvals', 'watch', '--once', '--data-folder', data])).toMatchObject({ code: 3, stdout: '' })

  await sandbox.call('gongbu_create_execution', createOf(allowed.auth_token_id))
  let status: Value = {}
  while (!status.terminal) status = await sandbox.call('hubu_operation_status', { operation_handle: handle })
  expect(status).toMatchObject({ state: 'succeeded', result: { code: 'execution_succeeded' } })

  const denied = await command(['approvals', 'deny', id, '--yes', '--data-folder', data])
  expect(denied.code).toBe(1)
  expect(denied.stderr).toMatch(/already approved/)
})

test('the connection of a sandbox is private, and what needs its backends says when it does not run', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const never = await command(['approvals', 'list', '--data-folder', data])
  expect(never).toMatchObject({ code: 1, stdout: '' })
  expect(never.stderr).toMatch(/no sandbox was ever started in .*hubu-unified-mcp try/)
  expect(existsSync(data)).toBe(false)
  {
    await using _sandbox = await startSandbox(built.bin, data)
    expect(statSync(`${data}/connection.json`).mode & 0o777).toBe(0o600)
    const { stdout } = await command(['doctor', '--json', '--data-folder', data])
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string }[] }
    for (const check of ['sandbox', 'hubu', 'gongbu', 'registry'])
      expect(
        findings.find((finding) => finding.check === check),
        check,
      ).toMatchObject({ status: 'ok' })
  }
  const after = await command(['approvals', 'list', '--data-folder', data])
  expect(after).toMatchObject({ code: 1, stdout: '' })
  expect(after.stderr).toMatch(/does not run now.*hubu-unified-mcp sandbox/)
  expect((await command(['operations', 'list', '--data-folder', data])).code).toBe(0)
  expect(JSON.parse((await command(['stats', '--json', '--data-folder', data])).stdout)).toMatchObject({
    totals: { calls: expect.any(Number) as number },
  })
  expect((await command(['doctor', '--data-folder', data])).stdout).toMatch(/warn +sandbox +does not run now/)
}, 60_000)
