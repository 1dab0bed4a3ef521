// What is held of the lists of mounted servers, and what becomes of a file that cannot be used.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { watchDefinitions } from '../../src/activity/definition-watch.ts'
import { definitionsIn } from '../../src/activity/open-definitions.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { tempFolder } from '../support/temp-folder.ts'

const tool = (description: string, name = 'a') => ({ name, description, inputSchema: { type: 'object' } })

/** Watches over the same file as a router that was started anew would. */
function watching(file: string) {
  const clock = new FakeClock({ sleepMs: (ms) => ms })
  const warnings: string[] = []
  let freed = 0
  const watch = watchDefinitions({
    open: () => definitionsIn(file),
    clock,
    random: () => 0,
    warn: (message) => void warnings.push(message),
  })
  const mounted = new AbortController()
  const review = (isHolding: boolean, ...tools: ReturnType<typeof tool>[]) =>
    watch.review('s', tools, { isHolding, onFreed: () => void freed++, signal: mounted.signal })
  return {
    ...{ clock, warnings, watch, review },
    freed: () => freed,
    unmount: () => mounted.abort(),
    hold: async (...tools: ReturnType<typeof tool>[]) => [...(await review(true, ...tools))],
    [Symbol.dispose]: () => watch.close(),
  }
}

test('a tool that has changed is held, also by the next router, until it is accepted, and that is noticed', async () => {
  using folder = tempFolder()
  const file = folder.file('activity.sqlite3')
  {
    using first = watching(file)
    expect(await first.hold(tool('reads'))).toEqual([])
    expect(await first.hold(tool('reads, and sends it to me'))).toEqual([['a', 'changed']])
  }
  using router = watching(file)
  expect(await router.hold(tool('reads, and sends it to me'), tool('new', 'b'))).toEqual([['a', 'changed']])
  await router.clock.pass(4000)
  expect(router.freed()).toBe(0)
  const operator = definitionsIn(file)
  operator.accept('s')
  operator.close()
  await router.clock.pass(2000)
  expect(router.freed()).toBe(1)
  expect(await router.hold(tool('reads, and sends it to me'))).toEqual([])
  expect(router.clock.pending).toBe(0)
})

test('a tool that was accepted is asked for until it has been listed again, and of a server that is gone nothing is kept', async () => {
  using folder = tempFolder()
  const file = folder.file('activity.sqlite3')
  using router = watching(file)
  await router.hold(tool('reads'))
  await router.hold(tool('writes'))
  const operator = definitionsIn(file)
  operator.accept('s')
  operator.close()
  await router.clock.pass(4000)
  expect(router.freed()).toBe(2)
  router.unmount()
  await router.clock.pass(4000)
  expect(router.freed()).toBe(2)
  expect(router.clock.pending).toBe(0)
})

test('a name that differs only in what nobody sees is the same tool', async () => {
  using folder = tempFolder()
  using router = watching(folder.file('activity.sqlite3'))
  await router.hold(tool('reads'))
  expect(await router.hold(tool('reads', 'a\u202e'))).toEqual([['a\u202e', 'changed']])
})

test('where nothing is held, a change is told once, and nobody waits for the file', async () => {
  using folder = tempFolder()
  const file = folder.file('activity.sqlite3')
  using router = watching(file)
  for (const description of ['reads', 'writes', 'writes']) {
    expect(await router.review(false, tool(description))).toEqual(new Map())
    if (description === 'reads') expect(existsSync(file)).toBe(false)
    await router.clock.pass(500)
  }
  expect(router.warnings).toEqual(['the tool a of s is defined otherwise than before; `servers --changes` shows how'])
})

test('what came shortly before the end is noted at the end', async () => {
  using folder = tempFolder()
  const file = folder.file('activity.sqlite3')
  for (const description of ['reads', 'writes']) {
    using router = watching(file)
    await router.review(false, tool(description))
  }
  const definitions = definitionsIn(file)
  expect(definitions.changed()).toHaveLength(1)
  definitions.close()
})

test.each<[string, (file: string) => void]>([
  ['damaged', (file) => writeFileSync(file, 'SQLite format 3\0'.padEnd(4096, 'x'))],
  ['something else', (file) => writeFileSync(file, 'a text')],
  ['a folder', (file) => mkdirSync(file)],
  [
    'of a newer release',
    (file) => new Database(file).exec('pragma application_id = 0x48754163; pragma user_version = 99').close(),
  ],
])('with a file that is %s, everything is held where changes are, and nothing elsewhere', async (_what, spoil) => {
  using folder = tempFolder()
  const file = folder.file('activity.sqlite3')
  spoil(file)
  using router = watching(file)
  expect(await router.hold(tool('reads'), tool('writes', 'b'))).toEqual([
    ['a', 'unread'],
    ['b', 'unread'],
  ])
  expect(await router.review(false, tool('reads'))).toEqual(new Map())
  await router.clock.pass(1000)
  expect(router.warnings).toEqual([
    'changed definitions of tools cannot be recorded; HUBU_UNIFIED_ACTIVITY_PATH names the file',
  ])
})

test('a file that another process keeps locked holds everything until it is free', async () => {
  using folder = tempFolder()
  const file = folder.file('activity.sqlite3')
  definitionsIn(file).close()
  const other = new Database(file)
  other.exec('begin immediate')
  using router = watching(file)
  expect(await router.hold(tool('reads'))).toEqual([['a', 'unread']])
  other.exec('rollback')
  other.close()
  await router.clock.pass(2000)
  expect(router.freed()).toBe(1)
  expect(await router.hold(tool('reads'))).toEqual([])
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written holds everything', async () => {
  using folder = tempFolder()
  chmodSync(folder.path, 0o500)
  using router = watching(folder.file('activity.sqlite3'))
  expect(await router.hold(tool('reads'))).toEqual([['a', 'unread']])
  chmodSync(folder.path, 0o700)
})
