import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  chmodSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openRegistry } from '../../src/operations/open-registry.ts'
import { applicationId, schemaSql } from '../../src/operations/schema.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { openKept } from '../../src/storage/kept-database.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'
import { FakeClock } from '../support/fake-clock.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777
const unavailable = (reason: string) => expect.objectContaining({ kind: 'unavailable', reason }) as unknown

/** Makes a SQLite file with the given content, in the journal mode that SQLite itself prefers. */
function makeFile(path: string, sql: string): void {
  const database = openKept(path, {})
  database.exec(sql)
  database.close()
}

test('a path in a missing folder gives a private file with our marks, in WAL mode and fully synchronous', async () => {
  using file = new RegistryFile()
  const path = file.folder.file('a/b/c/registry.sqlite3')
  const opened = await file.tryOpen(path)
  if (opened.kind !== 'available') throw new Error(opened.reason)
  const pragma = (name: string) => opened.database.pragma(name, { simple: true })
  expect([pragma('application_id'), pragma('user_version')]).toEqual([1213547087, 4])
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys'), pragma('secure_delete')]).toEqual([
    'wal',
    2,
    1,
    1,
  ])
  opened.database.exec('create table t (x)')
  for (const side of ['', '-wal', '-shm']) expect(modeOf(path + side)).toBe(0o600)
})

test('an empty file that others could read is taken and made private', async () => {
  using file = new RegistryFile()
  writeFileSync(file.path, '', { mode: 0o644 })
  expect((await file.tryOpen()).kind).toBe('available')
  expect(modeOf(file.path)).toBe(0o600)
})

test('a registry that others could read is made private, side files included', async () => {
  using file = new RegistryFile()
  const first = await file.open()
  await first.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  for (const side of ['', '-wal', '-shm']) chmodSync(file.path + side, 0o644)
  expect((await file.tryOpen()).kind).toBe('available')
  for (const side of ['', '-wal', '-shm']) expect(modeOf(file.path + side)).toBe(0o600)
})

test('no path, a blank one and memory are said for what they are, and nothing is created', async () => {
  using file = new RegistryFile()
  const open = (statePath: string | undefined) => file.tryOpen(statePath)
  expect(await openRegistry({ ...file.settings, statePath: undefined })).toEqual(unavailable('configuration_missing'))
  expect(await open('  ')).toEqual(unavailable('configuration_missing'))
  expect(await open(':memory:')).toEqual(unavailable('configuration_invalid'))
  expect(existsSync(':memory:')).toBe(false)
})

test('what is no plain file at an absolute path is not opened', async () => {
  using file = new RegistryFile()
  ;(await file.open()).close()
  const folder = file.folder.file('folder')
  mkdirSync(folder)
  const link = file.folder.file('link')
  symlinkSync(file.path, link)
  const dangling = file.folder.file('dangling')
  symlinkSync(file.folder.file('nowhere'), dangling)
  const socket = file.folder.file('socket')
  const server = createServer().listen(socket)
  for (const path of ['registry.sqlite3', './x/registry', folder, link, dangling, socket, '/dev/null'])
    expect(await file.tryOpen(path), path).toEqual(unavailable('state_unavailable'))
  server.close()
  expect(existsSync(file.folder.file('nowhere'))).toBe(false)
})

const marks = (version: number, id = applicationId) =>
  `pragma application_id = ${id}; pragma user_version = ${version};`
const withoutColumn = schemaSql.replace('  worker_lease_expires_at text,\n', '').replace(/create index[^;]*;/, '')
const refused: [string, string][] = [
  ...[1, 2, 3, 6].map((version): [string, string] => [`version ${version}`, schemaSql + marks(version)]),
  ['another application with a table', 'create table notes (x); insert into notes values (1);'],
  ['another application without tables', marks(4, 42)],
  ['our version without our id', marks(4, 0)],
  ['our id without a version', marks(0)],
  ['our marks but no tables', marks(4)],
  ['our marks but a column missing', withoutColumn + marks(4)],
  ['the later version without the names of owners', schemaSql + marks(5)],
]

test.each(refused)('a file of %s is refused and stays byte for byte and mode as it is', async (_what, sql) => {
  using file = new RegistryFile()
  makeFile(file.path, sql)
  chmodSync(file.path, 0o640)
  const before = readFileSync(file.path)
  expect(await file.tryOpen()).toEqual(unavailable('state_unavailable'))
  expect(readFileSync(file.path).equals(before)).toBe(true)
  expect(modeOf(file.path)).toBe(0o640)
  expect(readdirSync(file.folder.path)).toEqual(['registry.sqlite3'])
})

test('a registry of another version is also refused while its marks stand only in its log', async () => {
  using file = new RegistryFile()
  const owner = openDatabase(file.path)
  owner.exec(schemaSql + marks(3))
  const before = [readFileSync(file.path), readFileSync(`${file.path}-wal`)]
  expect(await file.tryOpen()).toEqual(unavailable('state_unavailable'))
  expect([readFileSync(file.path), readFileSync(`${file.path}-wal`)]).toEqual(before)
  owner.close()
})

const noise = Buffer.from(Array.from({ length: 8192 }, (_, i) => (i * 7919) % 251))
test.each([
  ['text', Buffer.from('not a database, only text that is long enough to be looked at')],
  ['one byte', Buffer.from('x')],
  ['noise', noise],
  ['a SQLite header and nothing behind it', Buffer.concat([Buffer.from('SQLite format 3\0'), noise])],
])('a file that holds %s is refused and untouched', async (_what, content) => {
  using file = new RegistryFile()
  writeFileSync(file.path, content, { mode: 0o640 })
  expect(await file.tryOpen()).toEqual(unavailable('state_unavailable'))
  expect(readFileSync(file.path).equals(content)).toBe(true)
  expect(modeOf(file.path)).toBe(0o640)
})

test('a registry whose pages are damaged or cut off is refused, not repaired', async () => {
  for (const damage of [
    (path: string) => truncateSync(path, 4096),
    (path: string) => {
      const bytes = readFileSync(path)
      noise.copy(bytes, 4096)
      noise.copy(bytes, 12_288)
      writeFileSync(path, bytes)
    },
  ]) {
    using file = new RegistryFile()
    ;(await file.open()).close()
    damage(file.path)
    const before = readFileSync(file.path)
    const opening = file.open().then(
      () => 'opened',
      () => 'refused',
    )
    expect(await opening).toBe('refused')
    expect(readFileSync(file.path).equals(before)).toBe(true)
  }
})

test('two openings of one file share one installation', async () => {
  using file = new RegistryFile()
  const [first, second] = [await file.tryOpen(), await file.tryOpen()]
  if (first.kind !== 'available' || second.kind !== 'available') throw new Error('not opened')
  expect(second.installationId).toBe(first.installationId)
  expect(first.installationId).toMatch(/^hubu-installation:v1:[0-9a-f]{32}$/)
  first.database.close()
  second.database.close()
  const third = await file.tryOpen()
  expect(third).toMatchObject({ installationId: first.installationId })
})

test('a file that somebody keeps locked is given up after five seconds, in which nothing is blocked', async () => {
  using file = new RegistryFile()
  const stranger = openDatabase(file.path)
  stranger.exec('begin immediate')
  const before = readFileSync(file.path)
  const clock = new FakeClock({ sleepMs: (ms) => ms + 700 })
  const opened = await openRegistry({ ...file.settings, clock, random: () => 0.5, statePath: file.path })
  expect(opened).toEqual(unavailable('state_unavailable'))
  expect(clock.slept).toEqual(Array.from({ length: 7 }, () => 27.5))
  expect(readFileSync(file.path).equals(before)).toBe(true)
  stranger.exec('rollback')
  stranger.close()
  expect((await file.tryOpen()).kind).toBe('available')
})

test('a lock that ends in time is waited for', async () => {
  using file = new RegistryFile()
  const stranger = openDatabase(file.path)
  stranger.exec('begin immediate')
  file.time.after(100, () => stranger.close())
  expect((await file.tryOpen()).kind).toBe('available')
})

test.skipIf(process.getuid?.() === 0)('a folder or file that may not be written gives no registry', async () => {
  using file = new RegistryFile()
  ;(await file.open()).close()
  chmodSync(file.path, 0o400)
  expect(await file.tryOpen()).toEqual(unavailable('state_unavailable'))
  chmodSync(file.folder.path, 0o500)
  expect(await file.tryOpen(file.folder.file('new.sqlite3'))).toEqual(unavailable('state_unavailable'))
  chmodSync(file.folder.path, 0o700)
})

test('a missing folder that cannot be made gives no registry', async () => {
  using file = new RegistryFile()
  writeFileSync(file.folder.file('plain'), '')
  expect(await file.tryOpen(file.folder.file('plain/sub/registry.sqlite3'))).toEqual(unavailable('state_unavailable'))
  expect(await file.tryOpen('/proc/no-such-folder/registry.sqlite3')).toEqual(unavailable('state_unavailable'))
})
