import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { residentMiB } from '../support/resident-memory.ts'
import { stubRouter } from '../support/stub-router.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const lists = 1200

test('a client that reads late gets all its answers; meanwhile the router probes on and holds little of them', async () => {
  let probes = 0
  const arrivals: (() => void)[] = []
  await using stub = await stubRouter(
    {
      hubu: ({ path }) => {
        if (path === '/health') probes++
        for (const arrival of arrivals.splice(0)) arrival()
        return undefined
      },
    },
    { HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '10' },
  )
  using router = startRouter(built.bin, stub.env)
  await router.request('initialize')
  const { result } = await router.request('tools/list')
  const listMiB = JSON.stringify(result).length / 2 ** 20
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  await router.request('ping')
  const before = residentMiB(router.child.pid)

  router.stdout.pause()
  for (let id = 0; id < lists; id++) router.sendLine(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`)
  const begun = probes
  while (probes < begun + 30) await new Promise<void>((resolve) => arrivals.push(resolve))
  // All the answers together are more than this by far.
  expect(lists * listMiB).toBeGreaterThan(50)
  expect(residentMiB(router.child.pid) - before).toBeLessThan(32)

  router.stdout.resume()
  await router.answerTo(lists - 1)
  expect(await router.end()).toEqual([0, null])
  const ids = router.messages.flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
  expect(ids).toHaveLength(lists)
  expect(new Set(ids).size).toBe(lists)
})
