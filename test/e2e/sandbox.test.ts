import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'

const run = promisify(execFile)
let built: Awaited<ReturnType<typeof buildBin>>

beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

type Value = Record<string, unknown>

async function connect(args: string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [built.bin, ...args],
      env: { PATH: process.env.PATH ?? '', ...env },
    }),
  )
  return client
}

async function callTool(client: Client, name: string, args: Value = {}, callId?: string): Promise<Value> {
  const result = await client.callTool({ name, arguments: args, ...(callId !== undefined && { _meta: { callId } }) })
  return result.structuredContent as Value
}

const scope = {
  schema_version: 1,
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}

describe('the demo', () => {
  test('plays the whole journey and prints it for machines', async () => {
    using folder = tempFolder()
    const { stdout } = await run(process.execPath, [built.bin, 'demo', '--json', '-o', folder.file('picture.png')])
    const { ok, failure, steps } = JSON.parse(stdout) as {
      ok: boolean
      failure: string | null
      steps: { step: string }[]
    }
    expect({ ok, failure }).toEqual({ ok: true, failure: null })
    expect(steps).toHaveLength(11)
    expect(readFileSync(folder.file('picture.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  test('exits with 1 and says what failed when the picture cannot be kept', async () => {
    const failed = await run(process.execPath, [built.bin, 'demo', '--json', '-o', '/nowhere/picture.png']).catch(
      (error: unknown) => error as { code: number; stdout: string },
    )
    expect(failed).toMatchObject({ code: 1 })
    expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false })
  })
})

describe('a seeded sandbox', () => {
  test('lets an agent spend in the first minute: allow, ask, deny, and keeps it over a restart', async () => {
    using folder = tempFolder()
    const args = ['sandbox', '--data-folder', folder.file('sandbox')]
    const first = await connect(args)
    const { agents } = await callTool(first, 'hubu_list_agents')
    const [agent] = agents as { account_id: string }[]
    const spend = (amount: number) => ({
      account_id: agent?.account_id,
      amount_cents: amount,
      reason: 'test',
      execution_scope: scope,
    })
    const allowed = await callTool(first, 'hubu_authorize_spend', spend(100), 'call-1')
    expect(allowed.decision).toBe('allow')
    expect((await callTool(first, 'hubu_authorize_spend', spend(500), 'call-2')).decision).toBe('needs_approval')
    expect((await callTool(first, 'hubu_authorize_spend', spend(5000), 'call-3')).decision).toBe('deny')
    await first.close()

    const second = await connect(args)
    expect(await callTool(second, 'hubu_authorize_spend', spend(100), 'call-1')).toEqual(allowed)
    expect((await callTool(second, 'hubu_list_agents')).agents).toEqual(agents)
    await second.close()
  })

  test('keeps protected tools off without trust, and says in its name that it is a sandbox', async () => {
    const client = await connect(['sandbox', '--ephemeral'])
    expect(client.getServerVersion()?.name).toBe('hubu-unified-mcp-sandbox')
    await expect(client.callTool({ name: 'hubu_create_budget', arguments: {} })).rejects.toMatchObject({
      code: -32000,
      data: { code: 'approval_gate_required' },
    })
    await client.close()
  })

  test('a second one in the same folder takes the next folder beside it', async () => {
    using folder = tempFolder()
    const args = ['sandbox', '--data-folder', folder.file('sandbox')]
    const clients = [await connect(args), await connect(args)]
    for (const client of clients) expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(34)
    expect(existsSync(folder.file('sandbox-2'))).toBe(true)
    for (const client of clients) await client.close()
  })
})
