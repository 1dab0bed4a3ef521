// What a command does when its output goes nowhere.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
}, 60_000)
afterAll(() => built[Symbol.dispose]())

const run = (stdout: 'pipe' | number) => {
  const child = spawn(process.execPath, [built.bin, 'init', '--help'], { stdio: ['ignore', stdout, 'pipe'] })
  child.stdout?.destroy()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  return once(child, 'close').then(([code]) => [code as number, stderr])
}

test('who reads only the beginning of an output ends nothing and hears of nothing', async () => {
  expect(await run('pipe')).toEqual([0, ''])
})

test.skipIf(process.platform !== 'linux')(
  'an output that cannot be written is a failure, told in one line',
  async () => {
    const full = openSync('/dev/full', 'w')
    expect(await run(full)).toEqual([1, 'hubu-unified-mcp: the output could not be written (ENOSPC)\n'])
  },
)
