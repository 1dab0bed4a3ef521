// A large result of a mounted server exists few times at once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { lazyRouter, mounted, textOf } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test.each([
  ['whole', { verbatim: true }],
  ['as a receipt', {}],
])('16 MiB pass %s through a router whose heap may hold 64 MiB, three times over', async (_, config) => {
  await using stub = await stubRouter()
  const env = { ...stub.env, NODE_OPTIONS: '--max-old-space-size=64' }
  const bytes = 16 * 1024 * 1024
  const servers = { s: mounted({ tools: [{ name: 'bulk', inputSchema: { type: 'object' } }] }) }
  using router = await lazyRouter(built.bin, { env }, { ...config, servers })
  for (let n = 0; n < 3; n++) {
    const answer = await router.callTool('s__bulk', { bytes })
    if ('verbatim' in config) expect(textOf(answer)).toHaveLength(bytes)
    else expect(answer.result?.structuredContent).toMatchObject({ status: 'stored' })
    router.messages.length = router.lines.length = 0
  }
})
