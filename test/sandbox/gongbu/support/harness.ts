// A Gongbu on loopback in front of a scripted Hubu, with a clock, ids and timers that belong to the test.
import path from 'node:path'
import { startGongbu, type GongbuOptions, type GongbuSettings } from '../../../../src/sandbox/gongbu/server.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { eventually } from './eventually.ts'
import { hubuToken, startHubuStub, type HubuStub } from './hubu-stub.ts'

export const callerToken = 'cap-1'
const ended = ['succeeded', 'failed', 'released', 'reconciliation_required']

interface Reply {
  status: number
  headers: Headers
  text: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
  bytes: Buffer
}

/** What a request carries; `authorization` null sends none, default is the caller's bearer. */
interface SendInit {
  body?: unknown
  authorization?: string | null
}

/** Timers that fire when the test says so. */
function manualTimers() {
  const waiting = new Set<{ at: number; delayMs: number; run: () => void }>()
  let time = 0
  return {
    after(delayMs: number, run: () => void) {
      const timer = { at: time + delayMs, delayMs, run }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    delays: () => [...waiting].map((one) => one.delayMs),
    /** Lets so much time pass; due timers fire in their order. */
    pass(ms: number) {
      const until = time + ms
      for (;;) {
        const next = [...waiting].filter((one) => one.at <= until).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        waiting.delete(next)
        time = next.at
        next.run()
      }
      time = until
    },
  }
}

/** Starts Hubu and Gongbu; `await using` closes both. */
export async function startHarness(settings: GongbuSettings = {}, over: Partial<GongbuOptions> = {}) {
  const folder = tempFolder()
  const hubu = await startHubuStub()
  const harness = await startOn(folder.path, hubu, settings, over)
  return Object.assign(harness, {
    async [Symbol.asyncDispose]() {
      await harness.stop()
      await hubu[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  })
}

export type Harness = Awaited<ReturnType<typeof startHarness>>

async function startOn(folder: string, hubu: HubuStub, settings: GongbuSettings, over: Partial<GongbuOptions>) {
  const timers = manualTimers()
  const clock = { time: Date.parse('2031-03-04T05:06:07.000Z') }
  const watchers = new Set<() => void>()
  const log: string[] = []
  const merged = (more: GongbuSettings): GongbuSettings => ({
    after: (delayMs, run) => timers.after(delayMs, run),
    drainMs: 0,
    log: (line) => log.push(line),
    ...settings,
    ...more,
    hooks: {
      ...settings.hooks,
      ...more.hooks,
      changed: () => watchers.forEach((one) => one()),
    },
  })
  const start = (more: GongbuSettings) =>
    startGongbu({
      databasePath: path.join(folder, 'gongbu.sqlite3'),
      artifactFolder: path.join(folder, 'artifacts'),
      stamp: { productVersion: '0.2.0', sourceCommit: '5b1e0f9c2d3a4b5c6d7e8f9012a3b4c5d6e7f801' },
      callerToken,
      hubu: { url: hubu.url, token: hubuToken },
      now: () => new Date(clock.time),
      ...over,
      settings: merged(more),
    })
  let running = await start({})

  async function send(method: string, target: string, init: SendInit = {}) {
    const { body, authorization = `Bearer ${callerToken}` } = init
    const response = await fetch(`${running.url}${target}`, {
      method,
      headers: authorization === null ? {} : { authorization },
      body: body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    const isJson = response.headers.get('content-type') === 'application/json'
    const reply: Reply = {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: isJson ? JSON.parse(text) : undefined,
    }
    return reply
  }

  const harness = {
    hubu,
    folder,
    timers,
    clock,
    log,
    url: () => running.url,
    send,
    get: (target: string) => send('GET', target),
    create: (token: string, more: Record<string, unknown> = {}) =>
      send('POST', '/v2/executions', { body: createBody(token, more) }),
    read: (id: string) => send('GET', `/v1/executions/${id}`),
    artifacts: (id: string) => send('GET', `/v1/executions/${id}/artifacts`),
    /** Waits until an execution shows a status; nobody sleeps, each stored change looks again. */
    async until(id: string, accepts: string | ((status: string) => boolean)) {
      const isDone = typeof accepts === 'string' ? (status: string) => status === accepts : accepts
      for (;;) {
        const change = new Promise<void>((resolve) => {
          const watcher = () => {
            watchers.delete(watcher)
            resolve()
          }
          watchers.add(watcher)
        })
        const reply = await harness.read(id)
        if (isDone(reply.body.status)) return reply.body
        await change
      }
    },
    /** Waits for something, a request at a time. */
    eventually: (holds: () => boolean | Promise<boolean>) => eventually(holds, () => send('GET', '/livez')),
    ended: (id: string) => harness.until(id, (status) => ended.includes(status)),
    /** Creates and waits for the first end. */
    async runToEnd(token: string, more: Record<string, unknown> = {}) {
      const created = await harness.create(token, more)
      if (created.status !== 200) throw new Error(`create answered ${created.status} ${created.text}`)
      return harness.ended(created.body.execution_id)
    },
    reconcile: (id: string, body: unknown) => send('POST', `/v1/executions/${id}/reconciliation`, { body }),
    /** Stops at once, like a process that dies, and starts again on the same files. */
    async restart(more: GongbuSettings = {}) {
      await running.close()
      running = await start(more)
    },
    stop: () => running.close(),
  }
  return harness
}

/** A create body that is accepted. */
export function createBody(token: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schema_version: 2,
    spend_auth_token_id: token,
    input: { prompt: 'a paper boat on a pond', image_count: 1 },
    input_schema_version: 1,
    workload_type: 'image_generation',
    provider: 'sandbox',
    adapter: 'fixture',
    model: 'deterministic-image-v1',
    ...more,
  }
}
