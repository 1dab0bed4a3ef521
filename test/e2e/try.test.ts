// From a home with one client to the first picture: `try` of the built bin, and a stand-in for the client that reads its own file.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { createOf, spendOf, type Value } from './started-sandbox.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

// The build under test may itself lie in the system's folder for temporary files, where no entry may point.
const environmentOf = (home: string) => ({ PATH: '/usr/bin:/bin', HOME: home, TMPDIR: `${home}/tmp` })

/** Runs the bin in a home, with nobody at a terminal. */
function run(home: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = { cwd: home, env: environmentOf(home) }
    execFile(process.execPath, [built.bin, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    ).stdin?.end()
  })
}

const before = '# mine\nmodel = "o9"   # keep\n'

function homeWithCodex(folder: ReturnType<typeof tempFolder>): string {
  mkdirSync(folder.file('.codex'))
  writeFileSync(folder.file('.codex/config.toml'), before)
  return folder.path
}

/** Starts what the client's own file says, as the client does. */
async function startAsCodex(
  home: string,
): Promise<{ client: Client; call(name: string, args?: Value): Promise<Value> }> {
  const file = parseToml(readFileSync(`${home}/.codex/config.toml`, 'utf8'))
  const { hubu } = file.mcp_servers as { hubu: { command: string; args: string[]; env: Record<string, string> } }
  const client = new Client({ name: 'stand-in', version: '1' })
  await client.connect(new StdioClientTransport({ ...hubu, env: { ...environmentOf(home), ...hubu.env }, cwd: home }))
  return {
    client,
    async call(name, args = {}) {
      const { structuredContent, content } = await client.callTool({ name, arguments: args })
      return (structuredContent ?? JSON.parse((content as { text: string }[])[0]!.text)) as Value
    },
  }
}

test('one command sets the client up, and a picture that needs a person is bought with nothing else', async () => {
  using folder = tempFolder()
  const home = homeWithCodex(folder)
  const tried = await run(home, 'try', '--client', 'codex', '--yes')
  expect(tried).toMatchObject({ code: 0, err: '' })
  expect(tried.out).toMatch(/35 tools after/)
  for (const part of ['~/.codex/config.toml', '  1. ', '  2. ', '  3. ', 'approvals approve --sandbox'])
    expect(tried.out).toContain(part)

  const { client, call } = await startAsCodex(home)
  const { agents } = await call('hubu_list_agents')
  const [{ account_id: account }] = agents as [{ account_id: string }]
  const waiting = await call('hubu_authorize_spend', spendOf(account, 250, 'A lighthouse at dawn'))
  expect(waiting).toMatchObject({ decision: 'needs_approval' })
  const { approval_request_id: id } = waiting.approval as { approval_request_id: string }
  expect(await run(home, 'approvals', 'approve', id, '--yes', '--sandbox')).toMatchObject({ code: 0 })
  let status: Value = {}
  const read = () => call('hubu_operation_status', { operation_handle: waiting.operation_handle })
  while (status.state !== 'authorized') status = await read()
  const [, token] = /auth_token_id (\S+) once/.exec(String(status.guidance)) ?? []
  await call('gongbu_create_execution', { ...createOf(token, 'a lighthouse at dawn'), model: 'studio-image-v1' })
  while (status.terminal !== true) status = await read()
  expect(status).toMatchObject({ state: 'succeeded' })
  const { budgets } = await call('hubu_list_budgets')
  expect((budgets as Value[])[0]).toMatchObject({ consumed_amount_cents: 250 })
  await client.close()

  const undone = await run(home, 'try', '--undo')
  expect(undone).toMatchObject({ code: 0, err: '' })
  expect(readFileSync(folder.file('.codex/config.toml'), 'utf8')).toBe(before)
  expect((await run(home, 'try', '--undo')).out).toContain('nothing to take back')
}, 90_000)

test('without a terminal it says what to pass, and changes nothing', async () => {
  using folder = tempFolder()
  const home = homeWithCodex(folder)
  const unnamed = await run(home, 'try')
  expect(unnamed).toMatchObject({ code: 2, out: '' })
  expect(unnamed.err).toMatch(/--client NAME --yes; found are .*codex/)
  const unsure = await run(home, 'try', '--client', 'codex')
  expect(unsure).toMatchObject({ code: 2, out: '' })
  expect(unsure.err).toContain('--yes')
  expect(readFileSync(folder.file('.codex/config.toml'), 'utf8')).toBe(before)
})

test('a client that buys from a real Hubu is left alone, by trying and by taking back', async () => {
  using folder = tempFolder()
  const home = homeWithCodex(folder)
  const real = `${before}\n[mcp_servers.hubu]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(built.bin)}]\n`
  writeFileSync(folder.file('.codex/config.toml'), real)
  const refused = await run(home, 'try', '--client', 'codex', '--yes')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('other backends')
  expect((await run(home, 'try', '--undo')).out).toContain('nothing to take back')
  expect(readFileSync(folder.file('.codex/config.toml'), 'utf8')).toBe(real)
})
