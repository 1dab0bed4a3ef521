import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { rowsOf } from './governed-backends.ts'

const processes = 8
const callsEach = 250

test(`${processes} processes that write ${2 * callsEach} times each into one registry meet no busy error and lose no row`, async () => {
  using folder = tempFolder()
  const registry = folder.file('registry.sqlite3')
  const writer = path.resolve('test/durability/fixtures/registry-writer.ts')
  const children = Array.from({ length: processes }, (_, i) =>
    spawn(process.execPath, ['--import', 'tsx', writer, registry, String(i), String(callsEach)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  const ends = (await Promise.all(children.map((child) => once(child, 'exit')))) as [number | null][]
  expect(ends.map(([code]) => code)).toEqual(Array.from({ length: processes }, () => 0))
  const rows = rowsOf(registry)
  expect(rows).toHaveLength(processes * callsEach)
  expect(rows.every((row) => row.decision === 'deny' && row.worker_lease_id === null)).toBe(true)
  expect(new Set(rows.map((row) => row.operation_key)).size).toBe(rows.length)
}, 120_000)
