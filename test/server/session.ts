// A served session in this process: lines in, lines out, calls that end when the test says so, time that moves by hand.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Findings } from '../../src/json/findings.ts'
import type { CallContext, Handlers } from '../../src/wire/handlers.ts'
import { ListChanged } from '../../src/server/list-changed.ts'
import { serveStdio, type CloseReason, type ServeStdioOptions } from '../../src/server/serve-stdio.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** A tools/call that arrived at the handlers. */
export interface ArrivedCall {
  name: string
  params: unknown
  findings: Findings
  call: CallContext
  finish(result: object): void
  fail(fault: unknown): void
}

/** Handlers whose calls wait for the test, except `echo`, which gives its params back. */
export function handHandlers(calls: ArrivedCall[], changes: Partial<Handlers> = {}): Handlers {
  return {
    initialize: (params) =>
      Promise.resolve({ protocolVersion: '2024-11-05', serverInfo: { name: 'x', version: '1' }, seen: params ?? null }),
    initialized: () => {},
    listTools: () => Promise.resolve({ tools: [] }),
    callTool: ({ params, findings }, call) =>
      new Promise((resolve, reject) => {
        const name = String((params as { name?: unknown } | undefined)?.name)
        calls.push({ name, params, findings, call, finish: resolve, fail: reject })
        if (name === 'echo') resolve({ echo: params })
      }),
    ...changes,
  }
}

/** Opens a session; `end()` closes its input and gives the reason. */
export function openSession(
  changes: Partial<Handlers> = {},
  options: Partial<Omit<ServeStdioOptions, 'streams' | 'after' | 'signals'>> = {},
) {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const signals = new EventEmitter()
  const clock = new FakeClock()
  const listChanged = new ListChanged()
  const calls: ArrivedCall[] = []
  const output: string[] = []
  const faults: unknown[] = []
  const closed: CloseReason[] = []
  const exits: string[] = []
  let hurries = 0
  let arrived = () => {}
  let rest = ''
  stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop()!
    output.push(...lines)
    arrived()
  })
  const done = serveStdio({
    handlers: handHandlers(calls, changes),
    serverInfo: { name: 'x', version: '1' },
    exitNow: () => exits.push('now'),
    onHurried: () => void hurries++,
    onClosed: (reason) => closed.push(reason),
    report: (fault) => faults.push(fault),
    listChanged,
    ...options,
    streams: { stdin, stdout },
    signals,
    clock,
  })
  let taken = 0
  const session = {
    stdin,
    stdout,
    signals,
    clock,
    listChanged,
    calls,
    output,
    faults,
    closed,
    exits,
    get hurries() {
      return hurries
    },
    done,
    send: (...lines: (string | object)[]) =>
      stdin.write(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
    /** The next line that nobody took yet. */
    next: async (): Promise<string> => {
      while (output.length === taken) await new Promise<void>((resolve) => (arrived = resolve))
      return output[taken++]!
    },
    exchange: (line: string | object): Promise<string> => {
      session.send(line)
      return session.next()
    },
    /** Waits until so many calls are with the handlers. */
    arrivals: async (count: number): Promise<void> => {
      while (calls.length < count) await nextTurn()
    },
    /** Lets everything that is not waiting for something else happen. */
    settle: async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) await nextTurn()
    },
    handshake: async (): Promise<void> => {
      await session.exchange({ jsonrpc: '2.0', id: 'hello', method: 'initialize' })
      session.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      await session.settle()
    },
    end: async (): Promise<CloseReason> => {
      stdin.end()
      return (await done).reason
    },
  }
  return session
}

/** A request line. */
export function request(id: unknown, method: string, params?: unknown): object {
  return { jsonrpc: '2.0', id, method, params }
}

/** A tools/call line. */
export function toolCall(id: unknown, name: string, more: object = {}): object {
  return request(id, 'tools/call', { name, ...more })
}
