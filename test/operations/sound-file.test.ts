import {
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { backupCommand, secretCommand } from '../../src/cli/commands/operations-files.ts'
import { openRegistry } from '../../src/operations/open-registry.ts'
import { openDatabase, readOnly } from '../../src/storage/database.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const unavailable = expect.objectContaining({ kind: 'unavailable', reason: 'state_unavailable' }) as unknown
const args = { account_id: 'account-1', amount_cents: 25, reason: 'x'.repeat(500) }

async function buy(file: RegistryFile, from: number, to: number) {
  const registry = await file.open()
  for (let n = from; n < to; n++) {
    const turn = await registry.spend.begin(ask(codex(`c-${n}`), 'hubu_authorize_spend', args))
    if (turn.kind !== 'dispatch') throw new Error(turn.kind)
    await registry.spend.record(turn.handle, turn.leaseId, { decision: 'deny', note: 'x'.repeat(500) })
  }
  return registry
}

const countIn = (path: string) =>
  readOnly(path, (database) => database.prepare('select count(*) from harness_operations').pluck().get())

async function run(command: (streams: { stdout: PassThrough; stderr: PassThrough }) => Promise<number>) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const code = await command(streams)
  return { code, text: `${String(streams.stdout.read() ?? '')}${String(streams.stderr.read() ?? '')}` }
}

test('a registry with pages that are overwritten is refused and left as it is', async () => {
  using file = new RegistryFile()
  ;(await buy(file, 0, 100)).close()
  const open = openSync(file.path, 'r+')
  writeSync(open, Buffer.alloc(4 * 4096, 0x5a), 0, 4 * 4096, 5 * 4096)
  closeSync(open)
  const before = readFileSync(file.path)
  expect(await file.tryOpen()).toEqual(unavailable)
  expect(readFileSync(file.path).equals(before)).toBe(true)
})

test('an older main file beside the log of a newer one is refused, and both are kept', async () => {
  using file = new RegistryFile()
  ;(await buy(file, 0, 60)).close()
  const old = readFileSync(file.path)
  // The log begins anew here, so that it lacks pages which the older file does not have either.
  ;(await buy(file, 60, 160)).close()
  await buy(file, 160, 200)
  const copy = file.folder.file('restored.sqlite3')
  writeFileSync(copy, old)
  copyFileSync(`${file.path}-wal`, `${copy}-wal`)
  copyFileSync(`${file.path}.key-secret`, `${copy}.key-secret`)
  const log = readFileSync(`${copy}-wal`)
  expect(await file.tryOpen(copy)).toEqual(unavailable)
  expect(readFileSync(copy).equals(old)).toBe(true)
  expect(readFileSync(`${copy}-wal`).equals(log)).toBe(true)
})

/** An index that holds other things than it says: only a check of the whole finds that. */
function breakIndex(path: string): void {
  const database = openDatabase(path)
  database.unsafeMode(true)
  database.exec('create index broken on harness_operations (created_at)')
  database.pragma('writable_schema = on')
  database.exec("update sqlite_schema set sql = replace(sql, 'created_at', 'operation_handle') where name = 'broken'")
  database.close()
}

const [none, all] = [0, Number.MAX_SAFE_INTEGER]

test.each([
  ['in place', { inPlaceBytes: all, beforeUseBytes: all }],
  ['in a process of its own', { inPlaceBytes: none, beforeUseBytes: all }],
])('a registry with a broken index is refused by a check %s', async (_where, limits) => {
  using file = new RegistryFile()
  ;(await buy(file, 0, 20)).close()
  file.limits = limits
  ;(await buy(file, 20, 21)).close()
  breakIndex(file.path)
  expect(await file.tryOpen()).toEqual(unavailable)
})

test('a large registry is in use while its indexes are checked, and given up when one is broken', async () => {
  using file = new RegistryFile()
  ;(await buy(file, 0, 20)).close()
  breakIndex(file.path)
  file.limits = { inPlaceBytes: none, beforeUseBytes: none }
  const registry = await file.open()
  expect(await new Promise((resolve) => registry.guard.onLost(resolve))).toBe('damaged')
  await expect(registry.spend.begin(ask(codex('c-99'), 'hubu_authorize_spend', args))).rejects.toMatchObject({
    code: 'operation_registry_unavailable',
  })
})

test('a check that takes long is given up when nobody waits for it any more', async () => {
  using file = new RegistryFile()
  ;(await buy(file, 0, 20)).close()
  const limits = { inPlaceBytes: none, beforeUseBytes: all }
  const ending = new AbortController()
  const opening = openRegistry({ ...file.settings, statePath: file.path, limits, signal: ending.signal })
  ending.abort()
  expect(await opening).toEqual(unavailable)
})

test('a rest after the last purchase brings all of them into the main file', async () => {
  using file = new RegistryFile()
  await buy(file, 0, 50)
  await file.time.pass(2000)
  const copy = file.folder.file('copy.sqlite3')
  copyFileSync(file.path, copy)
  expect(countIn(copy)).toBe(50)
})

test('a backup of a registry in use is one sound private file with its key secret, and never replaces anything', async () => {
  using file = new RegistryFile()
  await buy(file, 0, 20)
  const target = file.folder.file('backup.sqlite3')
  const backup = () => run((streams) => backupCommand(file.path, target, streams))
  const first = await backup()
  expect(first).toMatchObject({ code: 0, text: expect.stringContaining('20 operations') as string })
  expect(countIn(target)).toBe(20)
  expect(readFileSync(`${target}.key-secret`).equals(readFileSync(`${file.path}.key-secret`))).toBe(true)
  if (process.platform !== 'win32')
    for (const path of [target, `${target}.key-secret`]) expect(statSync(path).mode & 0o777).toBe(0o600)
  const before = readFileSync(target)
  expect(await backup()).toMatchObject({ code: 1, text: expect.stringContaining('already') as string })
  expect(readFileSync(target).equals(before)).toBe(true)
  const restored = await file.tryOpen(target)
  expect(restored.kind).toBe('available')
})

test('a lost key secret is replaced only when a person accepts what that forgets', async () => {
  using file = new RegistryFile()
  ;(await buy(file, 0, 1)).close()
  const secret = `${file.path}.key-secret`
  const command = (isNew: boolean) => run((streams) => secretCommand(file.path, isNew, streams))
  const before = readFileSync(secret, 'utf8')
  expect(await command(true)).toMatchObject({ code: 0, text: expect.stringContaining('the one that') as string })
  expect(readFileSync(secret, 'utf8')).toBe(before)
  rmSync(secret)
  expect(await command(false)).toMatchObject({ code: 1, text: expect.stringContaining('--new') as string })
  expect(existsSync(secret)).toBe(false)
  const told = await command(true)
  expect(told.text).toContain('charges it again')
  expect(told.text).not.toContain(readFileSync(secret, 'utf8').trim())
  expect((await file.tryOpen()).kind).toBe('available')
})
