import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeSqlite } from '../../src/storage/node-sqlite.ts'
import { startRouter } from '../e2e/router-process.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
}, 60_000)
afterAll(() => built[Symbol.dispose]())

const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const spend = { account_id: 'account-1', amount_cents: 25, reason: 'test' }

const otherNode =
  "module.exports = function () { throw Object.assign(new Error('built for\\nanother Node'), { code: 'ERR_DLOPEN_FAILED' }) }"

test.skipIf(nodeSqlite() !== undefined).each([
  ['was built for another Node', otherNode],
  ['is not there', undefined],
])('a SQLite library that %s ends every start with one line and exit 1, not with a dump', async (_what, library) => {
  using folder = tempFolder()
  cpSync(path.dirname(built.bin), folder.file('dist'), { recursive: true })
  if (library !== undefined) {
    mkdirSync(folder.file('node_modules/better-sqlite3'), { recursive: true })
    writeFileSync(folder.file('node_modules/better-sqlite3/index.js'), library)
  }
  const state = { HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3') }
  const bin = folder.file('dist/main.js')
  mkdirSync(folder.file('tmp'))
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, TMPDIR: folder.file('tmp'), ...state }
  const advice =
    `hubu-unified-mcp: the SQLite library of this installation cannot be loaded by Node ${process.versions.node}; ` +
    'install hubu-unified-mcp again with this Node\n'
  using router = startRouter(bin, env)
  expect(await router.exit).toEqual([1, null])
  expect(router.stderr).toBe(advice)
  for (const command of ['sandbox --ephemeral', 'sandbox hubu', 'demo']) {
    const { status, stderr } = spawnSync(process.execPath, [bin, ...command.split(' ')], { env, cwd: folder.path })
    expect([command, status, stderr.toString().replace('error:', 'hubu-unified-mcp:')]).toEqual([command, 1, advice])
  }
  expect(readdirSync(folder.file('tmp'))).toEqual([])
})

/** A user who owns nothing here. Only root can become that user, and only where the checkout may be read by others. */
const nobody = { uid: 65534, gid: 65534 }
const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', `require(${JSON.stringify(path.resolve('node_modules/better-sqlite3'))})`], nobody)
    .status === 0

test.skipIf(!canBeNobody)(
  'a registry folder that may not be written leaves reads and takes away what is billable',
  async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    for (const one of [folder.path, path.dirname(built.bin)]) chmodSync(one, 0o755)
    const env = { ...stub.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path }
    const child = spawn(process.execPath, [built.bin], {
      ...nobody,
      env: { ...env, HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3') },
    })
    const call = (id: number, name: string, args: object, meta?: object) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name, arguments: args, ...(meta && { _meta: meta }) },
    })
    for (const message of [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
      call(2, 'hubu_list_budgets', {}),
      call(3, 'hubu_submit_spend', spend, { callId: 'c-1' }),
    ])
      child.stdin.write(`${JSON.stringify(message)}\n`)
    child.stdin.end()
    const lines = (await child.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n')
    const answers = lines.map((line) => JSON.parse(line) as { id: number; result?: object; error?: { data?: object } })
    const answerTo = (id: number) => answers.find((answer) => answer.id === id)
    expect(answerTo(2)?.result).toBeDefined()
    expect(answerTo(3)?.error?.data).toMatchObject({ code: 'operation_registry_unavailable' })
    expect(stub.hubu.exchanges.filter(({ request }) => request.path === '/spend')).toEqual([])
    expect(readdirSync(folder.path)).toEqual([])
  },
)
