// The built bin under a config file that changes while it serves.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, namesOf, textOf } from './lazy-router.ts'
import type { RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const toolsOf = (...names: string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }))
const changes = ({ messages }: RouterProcess) =>
  messages.filter(({ method }) => method === 'notifications/tools/list_changed').length

/** Waits for what the router says on its own account. */
async function until(router: RouterProcess, stream: 'stdout' | 'stderr', holds: () => boolean): Promise<void> {
  while (!holds()) await once(router.child[stream]!, 'data')
}

test('an edited config file shows in the list without a restart, and an invalid one changes nothing and says why', async () => {
  await using stub = await stubRouter({}, { HUBU_UNIFIED_LOG: 'warn' })
  using folder = tempFolder()
  const file = folder.file('config.yaml')
  const servers = { kept: mounted({ tools: toolsOf('pid') }), s: mounted({ tools: toolsOf('pid', 'release') }) }
  using router = await lazyRouter(built.bin, stub, { servers }, { given: folder })
  const pidOf = async (server: string) => Number(textOf(await router.callTool(`${server}__pid`)))
  const [kept, pid] = [await pidOf('kept'), await pidOf('s')]
  const before = await namesOf(router)

  // As a user pins a tool while the agent works.
  const seen = changes(router)
  await promisify(execFile)(process.execPath, [built.bin, 'pin', 'kept__pid', '--config', file], { env: stub.env })
  await until(router, 'stdout', () => changes(router) > seen)
  expect(await namesOf(router)).toEqual([...before, 'kept__pid'])

  writeFileSync(file, 'expose: lazy\nservers:\n  s: { command: x, env: { TOKEN: canary }, enabeld: true }\n')
  await until(router, 'stderr', () => router.stderr.includes('config.yaml:3:'))
  expect(router.stderr.trim().split('\n')).toHaveLength(1)
  expect(router.stderr).toMatch(/servers\.s\.enabeld is not a key here; did you mean enabled\?/)
  expect(router.stderr).not.toMatch(/canary/)
  expect(router.stderr).not.toContain(folder.path)
  expect(await namesOf(router)).toEqual([...before, 'kept__pid'])

  // A call is under way on a server that is replaced.
  const slow = router.callTool('s__release', {}, { progressToken: 'p' })
  await until(router, 'stdout', () => router.messages.some(({ method }) => method === 'notifications/progress'))
  const pinned = changes(router)
  const changed = { ...servers, s: mounted({ tools: toolsOf('pid', 'new') }) }
  writeFileSync(file, JSON.stringify({ expose: 'lazy', pin: ['s__new'], servers: changed }))
  await until(router, 'stdout', () => changes(router) > pinned)
  while (!(await namesOf(router)).includes('s__new'));
  expect(await namesOf(router)).toEqual([...before, 's__new'])
  expect(await pidOf('s')).not.toBe(pid)
  expect(await pidOf('kept')).toBe(kept)
  process.kill(pid, 'SIGUSR2')
  expect((await slow).result).toEqual({ content: [] })

  expect(await router.end()).toEqual([0, null])
  expect(() => process.kill(pid, 0)).toThrow()
})
