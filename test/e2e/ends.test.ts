// The router ends when its parent is gone, and when nobody reads what it wrote last.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { gone } from '../support/processes.ts'
import { stubRouter } from '../support/stub-router.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Starts a router on its own streams, and says its process number. */
const wrapper = `
  const { spawn } = require('node:child_process')
  const router = spawn(process.execPath, [process.argv[1]], { stdio: ['inherit', 'ignore', 'ignore'] })
  router.once('spawn', () => process.stdout.write(router.pid + '\\n'))
  setInterval(() => {}, 1000)
`

test('a router whose wrapper was killed ends, although somebody holds its input open', async () => {
  await using stub = await stubRouter()
  const started = spawn(process.execPath, ['-e', wrapper, built.bin], {
    env: stub.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(started.stdout, 'data')) as [Buffer]
  started.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  started.kill('SIGKILL')
  await gone(Number(line.toString()))
  started.stdin.end()
})

test.each<['end of input' | 'SIGTERM']>([['end of input'], ['SIGTERM']])(
  'answers that nobody reads do not keep the router after %s',
  async (end) => {
    await using stub = await stubRouter()
    using router = startRouter(built.bin, stub.env)
    await router.request('initialize')
    router.stdout.pause()
    // More than a pipe holds.
    for (let id = 1000; id < 1100; id++) router.sendLine(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`)
    while (router.stdout.readableLength < router.stdout.readableHighWaterMark) await new Promise(setImmediate)
    const exit = once(router.child, 'exit')
    if (end === 'SIGTERM') router.child.kill('SIGTERM')
    else router.stdin.end()
    expect(await exit).toEqual([1, null])
  },
)
