import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NoPlainFile, readPlainFile } from '../../src/documents/plain-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a plain file is read whole, also through a link, up to its limit', () => {
  using folder = tempFolder()
  writeFileSync(folder.file('text'), 'four')
  symlinkSync(folder.file('text'), folder.file('link'))
  expect(readPlainFile(folder.file('link'), 4).toString()).toBe('four')
  expect(() => readPlainFile(folder.file('text'), 3)).toThrow(NoPlainFile)
})

test.skipIf(process.platform === 'win32')('what could be waited for, or never ends, is not read', () => {
  using folder = tempFolder()
  execFileSync('mkfifo', [folder.file('pipe')])
  for (const file of [folder.file('pipe'), '/dev/zero', folder.path])
    expect(() => readPlainFile(file, 1024), file).toThrow('is no plain file')
})

test.skipIf(process.platform !== 'linux')(
  'a file of the system that says it is empty is read as far as it goes',
  () => {
    expect(readPlainFile('/proc/self/status', 64 * 1024).toString()).toMatch(/^Name:/)
  },
)
