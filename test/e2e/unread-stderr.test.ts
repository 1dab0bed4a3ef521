import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { startRouter } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const calls = 10_000
/** More than a pipe and the waiting room of the log hold. */
const parallel = 250

test(
  '10,000 calls at log level debug are answered while nobody reads stderr; lines are dropped, counted and well-formed',
  { timeout: 120_000 },
  async () => {
    await using stub = await stubRouter()
    using router = startRouter(built.bin, { ...stub.env, HUBU_UNIFIED_LOG: 'debug' }, [], { readsStderr: false })
    await router.request('initialize')
    for (let sent = 0; sent < calls; sent += parallel) {
      // Answered by the router itself, so that the log is what this is about.
      const answers = Array.from({ length: parallel }, () => router.callTool('hubu_client_approval_profile'))
      for (const { result } of await Promise.all(answers)) expect(result).toBeDefined()
    }
    // Now somebody reads: the rest comes, with the number of what did not.
    router.readStderr()
    while (!/dropped/.test(router.stderr)) {
      await router.request('ping')
      await router.callTool('hubu_client_approval_profile')
    }
    expect(await router.end()).toEqual([0, null])
    const lines = router.stderr.trimEnd().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { time: string; level: string; message: string })
    for (const entry of entries) expect(Object.keys(entry)).toEqual(['time', 'level', 'message'])
    const dropped = entries.flatMap(({ message }) => /^(\d+) log lines were dropped/.exec(message)?.slice(1) ?? [])
    const told = entries.filter(({ message }) => message.startsWith('hubu_client_approval_profile was answered')).length
    expect(Number(dropped[0])).toBeGreaterThan(1000)
    expect(Number(dropped[0]) + told).toBeGreaterThanOrEqual(calls)
  },
)
