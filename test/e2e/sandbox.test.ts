import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { spendOf, startSandbox } from './started-sandbox.ts'

const run = promisify(execFile)
let built: Awaited<ReturnType<typeof buildBin>>

beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** A home whose configuration file stops every server that reads it. */
function homeWithBadConfig(folder: ReturnType<typeof tempFolder>): string {
  const config = folder.file('home/.config/hubu-unified-mcp')
  mkdirSync(config, { recursive: true })
  writeFileSync(`${config}/config.yaml`, 'version: none\n')
  return folder.file('home')
}

describe('the demo', () => {
  test('plays the whole journey and prints it for machines, whatever the user has configured', async () => {
    using folder = tempFolder()
    const args = [built.bin, 'demo', '--json', '-o', folder.file('picture.png')]
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, HOME: homeWithBadConfig(folder) } })
    const { ok, failure, steps } = JSON.parse(stdout) as {
      ok: boolean
      failure: string | null
      steps: { step: string }[]
    }
    expect({ ok, failure }).toEqual({ ok: true, failure: null })
    expect(steps).toHaveLength(17)
    expect(readFileSync(folder.file('picture.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  test('begins nothing when the picture cannot be kept, and names the file', async () => {
    const failed = await run(process.execPath, [built.bin, 'demo', '--json', '-o', '/nowhere/picture.png']).catch(
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    )
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain('/nowhere/picture.png cannot be written')
  })
})

describe('a seeded sandbox', () => {
  test('lets an agent spend in the first minute: allow, ask, deny, and keeps it over a restart', async () => {
    using folder = tempFolder()
    const spend = (amountCents: number) => spendOf(accountId, amountCents)
    const first = await startSandbox(built.bin, folder.file('sandbox'))
    const { accountId } = first
    const agents = await first.call('hubu_list_agents')
    const allowed = await first.call('hubu_authorize_spend', spend(100), 'call-1')
    expect(allowed.decision).toBe('allow')
    expect((await first.call('hubu_authorize_spend', spend(500), 'call-2')).decision).toBe('needs_approval')
    expect((await first.call('hubu_authorize_spend', spend(5000), 'call-3')).decision).toBe('deny')
    await first.client.close()

    await using second = await startSandbox(built.bin, folder.file('sandbox'))
    expect(await second.call('hubu_authorize_spend', spend(100), 'call-1')).toEqual(allowed)
    expect(await second.call('hubu_list_agents')).toEqual(agents)
  })

  test('keeps protected tools off without trust, and says in its name that it is a sandbox', async () => {
    using folder = tempFolder()
    await using sandbox = await startSandbox(built.bin, folder.file('sandbox'))
    const { client } = sandbox
    expect(client.getServerVersion()?.name).toBe('hubu-unified-mcp-sandbox')
    await expect(client.callTool({ name: 'hubu_create_budget', arguments: {} })).rejects.toMatchObject({
      code: -32000,
      data: { code: 'approval_gate_required' },
    })
  })
})
