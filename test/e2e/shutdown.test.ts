// However the router ends, what it started ends with it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { gone, isRunning, processesIn } from '../support/processes.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, textOf, type LazyRouter } from './lazy-router.ts'

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

// It closes stdin, signals after two seconds and kills after two more, which nobody survives to kill a child of its own.
test.each([false, true])(
  'an official client that closes leaves neither a stubborn child nor its grandchild, a call in flight: %s',
  async (isCalling) => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const pids = folder.file('pids')
    const tools = [{ name: 'release', inputSchema: { type: 'object' } }]
    writeFileSync(
      folder.file('config.yaml'),
      JSON.stringify({ servers: { s: mounted({ stubborn: true, pids, tools }) } }),
    )
    const client = new Client({ name: 't', version: '1' })
    const args = [built.bin, '--config', folder.file('config.yaml')]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: stub.env }))
    const started = await processesIn(pids, 2)
    if (isCalling) {
      await new Promise<void>((begun) => {
        client.callTool({ name: 's__release' }, undefined, { onprogress: () => begun() }).catch(() => {})
      })
    }
    await client.close()
    await Promise.all(started.map(gone))
  },
)

test('a call that still waits for its server when the client goes is told that nothing was sent', async () => {
  await using stub = await stubRouter()
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ hangOnInitialize: true }) } })
  const answer = router.callTool('s__echo')
  await router.request('ping')
  expect(await router.end()).toEqual([0, null])
  expect(textOf(await answer)).toContain('the gateway is shutting down; nothing was sent')
})
