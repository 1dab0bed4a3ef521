import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { examine } from '../../src/doctor/examine.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { startGongbu } from '../../src/sandbox/gongbu/server.ts'
import { startHubu } from '../../src/sandbox/hubu/server.ts'
import { openRegistry } from '../../src/operations/open-registry.ts'
import { selfSigned } from '../support/self-signed.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { realClock } from '../../src/timing/clock.ts'

const stamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }
const nowMs = () => Date.parse('2026-08-18T00:00:00.000Z')

const look = (env: Record<string, string>, more: Partial<Parameters<typeof examine>[0]> = {}) =>
  examine({ env, configure: () => loadConfig(env), stamp, nodeVersion: 'v20.19.0', nowMs, ...more })

const of = (findings: Finding[], check: string) => findings.find((finding) => finding.check === check)

/** A stub Hubu that tells these versions. */
async function hubu(version: object): Promise<{ url: string } & AsyncDisposable> {
  const server: Server = createServer((request, response) => {
    response.end(JSON.stringify(request.url === '/health' ? { status: 'ok' } : version))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const release = {
  product_version: '9.9.9',
  source_commit: stamp.sourceCommit,
  executor_contract: 'hubu-spend-executor-v4.3',
}

describe('an examination', () => {
  test('of a machine with nothing configured has warnings with remedies and no failure', async () => {
    using folder = tempFolder()
    const findings = await look({ HUBU_RECONCILIATION_TOKEN_FILE: '', HOME: folder.path })
    expect(findings.filter(({ status }) => status === 'failure')).toEqual([])
    for (const finding of findings) expect(finding.remedy === undefined).toBe(finding.status === 'ok')
    expect(of(findings, 'hubu')?.status).toBe('warning')
  })

  test('names an old Node.js and an unstamped build', async () => {
    const findings = await look(
      {},
      { nodeVersion: 'v18.20.0', stamp: { productVersion: '0.2.0', sourceCommit: 'unknown' } },
    )
    expect(of(findings, 'node')?.status).toBe('failure')
    expect(of(findings, 'build')?.remedy).toContain('HUBU_SOURCE_COMMIT')
  })

  test('compares a backend with the stamp and says which release each is of', async () => {
    await using same = await hubu(release)
    await using other = await hubu({ ...release, product_version: '9.9.8' })
    const env = (url: string) => ({ HUBU_UNIFIED_HUBU_ENDPOINT: url, HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-canary' })
    expect(of(await look(env(same.url)), 'hubu')?.status).toBe('ok')
    const found = of(await look(env(other.url)), 'hubu')
    expect(found).toMatchObject({ status: 'failure' })
    expect(found?.message).toMatch(/product_version_mismatch.*9\.9\.8.*9\.9\.9/)
  })

  test.each([
    [20, 'ok', undefined],
    [-40, 'warning', 'this machine is 40 s behind it'],
    [90, 'warning', 'this machine is 1 min 30 s ahead of it'],
    [30 * 3600 + 120, 'failure', 'this machine is 30 h 2 min ahead of it'],
  ])('holds the clock against that of a backend: %i s ahead is a %s', async (seconds, status, message) => {
    const at = new Date('2026-08-18T00:00:00.000Z')
    const server = createServer((_request, response) => {
      response.setHeader('date', at.toUTCString())
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { HUBU_UNIFIED_HUBU_ENDPOINT: url, HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-token-canary' }
    const findings = await look(env, { nowMs: () => at.getTime() + seconds * 1000 })
    expect(of(findings, 'hubu clock')).toMatchObject({ status, ...(message !== undefined && { message }) })
    await new Promise((resolve) => server.close(resolve))
  })

  test('says of a backend behind a certificate that nobody trusts that this is why, and of both', async () => {
    const server = createTlsServer(selfSigned(), (_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const findings = await look({
      ...{ HUBU_UNIFIED_HUBU_ENDPOINT: url, HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-token-canary' },
      ...{ HUBU_UNIFIED_GONGBU_ENDPOINT: url, HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'gongbu-token-canary' },
    })
    for (const check of ['hubu', 'gongbu'])
      expect(of(findings, check)?.message, check).toContain('its certificate is not trusted')
    await new Promise((resolve) => server.close(resolve))
  })

  test('tells a configuration error and goes on with what it can still see', async () => {
    const findings = await look({ HUBU_UNIFIED_OPERATION_TICK_MS: 'value-canary' })
    expect(of(findings, 'configuration')).toMatchObject({ status: 'failure' })
    expect(of(findings, 'hubu token')?.status).toBe('ok')
    expect(JSON.stringify(findings)).not.toContain('canary')
  })
})

describe('the bearers', () => {
  const tokens = { hubu: 'hubu-token-canary', gongbu: 'gongbu-token-canary' }

  async function bearers(over: Record<string, string>): Promise<(Finding | undefined)[]> {
    using folder = tempFolder()
    const hubu = await startHubu({
      databasePath: folder.file('hubu.sqlite3'),
      stamp,
      tokens: { api: tokens.hubu, approval: 'approval-canary', reconciliation: 'reconciliation-canary' },
    })
    const gongbu = await startGongbu({
      databasePath: folder.file('gongbu.sqlite3'),
      artifactFolder: folder.file('artifacts'),
      stamp,
      callerToken: tokens.gongbu,
      hubu: { url: hubu.url, token: tokens.hubu },
    })
    const findings = await look({
      HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: tokens.hubu,
      HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url,
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: tokens.gongbu,
      ...over,
    })
    await gongbu.close()
    await hubu.close()
    expect(JSON.stringify(findings)).not.toContain('canary')
    return [of(findings, 'hubu bearer'), of(findings, 'gongbu bearer')]
  }

  test('are tried by a read of each backend', async () => {
    expect(await bearers({})).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
  })

  test('that are wrong are failures that say whose token to set', async () => {
    expect(
      await bearers({
        HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'other-canary',
        HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'another-canary',
      }),
    ).toMatchObject([
      { status: 'failure', message: expect.stringContaining('refused') as string },
      { status: 'failure', remedy: expect.stringContaining('Gongbu was started') as string },
    ])
  })

  test('are not judged while a backend cannot be reached', async () => {
    expect(await bearers({ HUBU_UNIFIED_GONGBU_ENDPOINT: 'http://127.0.0.1:9' })).toMatchObject([
      { status: 'ok' },
      undefined,
    ])
  })
})

describe('credentials', () => {
  test('are told as set or unset; a file that others can read is a warning, a missing one a failure', async () => {
    using folder = tempFolder()
    writeFileSync(folder.file('token'), 'token-canary\n')
    chmodSync(folder.file('token'), 0o644)
    symlinkSync('loop', folder.file('loop'))
    const open = await look({
      HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: folder.file('token'),
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'other-canary',
    })
    expect(of(open, 'hubu token')).toMatchObject({ status: 'warning' })
    expect(of(open, 'gongbu token')?.message).toContain('set in HUBU_UNIFIED_GONGBU_BEARER_TOKEN')
    expect(JSON.stringify(open)).not.toMatch(/canary/)
    expect(JSON.stringify(open)).not.toContain(folder.path)
    chmodSync(folder.file('token'), 0o600)
    expect(of(await look({ HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: folder.file('token') }), 'hubu token')?.status).toBe(
      'ok',
    )
    for (const unusable of ['none', 'loop', 'token/below'])
      expect(
        of(await look({ HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: folder.file(unusable) }), 'hubu token'),
      ).toMatchObject({
        status: 'failure',
        message: expect.not.stringContaining(folder.path),
      })
  })
})

test('a token that is too short to be hidden everywhere is a warning, in a variable and in a file', async () => {
  using folder = tempFolder()
  writeFileSync(folder.file('token'), 'gongbu7\n')
  chmodSync(folder.file('token'), 0o600)
  const findings = await look({
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu',
    HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: folder.file('token'),
    HUBU_RECONCILIATION_TOKEN: 'long enough',
  })
  for (const check of ['hubu token', 'gongbu token'])
    expect(of(findings, check)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('fewer than 8 characters') as string,
      remedy: expect.stringContaining('longer token') as string,
    })
  expect(of(findings, 'reconciliation token')?.status).toBe('ok')
  expect(JSON.stringify(findings)).not.toContain('gongbu7')
})

describe('the registry', () => {
  const registry = async (path: string) => of(await look({ HUBU_UNIFIED_OPERATION_STATE_PATH: path }), 'registry')

  test('is judged without being made, changed or opened for writing', async () => {
    using folder = tempFolder()
    expect((await registry(folder.file('new.sqlite3')))?.status).toBe('ok')
    expect(existsSync(folder.file('new.sqlite3'))).toBe(false)
    mkdirSync(folder.file('folder'))
    writeFileSync(folder.file('notes'), 'no database '.repeat(500))
    for (const path of [folder.file('folder'), folder.file('notes'), 'relative.sqlite3', ':memory:']) {
      expect((await registry(path))?.status).toBe('failure')
    }
  })

  test('tells whose call ids repeat, by their form', async () => {
    using folder = tempFolder()
    const settings = { clock: realClock, random: () => 0, randomHex: () => '0'.repeat(32) }
    const opened = await openRegistry({ ...settings, statePath: folder.file('r.sqlite3') })
    if (opened.kind !== 'available') throw new Error('not opened')
    for (const [platform, id] of [
      ['codex', 'toolu_01ABCDEFGHIJKLMNOPQRSTUV'],
      ['envelope', 'call_0'],
      ['lazy', 'call_tool_1'],
    ])
      opened.database.exec(
        `insert into harness_operations (platform, installation_id, harness_call_id, request_hash, tool_name, operation_handle, created_at)
         values ('${platform}', '${opened.installationId}', '${id}', '${'h'.repeat(71)}', 'hubu_submit_spend', '${platform}', '2026-01-01T00:00:00.000Z')`,
      )
    opened.database.close()
    const findings = await look({ HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('r.sqlite3') })
    expect(findings.filter(({ check }) => check === 'call ids')).toMatchObject([
      { status: 'warning', message: expect.stringContaining('envelope') as string },
      { status: 'warning', message: expect.stringContaining('lazy') as string },
    ])
  })

  test('of this release is fine, and one from the future makes the clock suspicious', async () => {
    using folder = tempFolder()
    const settings = { clock: realClock, random: () => 0, randomHex: () => '0'.repeat(32) }
    const opened = await openRegistry({ ...settings, statePath: folder.file('r.sqlite3') })
    if (opened.kind !== 'available') throw new Error('not opened')
    opened.database.exec(
      `insert into harness_operations (platform, installation_id, harness_call_id, request_hash, tool_name, operation_handle, created_at)
       values ('codex', '${opened.installationId}', 'c', '${'h'.repeat(71)}', 'hubu_submit_spend', 'handle', '2027-01-01T00:00:00.000Z')`,
    )
    opened.database.close()
    const findings = await look({ HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('r.sqlite3') })
    expect(of(findings, 'registry')).toMatchObject({ status: 'ok' })
    expect(of(findings, 'clock')).toMatchObject({ status: 'warning' })
  })
})
