import type * as ChildProcess from 'node:child_process'
import { createRequire } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'

const { platform } = process
const require = createRequire(import.meta.url)
const childProcess = require('node:child_process') as typeof ChildProcess

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
  vi.restoreAllMocks()
})

test('on Windows a script such as npx is started through the shell that runs it, with its arguments quoted', async () => {
  Object.defineProperty(process, 'platform', { value: 'win32' })
  const started = vi.spyOn(childProcess, 'spawn').mockImplementation(() => {
    throw new Error('started')
  })
  const { startChild } = await import('../../src/downstream/child-process.ts')
  const command = {
    command: 'npx',
    args: ['-y', 'a b', '100%'],
    env: { PATH: '', PATHEXT: '.EXE;.CMD', comspec: 'cmd.exe' },
  }
  expect(() => startChild(command, { after: () => () => {} }, { afterEndMs: 0, afterTermMs: 0 })).toThrow('started')
  const [file, args, options] = started.mock.calls[0] ?? []
  expect(file).toMatch(/cmd\.exe$/i)
  expect(args).toEqual(['/d', '/s', '/c', expect.stringMatching(/^"npx \^?"?-y/)])
  expect(options).toMatchObject({ windowsVerbatimArguments: true })
})
