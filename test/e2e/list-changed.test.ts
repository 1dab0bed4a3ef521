import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { startRouter, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const create = 'gongbu_create_execution'
const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
const notifications = (router: RouterProcess) => router.messages.filter(({ method }) => method !== undefined)
const names = async (router: RouterProcess) =>
  (await router.request('tools/list')).result?.tools?.map(({ name }) => name)

/** Pings until the condition holds; what the router sends on its own account arrives in between. */
async function until(router: RouterProcess, holds: () => boolean): Promise<void> {
  while (!holds()) await router.request('ping')
}

test('a backend that changes its state causes one payload-free notification after initialized, none before, and the new list shows it', async () => {
  let readiness = 200
  let probes = 0
  await using stub = await stubRouter(
    {
      gongbu: ({ path }) => {
        if (path !== '/readyz') return undefined
        probes++
        return { status: readiness, json: { status: readiness === 200 ? 'ready' : 'not_ready' } }
      },
    },
    { HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '20' },
  )
  using router = startRouter(built.bin, stub.env)
  const hello = await router.request('initialize')
  expect(hello.result).toMatchObject({ capabilities: { tools: { listChanged: true } } })
  // Until the client has said that it is ready, lists show what changed and nothing announces it.
  readiness = 503
  while ((await names(router))?.includes(create));
  readiness = 200
  while (!(await names(router))?.includes(create));
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  const begun = probes
  await until(router, () => probes > begun + 5)
  expect(notifications(router)).toEqual([])

  readiness = 503
  await until(router, () => notifications(router).length > 0)
  expect(await names(router)).not.toContain(create)
  const later = probes
  await until(router, () => probes > later + 5)
  expect(notifications(router)).toEqual([listChanged])

  readiness = 200
  await until(router, () => notifications(router).length > 1)
  expect(await names(router)).toContain(create)
  expect(notifications(router)).toEqual([listChanged, listChanged])
  await router.end()
})

test('fifty lists cause no notification', async () => {
  await using stub = await stubRouter({}, { HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '10' })
  using router = startRouter(built.bin, stub.env)
  await router.request('initialize')
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  for (let n = 0; n < 50; n++) await names(router)
  expect(notifications(router)).toEqual([])
  await router.end()
})
