import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closedPort } from '../backends/raw-server.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const session = ['initialize', 'tools/list', 'nope', 'ping']
  .map((method, id) => JSON.stringify({ jsonrpc: '2.0', id, method }))
  .join('\n')

/** Runs the bin on a short session and gives what came out. */
async function run(args: string[], env: Record<string, string>, nodeArgs: string[] = []) {
  const child = spawn(process.execPath, [...nodeArgs, built.bin, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'pipe',
  })
  // A router that refuses to start does not read.
  child.stdin.on('error', () => {})
  child.stdin.end(`${session}\nnot JSON\n`)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { stdout, stderr, code }
}

/** Every start mode with what its environment needs beyond healthy stubs. */
const modes: { mode: string; args?: string[]; node?: string[]; env?: (folder: string) => Record<string, string> }[] = [
  { mode: 'as configured' },
  { mode: 'spelled out', args: ['serve'] },
  { mode: 'in its other spelling', args: ['mcp', 'serve'] },
  {
    mode: 'without any configuration',
    env: () => ({ HUBU_UNIFIED_HUBU_ENDPOINT: '', HUBU_UNIFIED_GONGBU_ENDPOINT: '' }),
  },
  { mode: 'with the log at its most verbose', env: () => ({ HUBU_UNIFIED_LOG: 'debug' }) },
  { mode: 'with every warning of Node.js', node: ['--trace-warnings', '--trace-deprecation', '--pending-deprecation'] },
  { mode: 'with Node.js debugging itself', env: () => ({ NODE_DEBUG: 'http,net,stream,module' }) },
  { mode: 'without a registry', env: () => ({ HUBU_UNIFIED_OPERATION_STATE_PATH: '' }) },
  { mode: 'with a registry that is a folder', env: (folder) => ({ HUBU_UNIFIED_OPERATION_STATE_PATH: folder }) },
  {
    mode: 'with a registry that is no database',
    env: (folder) => ({ HUBU_UNIFIED_OPERATION_STATE_PATH: path.join(folder, 'text') }),
  },
  { mode: 'in a sandbox', args: ['sandbox', '--ephemeral'] },
  { mode: 'in an empty sandbox', args: ['sandbox', '--empty', '--ephemeral'] },
]

describe('every line of stdout is a JSON-RPC object', () => {
  test.each(modes)('$mode', async ({ args = [], node = [], env = () => ({}) }) => {
    using folder = tempFolder()
    writeFileSync(folder.file('text'), 'no database\n'.repeat(1000))
    mkdirSync(folder.file('home'))
    await using stub = await stubRouter()
    const ran = await run(args, { ...stub.env, HOME: folder.file('home'), ...env(folder.path) }, node)
    expect(ran.code).toBe(0)
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(session.split('\n').length + 1)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  test('with backends that are not there', async () => {
    const nowhere = `http://127.0.0.1:${await closedPort()}/`
    await using stub = await stubRouter(
      {},
      { HUBU_UNIFIED_HUBU_ENDPOINT: nowhere, HUBU_UNIFIED_GONGBU_ENDPOINT: nowhere },
    )
    const ran = await run([], stub.env)
    expect(ran.code).toBe(0)
    for (const line of ran.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })
})

describe('a configuration that cannot be used writes nothing to stdout and one line to stderr', () => {
  test.each<[string, Record<string, string>]>([
    ['a poll interval out of bounds', { HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '5' }],
    ['a tick that is no number', { HUBU_UNIFIED_OPERATION_TICK_MS: '1e2' }],
    ['an endpoint with a user name', { HUBU_UNIFIED_HUBU_ENDPOINT: 'http://canary-user@127.0.0.1/' }],
    [
      'an unreadable token file',
      { HUBU_UNIFIED_HUBU_BEARER_TOKEN: '', HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: '/canary/x' },
    ],
    ['an unknown log level', { HUBU_UNIFIED_LOG: 'canary-level' }],
  ])('%s', async (_what, env) => {
    await using stub = await stubRouter()
    const { stdout, stderr, code } = await run([], { ...stub.env, ...env })
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toMatch(/^hubu-unified-mcp: .*\n$/)
    expect(stderr).not.toMatch(/canary/)
  })
})

describe('an agent of the config file', () => {
  const yaml =
    'version: 1\nagents:\n  tiny: {type: codex, path: x, servers: [router]}\n  other: {type: codex, path: y}\n'

  test.each([[[]], [['serve']], [['mcp', 'serve']], [['sandbox', '--ephemeral']]])(
    'is named to %j, and a name that is not there stops it with the names that are',
    async (words) => {
      using folder = tempFolder()
      const file = folder.file('gateway.yaml')
      writeFileSync(file, yaml)
      await using stub = await stubRouter()
      const env = { ...stub.env, HOME: folder.path }
      const known = await run([...words, '--config', file, '--agent', 'tiny'], env)
      expect([known.code, known.stdout.trimEnd().split('\n').length]).toEqual([0, session.split('\n').length + 1])
      const unknown = await run([...words, '--config', file, '--agent=ghost'], env)
      expect(unknown).toMatchObject({ code: 1, stdout: '' })
      expect(unknown.stderr).toMatch(/^hubu-unified-mcp: .*tiny, other\n$/)
    },
  )

  test('without a config file is refused as well', async () => {
    await using stub = await stubRouter()
    expect(await run(['--agent', 'tiny'], stub.env)).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('what a person may paste into a bug report names no secret', () => {
  const secrets = ['n04-hubu-canary', 'n04-gongbu-canary', 'n04-reconciliation-canary']

  test.each([
    [['--help']],
    [['doctor', '--json']],
    [['doctor']],
    [['--version']],
    [['serve', '--help']],
    [['nonsense']],
    [['doctor', '--nope']],
  ])('hubu-unified-mcp %j', async (args) => {
    await using stub = await stubRouter()
    const { stdout, stderr } = await run(args, {
      ...stub.env,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: secrets[0] ?? '',
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: secrets[1] ?? '',
      HUBU_RECONCILIATION_TOKEN: secrets[2] ?? '',
    })
    expect((stdout + stderr).length).toBeGreaterThan(20)
    for (const place of [...secrets, 'n04-', stub.hubu.url.host, stub.gongbu.url.host, stub.registry])
      expect(stdout + stderr).not.toContain(place)
  })

  test('doctor tells of each credential whether it is set', async () => {
    await using stub = await stubRouter()
    const { stdout } = await run(['doctor', '--json'], stub.env)
    const { findings } = JSON.parse(stdout) as { findings: { check: string; message: string }[] }
    const of = (check: string) => findings.find((finding) => finding.check === check)?.message
    expect(of('hubu token')).toMatch(/^set/)
    expect(of('reconciliation token')).toMatch(/^unset/)
  })
})

test('nobody gives stdin an encoding: it is read as bytes', () => {
  const src = path.resolve('src')
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(100)
  const offenders = sources.filter((name) => /stdin\??\.setEncoding\(/.test(readFileSync(path.join(src, name), 'utf8')))
  expect(offenders).toEqual([])
  expect(readFileSync('scripts/eslint.config.js', 'utf8')).toContain("callee.property.name='setEncoding'")
})
