// Packs the package, installs it into an empty folder and uses it there as a stranger would (`npm run smoke`). Prints what
// holds and closes with `N passed, N failed`.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { consumersLock, type Lock } from './shrinkwrap.ts'
import { offerNativePart } from './smoke/native-part.ts'
import { startRegistry } from './smoke/registry.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hubu-smoke-')))
const project = path.join(folder, 'project')
const home = path.join(folder, 'home')
const installed = path.join(project, 'node_modules/hubu-unified-mcp')

/** npm's own surroundings, without what the npm that started us says about this repository. */
const npmEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local_prefix)/.test(name)),
)
const plainEnv = { PATH: process.env.PATH, HOME: home, npm_config_cache: process.env.npm_config_cache }

interface Packed {
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

function pack(): Packed {
  const args = ['pack', '--json', '--pack-destination', folder]
  const text = execFileSync('npm', args, { cwd: repository, env: npmEnv, encoding: 'utf8', stdio: 'pipe' })
  const [packed] = JSON.parse(text) as Packed[]
  const odd = packed?.files
    .map((file) => file.path)
    .filter((name) => !/^(dist\/|docs\/|README\.md$|package\.json$|npm-shrinkwrap\.json$)/.test(name))
  if (packed === undefined || odd?.length !== 0) throw new Error(`it holds ${String(odd)}`)
  return packed
}

const installArgs = ['install', '--prefer-offline', '--no-audit', '--no-fund']

function install({ filename }: Packed): void {
  for (const each of [project, home]) mkdirSync(each)
  writeFileSync(path.join(project, 'package.json'), '{"private": true}')
  const env = { ...npmEnv, ...offerNativePart(repository, path.join(folder, 'native')) }
  const args = [...installArgs, '--prefix', project, path.join(folder, filename)]
  execFileSync('npm', args, { cwd: project, env, stdio: 'pipe' })
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as { dependencies: object }
  const needed = Object.keys(manifest.dependencies).join()
  if (needed !== 'better-sqlite3') throw new Error(`it needs ${needed}`)
}

/** From a registry everything that comes with it has the version of this repository's lock. */
async function pinned({ filename }: Packed): Promise<void> {
  await using registry = await startRegistry('hubu-unified-mcp', path.join(folder, filename))
  const consumer = path.join(folder, 'consumer')
  mkdirSync(consumer)
  writeFileSync(path.join(consumer, 'package.json'), '{"private": true}')
  const args = [
    ...installArgs,
    '--ignore-scripts',
    '--prefix',
    consumer,
    '--registry',
    registry.url,
    'hubu-unified-mcp',
  ]
  await promisify(execFile)('npm', args, { cwd: consumer, env: npmEnv })
  const { packages } = JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8')) as Lock
  const modules = path.join(consumer, 'node_modules/hubu-unified-mcp/node_modules')
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  // The package itself is one of those.
  const expected = Object.keys(consumersLock({ lockfileVersion: 3, packages }).packages).length - 1
  const odd = names.filter((name) => {
    const { version } = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8')) as {
      version: string
    }
    return version !== packages[`node_modules/${name}`]?.version
  })
  if (odd.length > 0 || names.length < expected) throw new Error(`other versions of ${odd.join(', ')}`)
}

/** Runs the installed bin by the name that npm gave it. */
function run(...args: string[]): { status: number | null; stdout: string } {
  const bin = path.join(project, 'node_modules/.bin/hubu-unified-mcp')
  return spawnSync(bin, args, { cwd: project, env: plainEnv, encoding: 'utf8' })
}

function version(): void {
  const { version: own } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
    version: string
  }
  const { HUBU_PRODUCT_VERSION: version = own, HUBU_SOURCE_COMMIT: commit = 'unknown' } = process.env
  const { stdout } = run('--version')
  const said = JSON.parse(stdout) as Record<string, string>
  const isRight = said.product === 'hubu-unified-mcp' && said.product_version === version
  if (!isRight || said.source_commit !== commit) throw new Error(`it says ${stdout}`)
}

function npx(): void {
  const args = ['--no-install', 'hubu-unified-mcp', '--version']
  const text = execFileSync('npx', args, {
    cwd: project,
    env: { ...npmEnv, HOME: home },
    encoding: 'utf8',
    stdio: 'pipe',
  })
  if (!text.startsWith('{"product":"hubu-unified-mcp"')) throw new Error(text)
}

/** An unstamped build is one failure; nothing else may be. */
function doctor(): void {
  const { findings } = JSON.parse(run('doctor', '--json').stdout) as { findings: { check: string; status: string }[] }
  const failed = findings.filter(({ check, status }) => status === 'failure' && check !== 'build')
  if (failed.length > 0) throw new Error(JSON.stringify(failed))
  if (!findings.some(({ check, status }) => check === 'sqlite' && status === 'ok')) throw new Error('SQLite is missing')
}

/** Speaks MCP with an ephemeral sandbox: its tools, one read and one authorization. */
async function sandbox(): Promise<void> {
  const main = path.join(installed, 'dist/main.js')
  const child = spawn(process.execPath, [main, 'sandbox', '--ephemeral'], {
    ...{ cwd: project, env: plainEnv, stdio: ['pipe', 'pipe', 'inherit'] },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
    for (;;) {
      const line = await lines.next()
      if (line.done === true) throw new Error('it went away')
      const message = JSON.parse(line.value) as { id?: number; result?: Record<string, unknown>; error?: unknown }
      if (message.id !== id) continue
      if (message.result === undefined) throw new Error(JSON.stringify(message.error))
      return message.result
    }
  }
  const call = async (name: string, args: object, callId?: string) => {
    const result = await ask('tools/call', { name, arguments: args, _meta: { callId } })
    return result.structuredContent as Record<string, unknown>
  }
  try {
    const clientInfo = { name: 'smoke', version: '1' }
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    const { agents } = (await call('hubu_list_agents', {})) as { agents: { account_id: string }[] }
    const scope = { schema_version: 1, provider: 'provider:local:fixture', executor: 'executor:gongbu:image' }
    const more = { capability: 'capability:image:generate', billing_merchant: 'merchant:local' }
    const spend = {
      account_id: agents[0]?.account_id,
      amount_cents: 1,
      reason: 'smoke',
      execution_scope: { ...scope, ...more },
    }
    const { decision } = await call('hubu_authorize_spend', spend, 'smoke-1')
    if (decision !== 'allow') throw new Error(`the spend came to ${String(decision)}`)
  } finally {
    child.stdin.end()
  }
}

/** A cache that was cut on its way must not matter. */
function strangeCache(): void {
  const dist = path.join(installed, 'dist')
  const caches = readdirSync(dist).filter((name) => name.endsWith('.cache'))
  if (caches.length < 2) throw new Error(`there are ${caches.length} of them`)
  for (const name of caches) writeFileSync(path.join(dist, name), 'no cache')
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const bin = path.join(installed, 'dist/main.js')
  const options = { cwd: project, env: plainEnv, encoding: 'utf8', input: `${line}\n` } as const
  const { stdout } = spawnSync(process.execPath, [bin, 'mcp', 'serve'], options)
  if (stdout !== '{"jsonrpc":"2.0","id":1,"result":{}}\n') throw new Error(`it says ${stdout}`)
}

const count = { passed: 0, failed: 0 }

async function check<T>(what: string, work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    const value = await work()
    count.passed++
    process.stdout.write(`ok    ${what}\n`)
    return value
  } catch (error) {
    count.failed++
    process.stdout.write(`FAIL  ${what}: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

try {
  const packed = await check('the package holds dist, docs, README, what pins its needs, and nothing else', pack)
  if (packed !== undefined) {
    await check('it installs into an empty folder, and needs better-sqlite3 only', () => install(packed))
    await check('what it needs has the versions of the lock', () => pinned(packed))
    await check('--version tells what it was built for', version)
    await check('npx finds it', npx)
    await check('doctor finds nothing wrong but a missing stamp', doctor)
    await check('an ephemeral sandbox allows a spend', sandbox)
    await check('a strange code cache is ignored', strangeCache)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`)
process.exitCode = count.failed === 0 ? 0 : 1
