import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closedPort, rawServer, response, type RawRequest } from '../backends/raw-server.ts'
import { findTraces } from '../fuzz/canary.ts'
import { buildBin, testStamp } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { spendArguments, startRouter, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** In the environment, in a token file, in a header, in paths of endpoints, in names of files. */
const canary = {
  hubuToken: 'Zh7uB8-env-token/+a=b',
  gongbuToken: 'Zg3oN9-file-token/+a=b',
  capability: 'Zc5aP2-capability/+a=b',
  endpointPath: 'Ze1nD4-endpoint-path',
  folder: 'Zf6oL0-folder',
  userInfo: 'Zu2sE7-user-info',
}
const canaries = Object.values(canary)

/** What a backend repeats: every header that it got, as it is and encoded. */
const echo = ({ head }: RawRequest) => `${head} ${encodeURIComponent(head)} ${Buffer.from(head).toString('base64')}`

/** The same without the place that was asked: a success may hold addresses, for a human to open. */
const echoCredentials = (request: RawRequest) =>
  echo({ ...request, head: request.head.replace(/^.*\r\n/, '').replace(/^host:.*\r\n/im, '') })

/** Every way in which the field has seen a backend fail, with an echo in it where there is room. */
const failures: Record<string, (request: RawRequest) => Buffer | 'hang up'> = {
  'a verdict': (request) => response(JSON.stringify({ error: echo(request) }), { status: 403 }),
  'a verdict of another shape': (request) =>
    response(JSON.stringify({ error: { [echo(request)]: 1 } }), { status: 400 }),
  markup: (request) => response(`<html>${echo(request)}</html>`, { status: 502, type: 'text/html' }),
  'a cut body': (request) =>
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${JSON.stringify({ a: echo(request) }).slice(0, 400)}`),
  'a broken head': ({ head }) => Buffer.from(`HTTP/1.1 200 ${head.split('\r\n')[1]}\r\nContent-Length: x\r\n\r\n`),
  'no HTTP at all': (request) => Buffer.from(echo(request)),
  'a redirect': ({ head }) => response('', { status: 307, headers: `Location: /${encodeURIComponent(head)}\r\n` }),
  'a hang-up': () => 'hang up',
  'a success full of it': (request) =>
    response(JSON.stringify({ decision: 'deny', [echoCredentials(request)]: [echoCredentials(request)] })),
}

function version(backend: 'hubu' | 'gongbu'): string {
  const build = { product_version: testStamp.productVersion, source_commit: testStamp.sourceCommit }
  const executor = 'hubu-spend-executor-v4.3'
  const gongbu = { api_schema_version: 2, mcp_schema_version: 2, mcp_protocol_version: '2024-11-05' }
  return JSON.stringify(
    backend === 'hubu'
      ? { ...build, executor_contract: executor }
      : { ...build, ...gongbu, hubu_executor_contract: executor },
  )
}

/** A backend that is well when probed and fails otherwise. */
const failing = (backend: 'hubu' | 'gongbu', fail: (request: RawRequest) => Buffer | 'hang up') =>
  rawServer((socket, request) => {
    const route = request.head.split(' ')[1]?.replace(`/${canary.endpointPath}`, '') ?? ''
    const well: Record<string, string> = {
      '/health': '{"status":"ok"}',
      '/livez': '{"status":"live"}',
      '/readyz': '{"status":"ready"}',
      '/version': version(backend),
    }
    const answer = well[route] === undefined ? fail(request) : response(well[route])
    if (answer === 'hang up') socket.destroy()
    else socket.end(answer)
  })

/** A folder with a telling name, the token files in it, and the environment that points there. */
function settings(folder: string, hubuUrl: string, gongbuUrl: string): Record<string, string> {
  const place = path.join(folder, canary.folder)
  mkdirSync(place, { recursive: true })
  writeFileSync(path.join(place, 'gongbu'), `${canary.gongbuToken}\n`, { mode: 0o600 })
  writeFileSync(path.join(place, 'capability'), `${canary.capability}\n`, { mode: 0o600 })
  return {
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: place,
    XDG_DATA_HOME: place,
    HUBU_UNIFIED_LOG: 'debug',
    HUBU_UNIFIED_HUBU_ENDPOINT: `${hubuUrl}${canary.endpointPath}/`,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: canary.hubuToken,
    HUBU_UNIFIED_GONGBU_ENDPOINT: `${gongbuUrl}${canary.endpointPath}`,
    HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: path.join(place, 'gongbu'),
    HUBU_UNIFIED_OPERATION_STATE_PATH: path.join(place, 'registry.sqlite3'),
    HUBU_UNIFIED_RESULTS_PATH: path.join(place, 'results.sqlite3'),
    HUBU_UNIFIED_RESPONSE_BUDGET: '512',
    HUBU_RECONCILIATION_TOKEN_FILE: path.join(place, 'capability'),
    HUBU_MCP_TRUST_CLIENT_APPROVAL: '1',
    HUBU_UNIFIED_OPERATION_TICK_MS: '10',
  }
}

/** A use of everything that meets a backend, ending with the registry and the stored results on disk. */
async function use(router: RouterProcess, name: string): Promise<void> {
  const claim = { claim_id: 'c', provider_reference: 'p', evidence: 'e' }
  await router.request('initialize')
  await router.callTool('hubu_reconcile_vendor_did_not_bill_claim', claim)
  for (const tool of ['hubu_list_budgets', 'hubu_list_ledger', 'hubu_unified_capabilities']) await router.callTool(tool)
  for (const tool of ['hubu_authorize_spend', 'hubu_submit_spend'])
    await router.callTool(tool, spendArguments, { callId: `${tool} ${name}` })
  await router.callTool('hubu_create_budget', { amount_cents: 1 })
  await router.callTool('gongbu_get_execution', { execution_id: 'exec-1' })
  await router.callTool('gongbu_list_artifacts', { execution_id: 'exec-1' })
  await router.callTool('gongbu_get_artifact', { artifact_id: 'art-1' })
  await router.request('tools/list')
  expect(await router.end()).toEqual([0, null])
}

/** What the router wrote into files that are its own. */
function databases(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('sqlite3'))
  return files.map((name) => readFileSync(path.join(folder, name), 'latin1'))
}

describe('no trace of a secret, a place or an endpoint is on stdout, on stderr at its most verbose, or in a database, when backends answer with', () => {
  test.each(Object.keys(failures))('%s', async (name) => {
    using folder = tempFolder()
    const fail = failures[name] ?? (() => 'hang up' as const)
    await using hubu = await failing('hubu', fail)
    await using gongbu = await failing('gongbu', fail)
    using router = startRouter(built.bin, settings(folder.path, hubu.url.href, gongbu.url.href))
    await use(router, name)
    const output = [...router.messages.map((message) => JSON.stringify(message)), ...router.stderr.split('\n')]
    expect(router.stderr).toContain('"level":"debug"')
    expect(findTraces([...output, ...databases(folder.path)], canaries)).toEqual([])
    for (const port of [hubu.port, gongbu.port]) expect(output.join('\n')).not.toContain(`:${port}`)
  })

  test('nothing, since nobody listens', async () => {
    using folder = tempFolder()
    const nowhere = `http://127.0.0.1:${await closedPort()}/`
    using router = startRouter(built.bin, settings(folder.path, nowhere, nowhere))
    await use(router, 'nowhere')
    const output = [...router.messages.map((message) => JSON.stringify(message)), router.stderr]
    expect(router.stderr).toContain('backend_unavailable')
    expect(findTraces([...output, ...databases(folder.path)], canaries)).toEqual([])
    expect(output.join('\n')).not.toContain('127.0.0.1')
  })
})

describe('nor in what a person is told when', () => {
  test.each<[string, Record<string, string>]>([
    [
      'an endpoint holds user name and password',
      { HUBU_UNIFIED_HUBU_ENDPOINT: `http://me:${canary.userInfo}@127.0.0.1/` },
    ],
    ['an endpoint is no URL', { HUBU_UNIFIED_GONGBU_ENDPOINT: `${canary.endpointPath}://x` }],
    ['a token cannot stand in a header', { HUBU_UNIFIED_HUBU_BEARER_TOKEN: `${canary.hubuToken}\u0007` }],
    ['a token file is missing', { HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: `/nowhere/${canary.folder}` }],
    ['the registry is not usable', { HUBU_UNIFIED_OPERATION_STATE_PATH: `/dev/null/${canary.folder}` }],
  ])('%s', async (_what, env) => {
    using folder = tempFolder()
    const nowhere = `http://127.0.0.1:${await closedPort()}/`
    for (const args of [[], ['doctor'], ['doctor', '--json']]) {
      const child = spawn(process.execPath, [built.bin, ...args], {
        env: { ...settings(folder.file(args.join('-') || 'serve'), nowhere, nowhere), ...env },
      })
      child.stdin.on('error', () => {})
      child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"initialize"}\n')
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      expect(stdout + stderr).not.toBe('')
      expect(findTraces([stdout, stderr], canaries)).toEqual([])
    }
  })
})
