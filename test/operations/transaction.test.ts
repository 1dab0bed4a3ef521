import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { createRegistryAccess, WorkRefused } from '../../src/operations/transaction.ts'
import { RouterError } from '../../src/errors/router-error.ts'
import { throughFailingDisk, type Failure } from './failing-disk.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { intact } from '../support/intact-file.ts'

const args = { account_id: 'account-1', amount_cents: 25, reason: 'test' }

test('a registry that somebody locks is tried again for five seconds and then said to be busy; nothing was begun', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const stranger = openDatabase(file.path)
  stranger.exec('begin immediate')
  const clock = new FakeClock({ sleepMs: () => 600 })
  const access = createRegistryAccess(openDatabase(file.path), { clock, random: () => 1 }, intact)
  let began = 0
  const work = access.transact(() => ++began)
  await expect(work).rejects.toMatchObject({ code: 'operation_registry_error' })
  expect(began).toBe(0)
  expect(clock.slept).toEqual(Array.from({ length: 9 }, () => 50))
  stranger.exec('rollback')
  stranger.close()
  expect(await access.transact(() => ++began)).toBe(1)
  expect(registry).toBeDefined()
})

test('a transaction that reads first and writes then is not refused because another one wrote meanwhile', async () => {
  using file = new RegistryFile()
  const [one, other] = [await file.open(), await file.open()]
  for (let n = 0; n < 20; n++) {
    const turns = [one, other].map((each, i) => each.spend.begin(ask(codex(`c-${n}-${i}`), 'hubu_submit_spend', args)))
    expect((await Promise.all(turns)).map(({ kind }) => kind)).toEqual(['dispatch', 'dispatch'])
  }
})

const failures: Failure[] = [
  { at: 'begin', code: 'SQLITE_IOERR_READ' },
  { at: 'commit', code: 'SQLITE_FULL' },
  { at: 'commit', code: 'SQLITE_IOERR_FSYNC' },
  { at: 'begin', code: 'SQLITE_READONLY' },
]

test.each(failures)(
  'a disk that fails with $code at $at fails every billable step closed and leaves nothing half written',
  async ({ at, code }) => {
    using file = new RegistryFile()
    const well = await file.open()
    const turn = await well.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', args))
    if (turn.kind !== 'dispatch') throw new Error(turn.kind)
    await well.spend.record(turn.handle, turn.leaseId, { decision: 'allow', auth_token_id: 'tok-1' })
    const failure: Failure = { at: 'never', code }
    const registry = await file.open((database) => throughFailingDisk(database, failure))
    const before = file.sql('select * from harness_operations')
    failure.at = at
    const registryError = { code: 'operation_registry_error' }
    await expect(registry.spend.begin(ask(codex('c-2'), 'hubu_submit_spend', args))).rejects.toMatchObject(
      registryError,
    )
    await expect(registry.execution.bind('tok-1', { a: 1 })).rejects.toMatchObject(registryError)
    expect(file.sql('select * from harness_operations')).toEqual(before)
    failure.at = 'never'
    expect((await registry.spend.begin(ask(codex('c-2'), 'hubu_submit_spend', args))).kind).toBe('dispatch')
    await registry.execution.bind('tok-1', { a: 1 })
    await registry.worker.promote()
    failure.at = at
    await expect(registry.worker.claim(0)).rejects.toMatchObject(registryError)
    expect(file.row(turn.handle)).toMatchObject({ operation_state: 'queued', worker_lease_id: null })
  },
)

test.each(['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'])(
  'a file that turns out damaged (%s) is given up for good, and nobody is told to deliver again at once',
  async (code) => {
    using file = new RegistryFile()
    const failure: Failure = { at: 'never', code }
    const registry = await file.open((database) => throughFailingDisk(database, failure))
    failure.at = 'begin'
    const given = { code: 'operation_registry_unavailable', message: expect.stringContaining('damaged') as string }
    await expect(registry.spend.begin(ask(codex('c-1'), 'hubu_submit_spend', args))).rejects.toMatchObject(given)
    failure.at = 'never'
    await expect(registry.spend.begin(ask(codex('c-1'), 'hubu_submit_spend', args))).rejects.toMatchObject(given)
  },
)

test('a handle that is closed under the registry is a registry error too', async () => {
  using file = new RegistryFile()
  // Another process keeps the side files.
  await file.open()
  const registry = await file.open()
  registry.close()
  await expect(registry.execution.status('x')).rejects.toMatchObject({ code: 'operation_registry_error' })
})

test('what the work itself refuses passes through unchanged and rolls back; anything else is a registry error', async () => {
  using file = new RegistryFile()
  const opened = await file.tryOpen()
  if (opened.kind !== 'available') throw new Error(opened.reason)
  const { transact } = createRegistryAccess(opened.database, file.settings, opened.guard)
  const write = () => opened.database.exec("update installation_identity set installation_id = 'changed'")
  const failing = (error: Error) =>
    transact(() => {
      write()
      throw error
    })
  const refusal = new WorkRefused('no')
  await expect(failing(refusal)).rejects.toBe(refusal)
  const error = new RouterError('identity_collision', 'no')
  await expect(failing(error)).rejects.toBe(error)
  await expect(failing(new TypeError('a fault of ours'))).rejects.toMatchObject({ code: 'operation_registry_error' })
  expect(
    file.sql<{ installation_id: string }>('select installation_id from installation_identity')[0]?.installation_id,
  ).toBe(opened.installationId)
})
