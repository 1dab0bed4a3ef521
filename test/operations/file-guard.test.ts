import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ask, codex, RegistryFile } from './registry-file.ts'

const lost = expect.objectContaining({ code: 'operation_registry_unavailable' }) as Error
const unavailable = expect.objectContaining({ kind: 'unavailable', reason: 'state_unavailable' }) as unknown

/** A registry in a folder of its own, so that the folder can be moved too. */
function registryFile(): RegistryFile {
  const file = new RegistryFile()
  mkdirSync(file.folder.file('state'))
  Object.assign(file, { path: path.join(file.folder.file('state'), 'registry.sqlite3') })
  return file
}

const sides = ['', '-wal', '-shm']
const tricks: [name: string, play: (path: string) => void][] = [
  ...sides.flatMap((side): typeof tricks => [
    [`its file${side} is deleted`, (file) => rmSync(file + side)],
    [`its file${side} is moved`, (file) => renameSync(file + side, `${file}.moved`)],
    [`its file${side} is replaced by an empty one`, (file) => (rmSync(file + side), writeFileSync(file + side, ''))],
    [
      `its file${side} is replaced by a copy`,
      (file) => (copyFileSync(file + side, `${file}.x`), renameSync(`${file}.x`, file + side)),
    ],
    [`its file${side} gets a second name`, (file) => linkSync(file + side, `${file}.second`)],
    [
      `its file${side} becomes a link`,
      (file) => (renameSync(file + side, `${file}.x`), symlinkSync(`${file}.x`, file + side)),
    ],
  ]),
  ['both its side files are deleted', (file) => sides.slice(1).forEach((side) => rmSync(file + side))],
  ['all its files are deleted', (file) => sides.forEach((side) => rmSync(file + side))],
  ['its folder is moved', (file) => renameSync(path.dirname(file), `${path.dirname(file)}.moved`)],
]

test.each(tricks)('a registry is not written any more when %s', async (_name, play) => {
  using file = registryFile()
  const registry = await file.open()
  const begin = (callId: string) => registry.spend.begin(ask(codex(callId), 'hubu_authorize_spend', {}))
  expect((await begin('c-1')).kind).toBe('dispatch')
  play(file.path)
  await expect(begin('c-2')).rejects.toEqual(lost)
  await expect(registry.worker.claim(0)).rejects.toEqual(lost)
  // For good: who put the file back may have used it meanwhile.
  await expect(begin('c-3')).rejects.toEqual(lost)
  registry.close()
})

test('a router that only reads notices within a quarter of a second that its file is another one', async () => {
  using file = registryFile()
  const registry = await file.open()
  const turn = await registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  const handle = 'handle' in turn ? turn.handle : ''
  renameSync(file.path, `${file.path}.moved`)
  expect((await registry.execution.status(handle)).operation_handle).toBe(handle)
  await file.time.pass(250)
  await expect(registry.execution.status(handle)).rejects.toEqual(lost)
})

test('a registry that is given up leaves alone what lies at its path by then', async () => {
  using file = registryFile()
  const old = await file.open()
  await old.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  for (const side of sides) renameSync(file.path + side, `${file.path}${side}.moved`)
  const other = await file.open()
  await other.spend.begin(ask(codex('c-2'), 'hubu_authorize_spend', {}))
  await expect(old.spend.begin(ask(codex('c-3'), 'hubu_authorize_spend', {}))).rejects.toEqual(lost)
  const log = readFileSync(`${file.path}-wal`)
  old.close()
  expect(readFileSync(`${file.path}-wal`).equals(log)).toBe(true)
  expect((await other.spend.begin(ask(codex('c-4'), 'hubu_authorize_spend', {}))).kind).toBe('dispatch')
})

test('a file with two names, and side files that are links, are refused before they are opened', async () => {
  using file = registryFile()
  ;(await file.open()).close()
  linkSync(file.path, `${file.path}.second`)
  expect(await file.tryOpen()).toEqual(unavailable)
  rmSync(`${file.path}.second`)
  for (const side of ['-wal', '-shm']) {
    writeFileSync(`${file.path}.elsewhere`, '')
    symlinkSync(`${file.path}.elsewhere`, file.path + side)
    expect(await file.tryOpen()).toEqual(unavailable)
    rmSync(file.path + side)
  }
  expect((await file.tryOpen()).kind).toBe('available')
})

test.each(['missing', 'empty'])('a log with content beside a main file that is %s is refused and kept', async (how) => {
  using file = registryFile()
  const registry = await file.open()
  await registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  const kept = file.folder.file('copy.sqlite3')
  copyFileSync(`${file.path}-wal`, `${kept}-wal`)
  if (how === 'empty') writeFileSync(kept, '')
  const before = readFileSync(`${kept}-wal`)
  expect(before.length).toBeGreaterThan(0)
  expect(await file.tryOpen(kept)).toEqual(unavailable)
  expect(readFileSync(`${kept}-wal`).equals(before)).toBe(true)
})
