// The whole router in this process: `serve` on two streams, with real HTTP and a real registry behind it.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { loadConfig } from '../../src/config/load-config.ts'
import { createLog, kindOfFault } from '../../src/redaction/log.ts'
import { serve } from '../../src/serve.ts'
import { testStamp } from '../support/built-bin.ts'
import { realClock } from '../../src/timing/clock.ts'

/** A router that answers lines. */
export interface ServedRouter extends AsyncDisposable {
  /** Everything written to stdout so far. */
  readonly lines: string[]
  /** Every line of the log, at its most verbose. */
  readonly log: readonly string[]
  /** Sends a request with these raw params and gives the parsed answer; notifications are left in `lines`. */
  request(method: string, rawParams?: string): Promise<Reply>
}

/** A JSON-RPC answer. */
export interface Reply {
  id: number
  result?: { content: { type: string; text?: string }[]; structuredContent?: unknown; isError?: boolean }
  error?: { code: number; message: string; data?: { code: string } }
}

/** Serves with this environment (`await using`). */
export async function servedRouter(env: Record<string, string>): Promise<ServedRouter> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const lines: string[] = []
  const logged: string[] = []
  const config = loadConfig(env)
  const secrets = [config.hubu?.bearer, config.gongbu?.bearer, config.reconciliation.direct]
  const log = createLog({
    level: 'debug',
    open: () => ({ writableLength: 0, write: (line) => logged.push(line), on: () => {}, once: () => {} }),
    secrets: secrets.filter((secret) => secret !== undefined),
    clock: realClock,
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let rest = ''
  stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      const reply = JSON.parse(line) as Reply
      waiting.get(reply.id)?.(reply)
      waiting.delete(reply.id)
    }
  })
  const done = serve({
    config,
    stamp: testStamp,
    streams: { stdin, stdout },
    signals: new EventEmitter(),
    exitNow: () => {},
    report: (fault) => log.error(`The router failed on a request (${kindOfFault(fault)}).`),
    log,
  })
  let lastId = 0
  const router: ServedRouter = {
    lines,
    log: logged,
    request: (method, rawParams) => {
      const id = ++lastId
      const params = rawParams === undefined ? '' : `,"params":${rawParams}`
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${params}}\n`)
      })
    },
    async [Symbol.asyncDispose]() {
      stdin.end()
      await done
    },
  }
  await router.request('initialize')
  return router
}
