import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, test } from 'vitest'
import { request, toolCall } from './session.ts'

const command = { command: process.execPath, args: ['--import', 'tsx', fixture('echo-server.ts')] }

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
}

/** A server process; `exit` gives its exit code, signal and stderr. */
function start() {
  const child: ChildProcessWithoutNullStreams = spawn(command.command, command.args)
  const stderr = text(child.stderr)
  const exit = once(child, 'exit').then(async ([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    stderr: await stderr,
  }))
  return {
    child,
    exit,
    send: (...lines: object[]) => child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

const sleep = (id: unknown, ms: number) => toolCall(id, 'sleep', { arguments: { ms } })
/** Answered, so what was sent before it has been read. */
const fence = request('fence', 'ping')

describe('a process of its own', () => {
  test('a piped session is answered and exits 0', async () => {
    using server = start()
    const stdout = text(server.child.stdout)
    server.send(request(0, 'initialize'), request(1, 'tools/list'), sleep(2, 100), sleep(3, 50), sleep(4, 1))
    server.child.stdin.end(JSON.stringify(fence))
    expect(await server.exit).toEqual({ code: 0, signal: null, stderr: 'closed: end_of_input\n' })
    const ids = (await stdout)
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: unknown }).id)
    expect(ids.sort()).toEqual([0, 1, 2, 3, 4, 'fence'])
  })

  test('SIGTERM in the middle of a call drains it and exits 0, with the input still open', async () => {
    using server = start()
    server.send(sleep(1, 400), fence)
    await once(server.child.stdout, 'data')
    server.child.kill('SIGTERM')
    const [answer] = (await once(server.child.stdout, 'data')) as [Buffer]
    expect(answer.toString()).toContain('"id":1,"result"')
    expect(await server.exit).toEqual({ code: 0, signal: null, stderr: 'closed: signal\n' })
  })

  test('a second signal exits at once', async () => {
    using server = start()
    server.send(sleep(1, 60_000), fence)
    await once(server.child.stdout, 'data')
    server.child.kill('SIGTERM')
    // Two signals of one kind may be delivered as one.
    server.child.kill('SIGINT')
    expect(await server.exit).toEqual({ code: 7, signal: null, stderr: '' })
  })

  test('a client that closes its end while a call runs gets no stack trace and no lingering process', async () => {
    using server = start()
    server.send(sleep(1, 200), fence)
    await once(server.child.stdout, 'data')
    server.child.stdout.destroy()
    expect(await server.exit).toEqual({ code: 0, signal: null, stderr: 'closed: broken_pipe\n' })
  })

  test('a client that dies with a full pipe leaves no process behind', async () => {
    using server = start()
    server.child.stdout.pause()
    server.send(...Array.from({ length: 20 }, (_, id) => toolCall(id, 'big', { arguments: { bytes: 1_000_000 } })))
    await once(server.child.stdout, 'readable')
    server.child.stdin.destroy()
    server.child.stdout.destroy()
    const { code, stderr } = await server.exit
    expect(code).toBe(0)
    expect(stderr).toMatch(/^closed: (broken_pipe|end_of_input)\n$/)
  })

  test('the official client starts it, lists, calls, pings, cancels and closes', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StdioClientTransport({ ...command, stderr: 'pipe' })
    const stderr = text(transport.stderr as Readable)
    await client.connect(transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo'])
    const { content } = await client.callTool({ name: 'echo', arguments: { a: [1, 'é'] } })
    expect(content).toEqual([{ type: 'text', text: '{"a":[1,"é"]}' }])
    await client.ping()
    const abort = new AbortController()
    const call = client.callTool({ name: 'sleep', arguments: { ms: 60_000 } }, undefined, { signal: abort.signal })
    await client.ping()
    abort.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await client.ping()
    await client.close()
    // The cancelled sleep did not keep the process for its minute.
    expect(await stderr).toBe('closed: end_of_input\n')
  })
})
