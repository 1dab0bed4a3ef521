import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const fixture = fileURLToPath(new URL('fixtures/log-much.ts', import.meta.url))

test('a stderr that nobody reads stops nothing; lines are dropped and counted', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', fixture], { stdio: 'pipe' })
  const [alive] = (await once(child.stdout, 'data')) as [Buffer]
  expect(alive.toString()).toBe('alive\n')
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  const exit = once(child, 'close')
  child.stdin.end('go on\n')
  expect(await exit).toEqual([0, null])
  const messages = stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { message: string }).message)
  const counted = messages.findIndex((message) => message.includes('log lines were dropped'))
  const dropped = Number(/^\d+/.exec(messages[counted] ?? '')?.[0])
  expect(dropped).toBeGreaterThan(5000)
  expect(messages.filter((message) => message.startsWith('line ')).length + dropped).toBe(10_000)
  expect(messages.at(-1)).toBe('last')
})
