// Built routers on one registry and one Hubu: the clock of one of them is 30 hours ahead, and tokens are too short.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin, testStamp } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { spendArguments, startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Loaded before the router: everything in that process then lives 30 hours ahead. */
const aheadOf = `data:text/javascript,${encodeURIComponent('const now = Date.now; Date.now = () => now() + 30 * 3600e3')}`

/** A Hubu whose authorizations live for an hour by its own clock. */
async function startShortHubu(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()))
    request.on('end', () => response.end(JSON.stringify(answer(request.url ?? '', body))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(path: string, body: string): object {
  if (path === '/health') return { status: 'ok' }
  if (path !== '/spend/authorize')
    return {
      product_version: testStamp.productVersion,
      source_commit: testStamp.sourceCommit,
      executor_contract: 'hubu-spend-executor-v4.3',
    }
  const { operation_key: key } = JSON.parse(body) as { operation_key: string }
  return {
    decision: 'allow',
    operation_key: key,
    task_id: null,
    auth_token_id: `tok-${key.slice(-8)}`,
    authorization_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
}

test('a router whose clock is ahead leaves the authorizations of the others alone and says so', async () => {
  using folder = tempFolder()
  await using hubu = await startShortHubu()
  const env = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH ?? '',
    HUBU_UNIFIED_LOG: 'warn',
    HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-token-of-this-test',
    HUBU_UNIFIED_OPERATION_STATE_PATH: folder.file('registry.sqlite3'),
    ...more,
  })
  const begin = async (router: ReturnType<typeof startRouter>) => {
    const clientInfo = { name: 'test', version: '1' }
    await router.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  }
  const buy = async (router: ReturnType<typeof startRouter>, callId: string) => {
    const reply = await router.callTool('hubu_authorize_spend', { ...spendArguments, reason: callId }, { callId })
    return (reply.result?.structuredContent as { auth_token_id?: string } | undefined)?.auth_token_id
  }
  using right = startRouter(built.bin, env())
  await begin(right)
  const token = await buy(right, 'call-1')
  expect(token).toMatch(/^tok-/)
  using ahead = startRouter(built.bin, env({ NODE_OPTIONS: `--import ${aheadOf}` }))
  await begin(ahead)
  expect(await buy(ahead, 'call-2')).toMatch(/^tok-/)
  expect(await buy(ahead, 'call-3')).toMatch(/^tok-/)
  expect(await buy(right, 'call-1')).toBe(token)
  await ahead.end()
  expect(ahead.stderr.match(/clock of this machine is ahead/g)).toHaveLength(1)
})

test('the log names tokens that are too short to be hidden everywhere', async () => {
  using router = startRouter(built.bin, {
    PATH: process.env.PATH ?? '',
    HUBU_UNIFIED_LOG: 'warn',
    HUBU_UNIFIED_HUBU_ENDPOINT: 'http://127.0.0.1:9',
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu',
    HUBU_UNIFIED_GONGBU_ENDPOINT: 'http://127.0.0.1:9',
    HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'a token that is long enough',
  })
  await router.end()
  expect(router.stderr).toMatch(/The Hubu token has fewer than 8 characters/)
  expect(router.stderr).not.toMatch(/The Gongbu token has/)
})
