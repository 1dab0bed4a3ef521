import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { spendArguments, startRouter, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const names = async (router: RouterProcess) =>
  (await router.request('tools/list')).result?.tools?.map(({ name }) => name)
const authorize = (router: RouterProcess) =>
  router.callTool('hubu_authorize_spend', spendArguments, { callId: 'call-1' })

test('a registry that somebody keeps locked delays no initialize beyond its wait, and is announced when it opens', async () => {
  await using stub = await stubRouter({}, {})
  using maker = startRouter(built.bin, stub.env)
  await maker.request('initialize')
  await maker.end()
  const holder = openDatabase(stub.registry)
  holder.exec('begin exclusive')

  using router = startRouter(built.bin, stub.env)
  const hello = JSON.stringify(await router.request('initialize'))
  expect(hello).toContain('"state_unavailable"')
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  // It is answered when the baseline is taken, long before the router would give the file up.
  await router.request('ping')
  holder.exec('rollback')
  holder.close()
  while (!router.messages.some(({ method }) => method !== undefined)) await router.request('ping')
  expect(router.messages.filter(({ method }) => method !== undefined)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ])
  expect(await names(router)).toContain('hubu_authorize_spend')
  expect((await authorize(router)).result?.isError).not.toBe(true)
  expect(await router.end()).toEqual([0, null])
})
