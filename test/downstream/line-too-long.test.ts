// A local server that writes a longer line than anybody may.
import { expect, test, vi } from 'vitest'
import { call, mountRemote } from './remote-server.ts'

const program = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const chunk = 'x'.repeat(4 * 1024 * 1024)
const more = () => { while (process.stdout.write(chunk)); process.stdout.once('drain', more) }
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } },
  'tools/list': { tools: [{ name: 'call', inputSchema: { type: 'object' } }] },
}
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'tools/call' || process.argv[1] === method) return more()
  if (id !== undefined) say({ id, result: answers[method] })
})`

const entry = (...args: string[]) => ({ command: process.execPath, args: ['-e', program, ...args] })

test('its call ends with an unknown outcome that says why, and it is connected anew', async () => {
  await using mounts = await mountRemote(entry())
  const calling = call(mounts)
  expect(await calling).toEqual({ kind: 'unknown', why: 'line_too_long' })
  await vi.waitFor(() => expect(mounts.view('r')?.isConnected).toBe(true), 10_000)
}, 60_000)

test('one that does so before it is ready is told so', async () => {
  await using mounts = await mountRemote(entry('initialize'))
  expect(mounts.view('r')?.error).toBe('connect: it wrote a line of more than 256 MiB')
}, 60_000)
