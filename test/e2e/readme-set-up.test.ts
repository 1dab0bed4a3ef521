// The README's set-up section is run as it is written, in a home that is empty.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshProgram } from '../cli/command-tree.ts'
import { buildBin } from '../support/built-bin.ts'
import { sectionOf } from '../support/docs-page.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

interface Entry {
  command: string
  args: string[]
  env: Record<string, string>
}

test('set-up for codex and claude works as written: the entries start a sandbox, and --undo takes one back', async () => {
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(sectionOf('README.md', 'Set up a client')) ?? []
  const lines = block.split('\n').filter((line) => line !== '')
  const last = lines.findIndex((line) => line.includes('--undo'))
  expect(last).toBeGreaterThan(2)

  using folder = tempFolder()
  const [home, checkout] = [folder.file('home'), folder.file('checkout')]
  for (const each of [home, checkout]) mkdirSync(each)
  symlinkSync(path.dirname(built.bin), path.join(checkout, 'dist'))
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`, HOME: home, TMPDIR: home }
  const run = (script: string[]) => execFileSync('bash', ['-euc', script.join('\n')], { cwd: checkout, env, input: '' })

  run(lines.slice(0, last))
  const codexFile = path.join(home, '.codex/config.toml')
  const codex = parseToml(readFileSync(codexFile, 'utf8')) as unknown as { mcp_servers: { hubu: Entry } }
  const claude = JSON.parse(readFileSync(path.join(home, '.claude.json'), 'utf8')) as { mcpServers: { hubu: Entry } }
  for (const { command, args, env: own } of [codex.mcp_servers.hubu, claude.mcpServers.hubu]) {
    expect([command, args]).toEqual([process.execPath, [built.bin, 'sandbox']])
    using router = startRouter(built.bin, { PATH: process.env.PATH ?? '', HOME: home, ...own }, args.slice(1))
    await router.request('initialize')
    expect((await router.callTool('hubu_list_agents')).result).toMatchObject({ structuredContent: expect.anything() })
    await router.end()
  }
  run(lines.slice(last))
  expect(existsSync(codexFile)).toBe(false)
})

test('the table of commands names every command, and no other', () => {
  const rows = sectionOf('docs/operators.md', 'Commands')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const cells = rows.slice(1).map((row) => row.split(/(?<!\\)\|/)[1] ?? '')
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z]+)/g)].map(([, name]) => name))
  const program = freshProgram()
  const wanted = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
  expect(named.toSorted()).toEqual(wanted.filter((name) => name !== 'help').toSorted())
})

test('the reference of the configuration file names every key', () => {
  interface Shape {
    properties: Record<string, unknown>
  }
  const schema = JSON.parse(readFileSync('contracts/config/config.v1.schema.json', 'utf8')) as Shape & {
    $defs: Record<string, Shape>
  }
  const keys = [schema, ...Object.values(schema.$defs)].flatMap(({ properties }) => Object.keys(properties))
  const named = new Set(
    [...sectionOf('docs/operators.md', 'Configuration file').matchAll(/`([a-z_]+)[`.]/g)].map(([, name]) => name),
  )
  expect(keys.length).toBeGreaterThan(25)
  expect(keys.filter((key) => !named.has(key))).toEqual([])
})
