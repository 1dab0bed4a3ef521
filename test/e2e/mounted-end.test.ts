// What becomes of a mounted server that will not end by itself when we do.
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { lazyRouter, mounted, textOf } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const servers = { s: mounted({ stubborn: true }) }

test('a second signal takes it along', async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers })
  const pid = Number(textOf(await router.callTool('s__child')))
  void router.callTool('s__hang')
  await router.request('ping')
  router.child.kill('SIGTERM')
  router.child.kill('SIGINT')
  expect(await router.exit).toEqual([1, null])
  while (isThere(pid)) await turn()
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
