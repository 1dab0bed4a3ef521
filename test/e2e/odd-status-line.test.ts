// A backend whose status line no HTTP library expects.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawServer, response } from '../backends/raw-server.ts'
import { buildBin, testStamp } from '../support/built-bin.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test('a status line of 099 is an answer that was lost, and the router goes on', async () => {
  const version = { product_version: testStamp.productVersion, source_commit: testStamp.sourceCommit }
  await using hubu = await rawServer((socket, { head }) => {
    if (head.startsWith('GET /health')) socket.end(response('{"status":"ok"}'))
    else if (head.startsWith('GET /version'))
      socket.end(response(JSON.stringify({ ...version, executor_contract: 'hubu-spend-executor-v4.3' })))
    else socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}')
  })
  using router = startRouter(built.bin, {
    HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href,
    HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-canary-token',
  })
  await router.request('initialize', {})
  expect((await router.callTool('hubu_list_budgets')).error?.data?.code).toBe('backend_unavailable')
  expect(await router.request('ping')).toMatchObject({ result: {} })
  await router.end()
})

test('no bundle words a failed assertion by reading and parsing itself', () => {
  const folder = path.dirname(built.bin)
  const bundles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.c?js$/.test(name))
  expect(bundles).toContain('serve.cjs')
  const asserting = bundles.filter((name) =>
    /require\("(node:)?assert"\)|from ?"(node:)?assert"/.test(readFileSync(path.join(folder, name), 'utf8')),
  )
  expect(asserting).toEqual([])
})
