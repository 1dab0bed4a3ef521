import { existsSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sandboxFolder } from '../../src/cli/sandbox-folder.ts'
import { makePrivateFolder } from '../../src/storage/make-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'

describe('a user without a home', () => {
  const place = { env: {}, home: '', platform: 'linux' as const }

  test('is told which setting says where a sandbox keeps its state, and gets no folder in the present one', () => {
    expect(() => sandboxFolder(undefined, place)).toThrow(/--data-folder, or set HOME or XDG_DATA_HOME/)
  })

  test('may name the folder, or the place of data', () => {
    expect(sandboxFolder('/data', place)).toBe('/data')
    const folder = sandboxFolder(undefined, { ...place, env: { XDG_DATA_HOME: '/data' } })
    expect(folder).toBe('/data/hubu-unified-mcp/sandbox')
  })
})

describe('a folder', () => {
  test('is made with those above it, for nobody else', () => {
    using folder = tempFolder()
    makePrivateFolder(folder.file('a/b'))
    makePrivateFolder(folder.file('a/b'))
    expect([statSync(folder.file('a')).mode & 0o777, existsSync(folder.file('a/b'))]).toEqual([0o700, true])
  })

  test.runIf(process.platform === 'linux')('that cannot be made is an error at once', () => {
    expect(() => makePrivateFolder('/proc/x/y')).toThrow(/ENOENT/)
  })
})
