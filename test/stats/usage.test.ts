import { renameSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createRecorder, retentionMs, type CallRecord } from '../../src/stats/record.ts'
import { noUsage, readUsage } from '../../src/stats/report.ts'
import { migrate, openDatabase, type SqliteDatabase } from '../../src/storage/database.ts'
import { resultsMigrations } from '../../src/storage/migrations.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { FakeClock } from '../support/fake-clock.ts'

const call = (more: Partial<CallRecord> = {}): CallRecord => ({
  atMs: 1_000_000,
  server: 'atlas',
  tool: 'atlas_route',
  publicName: 'atlas__route',
  durationMs: 10,
  isOk: true,
  errorClass: null,
  argumentBytes: 2,
  receivedBytes: 98,
  sentBytes: 98,
  principal: 'local',
  agent: '',
  via: 'mount',
  ...more,
})

function open(file: string): SqliteDatabase {
  const database = openDatabase(file)
  migrate(database, resultsMigrations)
  return database
}

test('calls are written together after they were answered, and reported per server and tool (T1, T2)', () => {
  using folder = tempFolder()
  const clock = new FakeClock({ wallMs: 2_000_000 })
  const recorder = createRecorder({
    open: () => open(folder.file('results')),
    clock,
    warn: () => {},
  })
  for (const durationMs of [10, 15]) recorder.record(call({ durationMs, sentBytes: 75 }))
  recorder.record(
    call({
      server: 'ledger',
      tool: 'add',
      publicName: 'ledger__add',
      isOk: false,
      errorClass: 'timed_out',
      receivedBytes: 0,
      sentBytes: 0,
    }),
  )
  expect(clock.pending).toBe(1)
  clock.advance(500)
  const database = open(folder.file('results'))
  const atlas = { calls: 2, errors: 0, est_tokens: 50, avg_ms: 12, received_bytes: 196, sent_bytes: 150 }
  const ledger = { calls: 1, errors: 1, est_tokens: 0, avg_ms: 10, received_bytes: 0, sent_bytes: 0 }
  expect(readUsage(database, { recent: 2 })).toEqual({
    totals: { calls: 3, est_tokens: 50, total_ms: 35, errors: 1, received_bytes: 196, sent_bytes: 150 },
    servers: [
      { server: 'atlas', ...atlas },
      { server: 'ledger', ...ledger },
    ],
    tools: [
      { server: 'atlas', tool: 'atlas_route', namespaced: 'atlas__route', ...atlas },
      { server: 'ledger', tool: 'add', namespaced: 'ledger__add', ...ledger },
    ],
    recent: [
      { at: '1970-01-01T00:16:40.000Z', tool: 'ledger__add', ok: false, duration_ms: 10, est_tokens: 0 },
      { at: '1970-01-01T00:16:40.000Z', tool: 'atlas__route', ok: true, duration_ms: 15, est_tokens: 25 },
    ],
  })
  expect(readUsage(database, { server: 'ledger' }).totals.calls).toBe(1)
  expect(readUsage(database, { server: 'atlas', recent: 1 }).recent).toMatchObject([{ tool: 'atlas__route' }])
  expect(readUsage(database, { sinceMs: 1_000_001, recent: 5 })).toEqual(noUsage)
  database.close()
  recorder.close()
})

test('what waits is written at the end, and rows older than ninety days go', () => {
  using folder = tempFolder()
  const options = { open: () => open(folder.file('results')), warn: () => {} }
  const before = createRecorder({ ...options, clock: new FakeClock({ wallMs: 0 }) })
  before.record(call({ atMs: 0 }))
  before.close()
  const later = createRecorder({ ...options, clock: new FakeClock({ wallMs: retentionMs + 1 }) })
  later.record(call({ atMs: retentionMs + 1 }))
  later.close()
  const database = open(folder.file('results'))
  expect(readUsage(database).totals.calls).toBe(1)
  database.close()
})

test('a process that runs for long removes old rows every day', () => {
  using folder = tempFolder()
  const clock = new FakeClock({ wallMs: 2_000_000 })
  const recorder = createRecorder({
    open: () => open(folder.file('results')),
    clock,
    warn: () => {},
  })
  const database = open(folder.file('results'))
  const counts = [0, retentionMs, retentionMs + 1, retentionMs + 24 * 60 * 60 * 1000].map((atMs) => {
    clock.setWall(atMs - 500)
    recorder.record(call({ atMs }))
    clock.advance(500)
    return readUsage(database).totals.calls
  })
  expect(counts).toEqual([1, 2, 3, 3])
  database.close()
  recorder.close()
})

test('a damaged file that is set aside makes room for a new one, and nothing that waited is lost', () => {
  using folder = tempFolder()
  const file = folder.file('results')
  writeFileSync(file, 'no database at all '.repeat(500))
  const clock = new FakeClock({ wallMs: 2_000_000 })
  const recorder = createRecorder({ open: () => open(file), clock, warn: () => {} })
  recorder.record(call())
  clock.advance(500)
  renameSync(file, `${file}.damaged`)
  recorder.record(call())
  expect(recorder.report('local').totals.calls).toBe(2)
  recorder.close()
})

test('a file that cannot be used costs one warning and no call (T7)', () => {
  const warnings: string[] = []
  const recorder = createRecorder({
    open: () => {
      throw new Error('secret-canary')
    },
    clock: {
      nowMs: () => 0,
      after: (_ms, work) => {
        work()
        return () => {}
      },
    },
    warn: (message) => warnings.push(message),
  })
  recorder.record(call())
  recorder.record(call())
  recorder.close()
  expect(warnings).toEqual(['usage cannot be recorded; calls are not affected'])
})

test('what could not be written while another held the file is written with the next, and a report sees it at once', () => {
  using folder = tempFolder()
  let isHeld = true
  const clock = new FakeClock({ wallMs: 2_000_000 })
  const recorder = createRecorder({
    open: () => {
      if (isHeld) throw new Error('busy')
      return open(folder.file('results'))
    },
    clock,
    warn: () => {},
  })
  recorder.record(call())
  clock.advance(500)
  isHeld = false
  recorder.record(call())
  expect(recorder.report('local').totals.calls).toBe(2)
  recorder.record(call())
  expect(recorder.report('local').totals.calls).toBe(3)
  recorder.close()
})
