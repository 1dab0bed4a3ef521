import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callsOf, exchangesOf, readLines, type RecordedLine } from '../../scripts/clients/recorder/recording.ts'
import { tempFolder } from '../support/temp-folder.ts'

const line = (from: RecordedLine['from'], message: object, pid = 1): RecordedLine => ({
  at_ms: 0,
  pid,
  from,
  line: JSON.stringify(message),
})

test('requests are paired with their answers, process by process, and what is no answer is passed over', () => {
  const exchanges = exchangesOf([
    line('client', { id: 1, method: 'tools/call', params: { name: 'buy' } }),
    line('client', { id: 1, method: 'tools/call', params: { name: 'buy' } }, 2),
    line('server', { method: 'notifications/progress' }),
    line('server', { id: 1, result: { paid: true } }, 2),
    line('client', { method: 'notifications/cancelled', params: { requestId: 1 } }),
    line('client', { id: 2, method: 'tools/list' }),
    line('server', { id: 2, error: { code: -32000, message: 'no' } }),
    { at_ms: 0, pid: 1, from: 'server', line: 'no JSON' },
  ])
  expect(callsOf(exchanges, 'buy')).toMatchObject([
    { pid: 1, result: undefined },
    { pid: 2, result: { paid: true } },
  ])
  expect(exchanges.at(-1)).toMatchObject({ method: 'tools/list', error: { message: 'no' } })
})

test('the recorder passes lines both ways, keeps them, and ends with its server', async () => {
  using folder = tempFolder()
  const server = folder.file('server.mjs')
  writeFileSync(
    server,
    `process.stdin.on('data', (it) => process.stdout.write(it)).on('end', () => (process.exitCode = 7))`,
  )
  const program = fileURLToPath(new URL('../../scripts/clients/recorder/record.ts', import.meta.url))
  const kept = folder.file('kept.jsonl')
  const child = spawn(process.execPath, ['--import', 'tsx', program, kept, server], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end('{"id":1}\n')
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect({ said, code }).toEqual({ said: '{"id":1}\n', code: 7 })
  const lines = readLines(readFileSync(kept, 'utf8'))
  expect(lines.filter(({ from }) => from === 'client').map((it) => it.line)).toEqual(['{"id":1}'])
  expect(lines.filter(({ from }) => from === 'server').map((it) => it.line)).toEqual(['{"id":1}'])
})
