// However the router ends, what it started ends with it (M 7.7, I01).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { gone, isRunning, processesIn } from '../support/processes.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, type LazyRouter } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test.each<[string, object, (router: LazyRouter) => void, [number | null, string | null]]>([
  [
    'a client that closes stdin while a server is being started',
    { hangOnInitialize: true },
    (router) => router.stdin.end(),
    [0, null],
  ],
  ['a hang-up of the terminal', {}, (router) => router.child.kill('SIGHUP'), [0, null]],
  [
    'a second signal',
    {},
    (router) => {
      router.child.kill('SIGTERM')
      router.child.kill('SIGINT')
    },
    [1, null],
  ],
])('%s leaves neither a stubborn child nor its grandchild', async (_, script, end, exit) => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const pids = folder.file('pids')
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ stubborn: true, pids, ...script }) } })
  const started = await processesIn(pids, 2)
  expect(started.map(isRunning)).toEqual([true, true])
  end(router)
  expect(await router.exit).toEqual(exit)
  await Promise.all(started.map(gone))
})
