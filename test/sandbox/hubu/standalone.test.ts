import { readFileSync, statSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { requestLog } from '../../../src/sandbox/hubu/log.ts'
import { runHubuFromEnvironment } from '../../../src/sandbox/hubu/standalone.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A stream that remembers what was written to it. */
function memory() {
  const lines: string[] = []
  return { lines, write: (text: string) => lines.push(text) }
}

async function freeAddress(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}

async function environment(folder: { file(name: string): string }) {
  return {
    HUBU_BIND_ADDR: await freeAddress(),
    HUBU_DB_PATH: folder.file('hubu.sqlite3'),
    HUBU_AUTH_TOKEN_FILE: folder.file('auth'),
    HUBU_APPROVAL_TOKEN_FILE: folder.file('approval'),
    HUBU_RECONCILIATION_TOKEN_FILE: folder.file('reconciliation'),
  }
}

test('missing token files are created privately, kept, and used', async () => {
  using folder = tempFolder()
  const env = await environment(folder)
  const stderr = memory()
  const first = await runHubuFromEnvironment(env, stderr)
  const token = readFileSync(env.HUBU_AUTH_TOKEN_FILE, 'utf8')
  expect(token).toMatch(/^hubu_[0-9a-f-]{36}\n$/)
  expect(readFileSync(env.HUBU_APPROVAL_TOKEN_FILE, 'utf8')).toMatch(/^hubu_approve_[0-9a-f-]{36}\n$/)
  expect(readFileSync(env.HUBU_RECONCILIATION_TOKEN_FILE, 'utf8')).toMatch(/^hubu_reconcile_[0-9a-f-]{36}\n$/)
  for (const file of ['auth', 'approval', 'reconciliation', 'hubu.sqlite3'])
    expect(statSync(folder.file(file)).mode & 0o777).toBe(0o600)
  const ask = async () =>
    (await fetch(`${first.url}/user`, { headers: { Authorization: `Bearer ${token.trim()}` } })).status
  expect(first.url).toBe(`http://${env.HUBU_BIND_ADDR}`)
  expect(await ask()).toBe(200)
  expect(JSON.parse(stderr.lines[0] ?? '')).toEqual({
    at: expect.any(String),
    method: 'GET',
    path: '/user',
    status: 200,
  })
  await first.close()
  const second = await runHubuFromEnvironment({ ...env, HUBU_LOG_STDERR: '0' }, stderr)
  expect(readFileSync(env.HUBU_AUTH_TOKEN_FILE, 'utf8')).toBe(token)
  expect(await ask()).toBe(200)
  await second.close()
  expect(stderr.lines).toHaveLength(1)
})

test('tokens and leases come from the environment, and the log also goes to a file', async () => {
  using folder = tempFolder()
  const leases = folder.file('leases.yaml')
  writeFileSync(
    leases,
    'authorization_ttl_seconds: 7\ndefault_lease_profile: a\nlease_profiles: {a: {claim_ttl_seconds: 8}}\n',
  )
  const env = {
    ...(await environment(folder)),
    HUBU_AUTH_TOKEN: ' from-env ',
    HUBU_LEASE_CONFIG: leases,
    HUBU_LOG_FILE: folder.file('log'),
    HUBU_LOG_STDERR: '0',
  }
  const running = await runHubuFromEnvironment(env, memory(), { stamp: { productVersion: '9', sourceCommit: 'c' } })
  const get = async (path: string) =>
    (await fetch(`${running.url}${path}`, { headers: { Authorization: 'Bearer from-env' } })).json()
  expect(await get('/version')).toMatchObject({ product_version: '9', source_commit: 'c' })
  expect(await get('/spend/executor/guidance')).toMatchObject({
    lease: { authorization_ttl_seconds: 7, lease_profiles: { a: { claim_ttl_seconds: 8 } } },
  })
  expect(await get('/user')).toMatchObject({ username: 'hubu-user' })
  await running.close()
  expect(readFileSync(env.HUBU_LOG_FILE, 'utf8')).toContain('"path":"/version"')
})

test.each<[string, Record<string, string>, string]>([
  ['an empty token', { HUBU_AUTH_TOKEN: ' ' }, 'empty'],
  ['two equal tokens', { HUBU_AUTH_TOKEN: 'same', HUBU_APPROVAL_TOKEN: 'same' }, 'pairwise different'],
  ['an address that is not loopback', { HUBU_BIND_ADDR: '0.0.0.0:8787' }, 'loopback'],
  ['an address without a port', { HUBU_BIND_ADDR: '127.0.0.1' }, 'loopback'],
  ['a missing lease file', { HUBU_LEASE_CONFIG: '/nonexistent/leases.yaml' }, 'lease configuration file'],
  ['a database that cannot be opened', { HUBU_DB_PATH: '/nonexistent/hubu.sqlite3' }, 'cannot open a file (ENOENT)'],
  ['a broken address', { HUBU_BIND_ADDR: '127.0.0.1:99999' }, 'loopback'],
])('%s stops the start with one error line and no secret', async (_what, change, fragment) => {
  using folder = tempFolder()
  const stderr = memory()
  await expect(runHubuFromEnvironment({ ...(await environment(folder)), ...change }, stderr)).rejects.toThrow()
  expect(stderr.lines).toHaveLength(1)
  expect(stderr.lines[0]).toMatch(/^error: [^\n]*\n$/)
  expect(stderr.lines[0]).toContain(fragment)
  expect(stderr.lines[0]).not.toMatch(/same|nonexistent/)
})

test('a log file that cannot be written stops nothing', async () => {
  using folder = tempFolder()
  const env = { ...(await environment(folder)), HUBU_LOG_FILE: '/nonexistent/log', HUBU_LOG_STDERR: '0' }
  const running = await runHubuFromEnvironment(env, memory())
  for (let round = 0; round < 3; round += 1) expect((await fetch(`${running.url}/version`)).status).toBe(200)
  await running.close()
})

test('a taken address stops the start without naming it, and the admin token opens the faults', async () => {
  using folder = tempFolder()
  using other = tempFolder()
  const env = { ...(await environment(folder)), HUBU_SANDBOX_ADMIN_TOKEN: 'admin', HUBU_LOG_STDERR: '0' }
  const running = await runHubuFromEnvironment(env, memory())
  const faults = await fetch(`${running.url}/sandbox/faults`, { headers: { Authorization: 'Bearer admin' } })
  expect(await faults.json()).toEqual({ faults: [] })
  const stderr = memory()
  const second = { ...(await environment(other)), HUBU_BIND_ADDR: env.HUBU_BIND_ADDR }
  await expect(runHubuFromEnvironment(second, stderr)).rejects.toThrow()
  expect(stderr.lines).toEqual(['error: cannot listen on the address (EADDRINUSE)\n'])
  await running.close()
})

test('a log that nobody reads loses lines and says how many; a broken one is left alone', () => {
  const entry = { at: 't', method: 'GET', path: '/user', status: 200 }
  const stuck = { ...memory(), writableLength: 100_000 }
  let broken: (error: Error) => void = () => undefined
  const gone = { ...memory(), on: (_event: 'error', listener: (error: Error) => void) => (broken = listener) }
  const log = requestLog([stuck, gone])
  log(entry)
  broken(new Error('EPIPE'))
  log(entry)
  expect([stuck.lines.length, gone.lines.length]).toEqual([0, 1])
  stuck.writableLength = 0
  log(entry)
  expect(JSON.parse(stuck.lines[0] ?? '')).toEqual({ ...entry, dropped_lines: 2 })
})
