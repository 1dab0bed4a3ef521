// A Hubu on a temporary file with a clock that tests move, and a client that speaks plain HTTP to it.
import { request } from 'node:http'
import { startHubu, type HubuOptions, type RunningHubu } from '../../../src/sandbox/hubu/server.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** The secrets of test servers. */
export const tokens = { api: 'api-secret', approval: 'approval-secret', reconciliation: 'reconciliation-secret' }

/** Leases with a short profile, as the conformance corpus uses them. */
export const leases = {
  authorizationTtlSeconds: 300,
  defaultLeaseProfile: 'default',
  leaseProfiles: { default: { claimTtlSeconds: 900 }, conformance_short: { claimTtlSeconds: 1 } },
}

/** An answer: `text` as it came, `body` parsed. */
export interface Answer {
  status: number
  text: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  body: any
}

/** What a request may carry beside the usual. */
export interface Extras {
  headers?: Record<string, string | undefined>
  /** Another bearer, or none. */
  bearer?: string | false
}

/** A server under test. */
export interface TestHubu extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly databasePath: string
  /** The server's clock. */
  clock: { now: Date; advance(seconds: number): void }
  get(path: string, extras?: Extras): Promise<Answer>
  /** `body` is sent as JSON, a string as it is. */
  post(path: string, body?: unknown, extras?: Extras): Promise<Answer>
  call(method: string, path: string, body: string | undefined, extras?: Extras): Promise<Answer>
  /** Stops the server and starts it on the same file. */
  restart(changes?: Partial<HubuOptions>): Promise<void>
}

/** Starts a server. Its clock stands at 2030-01-02T03:04:05Z until a test moves it. */
export async function testHubu(changes: Partial<HubuOptions> = {}): Promise<TestHubu> {
  const folder = tempFolder()
  const clock = {
    now: new Date('2030-01-02T03:04:05Z'),
    advance: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    },
  }
  const options: HubuOptions = {
    databasePath: folder.file('hubu.sqlite3'),
    stamp: { productVersion: '0.2.0', sourceCommit: 'abc123' },
    tokens,
    leases,
    now: () => clock.now,
    ...changes,
  }
  let running: RunningHubu = await startHubu(options)
  const call = (method: string, path: string, body: string | undefined, extras: Extras = {}) =>
    send(running.port, method, path, body, {
      ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      ...(extras.bearer === false ? {} : { Authorization: `Bearer ${extras.bearer ?? tokens.api}` }),
      ...extras.headers,
    })
  return {
    get url() {
      return running.url
    },
    get port() {
      return running.port
    },
    databasePath: options.databasePath,
    clock,
    call,
    get: (path, extras) => call('GET', path, undefined, extras),
    post: (path, body = {}, extras) =>
      call('POST', path, typeof body === 'string' ? body : JSON.stringify(body), extras),
    async restart(again = {}) {
      await running.close()
      running = await startHubu({ ...options, ...again })
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      folder[Symbol.dispose]()
    },
  }
}

function send(
  port: number,
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string | undefined>,
): Promise<Answer> {
  const given = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).filter(([, value]) => value !== undefined)
  return new Promise((resolve, reject) => {
    const length: [string, string][] = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]]
    const sent = Object.fromEntries([...given, ...length]) as Record<string, string>
    const asked = request({ port, host: '127.0.0.1', method, path, headers: sent, agent: false, setHost: false })
    asked.on('error', reject)
    asked.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        try {
          resolve({ status: response.statusCode ?? 0, text, body: JSON.parse(text) as unknown })
        } catch (error) {
          reject(error as Error)
        }
      })
    })
    asked.end(body)
  })
}
