// Mounted servers that come late, lose a reply, are killed, or end with us.
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { gone, processesIn } from '../support/processes.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, metaTools, mounted, namesOf, textOf, type LazyRouter } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const toolsOf = (...names: string[]) => names.map((name) => ({ name, inputSchema: { type: 'object' } }))
const announcements = ({ messages }: LazyRouter) =>
  messages.filter(({ method }) => method === 'notifications/tools/list_changed').length

/** How often a server has noted this. */
const noted = (log: string, what: string) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line === what).length

/** Asks until it holds. */
async function until(router: LazyRouter, holds: () => boolean): Promise<void> {
  while (!holds()) await router.request('ping')
}

/** The only mounted server as list_servers shows it. */
async function standing(router: LazyRouter) {
  const { servers } = await router.data('list_servers')
  return (servers as { name: string; connected: boolean; error?: string }[]).find(({ name }) => name === 's')
}

const revision = async (router: LazyRouter) => (await router.data('list_servers')).catalog_revision

describe('a server that cannot be started at first', () => {
  test.concurrent.each<[string, { config: object; agent?: object; listed: string[] }]>([
    [
      'is listed, announced and called when it is there',
      { config: { expose: 'all' }, listed: ['s__echo', ...metaTools] },
    ],
    [
      'is listed, announced and called when it is there and pinned',
      { config: { pin: ['s'] }, listed: [...metaTools, 's__echo'] },
    ],
    [
      'is counted and called, not listed, when it is there and the schema budget is 0',
      {
        config: { expose: 'all' },
        agent: { tool_schema_budget: '0' },
        listed: metaTools,
      },
    ],
  ])('%s', async (_what, { config, agent = {}, listed }) => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const { args, ...entry } = mounted({ tools: toolsOf('echo') })
    const waiting = ['-c', 'test -e "$0" && exec "$1" "$2"', folder.file('ready'), entry.command, ...args]
    const servers = { s: { ...entry, command: '/bin/sh', args: waiting } }
    const agents = { a: { type: 'claude', path: '/x', servers: ['s'], ...agent } }
    using router = await lazyRouter(built.bin, stub, { servers, agents, ...config }, { agent: 'a' })
    while ((await standing(router))?.error === undefined);
    expect(await namesOf(router)).toEqual(metaTools)
    expect(announcements(router)).toBe(0)

    writeFileSync(folder.file('ready'), '')
    if (listed.length > metaTools.length) while (announcements(router) === 0) await once(router.stdout, 'data')
    else while (!(await standing(router))?.connected);
    expect(await namesOf(router)).toEqual(listed)
    if ('tool_schema_budget' in agent) {
      const { tool_schema_budget } = await router.data('list_servers')
      expect(tool_schema_budget).toMatchObject({ eligible_tools: 1, advertised_tools: 0 })
    }
    expect(textOf(await router.callTool('s__echo'))).toContain('"echo"')
  })
})

test.concurrent('a list that grows and shrinks is followed, announced, and has another revision', async () => {
  await using stub = await stubRouter()
  const servers = { s: mounted({ tools: toolsOf('grow', 'shrink'), grown: toolsOf('new') }) }
  using router = await lazyRouter(built.bin, stub, { expose: 'all', servers })
  await router.callTool('describe_tool', { tool: 's__grow' })
  const revisions = [await revision(router)]
  for (const [tool, isListed] of [
    ['s__grow', true],
    ['s__shrink', false],
  ] as const) {
    const before = announcements(router)
    await router.callTool(tool)
    while ((await namesOf(router)).includes('s__new') !== isListed);
    await until(router, () => announcements(router) > before)
    revisions.push(await revision(router))
  }
  expect(revisions[1]).not.toBe(revisions[0])
  expect(revisions[2]).toBe(revisions[0])
})

test.concurrent(
  'a call whose reply is lost was carried out once, says so, counts as one error, and the next call works',
  async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const log = folder.file('log')
    using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ log }) } })
    const lost = textOf(await router.callTool('call_tool', { tool: 's__die' }))
    expect(lost).toContain('outcome unknown')
    expect(lost).toContain('not retried')
    expect(textOf(await router.callTool('s__echo'))).toContain('"echo"')
    expect(noted(log, 'call die')).toBe(1)
    expect((await router.data('stats')).totals).toMatchObject({ calls: 2, errors: 1 })
  },
)

test.concurrent('four calls that fail with one connection open one other, and none is sent again', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const log = folder.file('log')
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ log }) } })
  await router.callTool('s__echo')
  const hanging = [1, 2, 3].map(() => router.callTool('s__hang'))
  await until(router, () => noted(log, 'call hang') === 3)
  for (const answer of await Promise.all([...hanging, router.callTool('s__die')]))
    expect(textOf(answer)).toContain('outcome unknown')
  expect(textOf(await router.callTool('s__echo'))).toContain('"echo"')
  expect([noted(log, 'initialize'), noted(log, 'call hang'), noted(log, 'call die')]).toEqual([2, 3, 1])
})

test.concurrent(
  'a call goes on beside one that times out, one that is cancelled and one that fails, on the same child',
  async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const log = folder.file('log')
    const servers = { s: mounted({ log, tools: toolsOf('pid', 'release', 'hang', 'fail') }) }
    using router = await lazyRouter(built.bin, stub, { servers })
    const pidOf = async () => Number(textOf(await router.callTool('s__pid')))
    const pid = await pidOf()
    const running = router.callTool('s__release', { uri: 'x:y' }, { progressToken: 'p' })
    await until(router, () => router.messages.some(({ method }) => method === 'notifications/progress'))

    const timedOut = textOf(await router.callTool('call_tool', { tool: 's__hang', timeout_ms: 50 }))
    expect(timedOut).toMatch(/outcome unknown: the time for the call ran out.*not retried/)
    router.sendLine('{"jsonrpc":"2.0","id":"given-up","method":"tools/call","params":{"name":"s__hang"}}')
    await until(router, () => noted(log, 'call hang') === 2)
    router.sendLine('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"given-up"}}')
    await until(router, () => noted(log, 'cancelled') === 2)
    expect((await router.callTool('s__fail')).error).toMatchObject({ code: -32000, message: 'no such thing' })

    process.kill(pid, 'SIGUSR2')
    expect((await running).result).toEqual({ content: [] })
    expect(await pidOf()).toBe(pid)
    expect([noted(log, 'initialize'), noted(log, 'call hang'), noted(log, 'cancelled')]).toEqual([1, 2, 2])
  },
)

test.concurrent('a child that is killed from outside is shown as gone at once, and comes back by itself', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const pids = folder.file('pids')
  using router = await lazyRouter(built.bin, stub, { servers: { s: mounted({ pids }) } })
  while (!(await standing(router))?.connected);
  const [first = 0] = await processesIn(pids, 2)
  process.kill(first, 'SIGKILL')
  while ((await standing(router))?.connected);
  expect(await standing(router)).toMatchObject({ error: 'the connection was lost' })
  while (!(await standing(router))?.connected);
  expect((await processesIn(pids, 4))[2]).not.toBe(first)
})

test.concurrent('a call that waits for a lost server when the client goes is told that nothing was sent', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const { args, ...entry } = mounted({ tools: toolsOf('pid') })
  const hangsLater = 'test -e "$0" && exec sleep 60; : > "$0"; exec "$1" "$2"'
  const servers = {
    s: { ...entry, command: '/bin/sh', args: ['-c', hangsLater, folder.file('started'), entry.command, ...args] },
  }
  using router = await lazyRouter(built.bin, stub, { servers })
  process.kill(Number(textOf(await router.callTool('s__pid'))), 'SIGKILL')
  while ((await standing(router))?.connected);
  const waiting = router.callTool('s__pid')
  await router.request('ping')
  expect(await router.end()).toEqual([0, null])
  expect(textOf(await waiting)).toContain('the gateway is shutting down; nothing was sent')
})

test.concurrent.each<[string, boolean]>([
  ['that is idle ends with its input, and its children with it', false],
  ['with a call that hangs for ever ends at a signal behind its input, the child too', true],
])('a router %s', async (_what, isCalling) => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const [log, pids, others] = [folder.file('log'), folder.file('pids'), folder.file('others')]
  const servers = { s: mounted({ log, pids }), beginning: mounted({ hangOnInitialize: true, pids: others }) }
  using router = await lazyRouter(built.bin, stub, { servers }, { given: folder })
  await router.callTool('s__echo')
  const started = await processesIn(pids, 2)
  const beginning = await processesIn(others, 2)
  const hanging = isCalling ? router.callTool('s__hang') : undefined
  await until(router, () => !isCalling || noted(log, 'call hang') === 1)
  router.stdin.end()
  // What is still being started is given up at the end of input: from then on a signal is behind it.
  await Promise.all(beginning.map(gone))
  if (isCalling) router.child.kill('SIGTERM')
  expect(await router.exit).toEqual([0, null])
  await Promise.all(started.map(gone))
  if (hanging !== undefined) expect(textOf(await hanging)).toContain('no reconnect was attempted')
  const left = [...readdirSync(folder.path), ...readdirSync(path.dirname(stub.registry))]
  expect(left.filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([])
})
