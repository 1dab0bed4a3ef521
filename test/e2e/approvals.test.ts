import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

type Value = Record<string, unknown>

/** Runs a command of the bin to its end. */
function command(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [built.bin, ...args],
      { env: { PATH: process.env.PATH } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
    child.stdin?.end()
  })
}

async function startSandbox(
  folder: string,
): Promise<{ call(name: string, args?: Value, callId?: string): Promise<Value>; close(): Promise<void> }> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [built.bin, 'sandbox', '--data-folder', folder],
      env: { PATH: process.env.PATH ?? '', HUBU_UNIFIED_OPERATION_TICK_MS: '20', HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' },
    }),
  )
  return {
    call: async (name, args = {}, callId) => {
      const result = await client.callTool({
        name,
        arguments: args,
        ...(callId !== undefined && { _meta: { callId } }),
      })
      const [first] = result.content as { text?: string }[]
      return (result.structuredContent ?? JSON.parse(first?.text ?? '{}')) as Value
    },
    close: () => client.close(),
  }
}

const scope = {
  schema_version: 1,
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}

const askAlways = `id: ask\nversion: "1"\ndefault_effect: needs_approval\nrules: []\n`

test('a spend that needs a human waits, is approved by one, is delivered again and executed', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const sandbox = await startSandbox(data)
  const { agents } = await sandbox.call('hubu_list_agents')
  const [agent] = agents as { agent_id: string; account_id: string }[]
  await sandbox.call('hubu_apply_policy', { policy_yaml: askAlways, agent_id: agent?.agent_id })
  const spend = { account_id: agent?.account_id, amount_cents: 1, reason: 'One picture', execution_scope: scope }

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

  const unasked = await command(['approvals', 'approve', id, '--data-folder', data])
  expect(unasked).toMatchObject({ code: 1 })
  expect(unasked.stderr).toContain('--yes')
  expect(await command(['approvals', 'approve', id, '--yes', '--data-folder', data])).toMatchObject({ code: 0 })

  const allowed = await sandbox.call('hubu_authorize_spend', spend, 'call-1')
  expect(allowed).toMatchObject({ decision: 'allow', operation_handle: handle })
  expect((await command(['approvals', 'list', '--data-folder', data])).stdout).toBe('Nothing waits for a decision.\n')

  await sandbox.call('gongbu_create_execution', {
    schema_version: 2,
    spend_auth_token_id: allowed.auth_token_id,
    input: { prompt: 'a circle', image_count: 1 },
    input_schema_version: 1,
    workload_type: 'image_generation',
    provider: 'sandbox',
    adapter: 'fixture',
    model: 'deterministic-image-v1',
  })
  let status: Value = {}
  while (!status.terminal) status = await sandbox.call('hubu_operation_status', { operation_handle: handle })
  expect(status).toMatchObject({ state: 'succeeded', result: { code: 'execution_succeeded' } })

  const denied = await command(['approvals', 'deny', id, '--yes', '--data-folder', data])
  expect(denied.code).toBe(1)
  expect(denied.stderr).toMatch(/already approved/)

  await sandbox.close()
})

test('the connection of a sandbox is private and gone with it', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const sandbox = await startSandbox(data)
  expect(statSync(`${data}/connection.json`).mode & 0o777).toBe(0o600)
  await sandbox.close()
  expect(existsSync(`${data}/connection.json`)).toBe(false)
  const after = await command(['approvals', 'list', '--data-folder', data])
  expect(after).toMatchObject({ code: 1, stdout: '' })
  expect(after.stderr).toContain('hubu-unified-mcp sandbox')
})
