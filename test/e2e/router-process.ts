// The built bin as a client sees it: bytes in, lines out, a stderr and an exit.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** One JSON-RPC message of the router. */
export interface Message {
  id?: unknown
  method?: string
  params?: unknown
  result?: {
    content?: { type: string; text: string }[]
    structuredContent?: unknown
    isError?: boolean
    tools?: { name: string }[]
  }
  error?: { code: number; message: string; data?: { code: string; violations?: unknown } }
}

/** A started router. */
export interface RouterProcess extends Disposable {
  readonly child: ChildProcess
  readonly stdin: Writable
  readonly stdout: Readable
  /** Every line of stdout so far, parsed. */
  readonly messages: Message[]
  /** The same as it was written. */
  readonly lines: string[]
  readonly stderr: string
  /** Begins to read stderr, when it was started without anybody who does. */
  readStderr(): void
  /** Writes a line as it is. */
  sendLine(line: string): void
  /** Sends a request under an id of its own and gives the answer. */
  request(method: string, params?: unknown): Promise<Message>
  /** Sends a request whose params are this text. */
  requestRaw(method: string, rawParams: string): Promise<Message>
  callTool(name: string, args?: object, meta?: object): Promise<Message>
  /** The answer to the request with this id, when it comes. */
  answerTo(id: unknown): Promise<Message>
  /** Exit code and signal. */
  readonly exit: Promise<[code: number | null, signal: string | null]>
  /** Ends the input and waits for the exit. */
  end(): Promise<[code: number | null, signal: string | null]>
}

/** Starts the bin: `using router = startRouter(bin, env)`. It is killed when its scope ends. */
export function startRouter(
  bin: string,
  env: Record<string, string>,
  args: string[] = [],
  { readsStderr = true } = {},
): RouterProcess {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: 'pipe' })
  const messages: Message[] = []
  const lines: string[] = []
  const waiting = new Map<string, (message: Message) => void>()
  let stderr = ''
  let rest = Buffer.alloc(0)
  const readStderr = () => void child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString('utf8')))
  if (readsStderr) readStderr()
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end).toString('utf8')
      const message = JSON.parse(line) as Message
      rest = rest.subarray(end + 1)
      messages.push(message)
      lines.push(line)
      const key = JSON.stringify(message.id)
      waiting.get(key)?.(message)
      waiting.delete(key)
    }
  })
  child.stdin.on('error', () => {})
  const exit = once(child, 'close') as Promise<[number | null, string | null]>
  let lastId = 0
  const router: RouterProcess = {
    child,
    stdin: child.stdin,
    stdout: child.stdout,
    messages,
    lines,
    get stderr() {
      return stderr
    },
    readStderr,
    exit,
    sendLine: (line) => void child.stdin.write(`${line}\n`),
    answerTo: (id) => {
      const there = messages.find((message) => message.id === id && message.method === undefined)
      return there ? Promise.resolve(there) : new Promise((resolve) => waiting.set(JSON.stringify(id), resolve))
    },
    request: (method, params) => router.requestRaw(method, JSON.stringify(params) ?? 'null'),
    requestRaw: (method, rawParams) => {
      const id = `e2e-${++lastId}`
      const answer = router.answerTo(id)
      router.sendLine(`{"jsonrpc":"2.0","id":"${id}","method":"${method}","params":${rawParams}}`)
      return answer
    },
    callTool: (name, args = {}, meta) =>
      router.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) }),
    end: () => {
      child.stdin.end()
      return exit
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
  return router
}

/** A promise that a test keeps. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** A spend that the stub Hubu allows. */
export const spendArguments = { account_id: 'aga_yf2v3sx9tb26', amount_cents: 25, reason: 'a picture' }
