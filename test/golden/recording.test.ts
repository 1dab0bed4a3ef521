import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { acceptGolden } from '../../scripts/accept-golden.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { expectGolden, folders } from './recording.ts'

test('a text that differs is recorded for review, fails with the command that accepts it, and leaves golden/ alone', () => {
  const name = 'catalog/recorded-by-a-test.json'
  const recorded = path.join(folders.recorded, name)
  try {
    expect(() => expectGolden(name, '{}\n')).toThrow(
      /local\/golden\/catalog\/recorded-by-a-test\.json.*npm run golden:accept/,
    )
    expect(readFileSync(recorded, 'utf8')).toBe('{}\n')
    expect(existsSync(path.join(folders.golden, name))).toBe(false)
  } finally {
    rmSync(recorded, { force: true })
  }
})

test('a text that agrees again takes its old recording away, so that nobody accepts it later', () => {
  const name = 'catalog/structure.json'
  const recorded = path.join(folders.recorded, name)
  mkdirSync(path.dirname(recorded), { recursive: true })
  writeFileSync(recorded, 'from an earlier run')
  expectGolden(name, readFileSync(path.join(folders.golden, name), 'utf8'))
  expect(existsSync(recorded)).toBe(false)
})

test('accepting moves the named recordings into golden/ and leaves the others', () => {
  using folder = tempFolder()
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(folder.file(name)), { recursive: true })
    writeFileSync(folder.file(name), text)
  }
  write('golden/calls/a/success.json', 'old')
  write('local/golden/calls/a/success.json', 'new')
  write('local/golden/operations/b.json', 'other')
  expect(acceptGolden(folder.path, ['calls/'])).toEqual(['calls/a/success.json'])
  expect(readFileSync(folder.file('golden/calls/a/success.json'), 'utf8')).toBe('new')
  expect(existsSync(folder.file('local/golden/calls/a/success.json'))).toBe(false)
  expect(acceptGolden(folder.path, [])).toEqual(['operations/b.json'])
  expect(acceptGolden(folder.path, [])).toEqual([])
})
