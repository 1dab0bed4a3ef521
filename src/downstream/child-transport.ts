import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Child } from './child-process.ts'
import { LineBuffer } from './line-buffer.ts'
import type { ResultTexts } from './raw-result.ts'
import { withOurId } from './tapped-transport.ts'

/** So many lines that are no message are skipped before the connection counts as broken. */
const junkLimit = 1000

/**
 * MCP over a child's stdio. Lines that are no message (a banner, a stack trace) are skipped and counted; the exact text of
 * results is kept. The end of the process closes the transport at once.
 */
export class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #child: Child
  readonly #texts: ResultTexts
  readonly #onJunk: (count: number) => void
  readonly #lines = new LineBuffer()
  #junk = 0
  #isClosed = false

  constructor(child: Child, texts: ResultTexts, onJunk: (count: number) => void = () => {}) {
    this.#child = child
    this.#texts = texts
    this.#onJunk = onJunk
  }

  start(): Promise<void> {
    this.#child.process.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#child.process.stdout.on('close', () => this.#closed())
    void this.#child.ended.then(() => this.#closed())
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child.process
      if (this.#isClosed || !stdin.writable) return reject(new Error('the server is gone'))
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  async close(): Promise<void> {
    this.#closed()
    await this.#child.stop()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#line(line)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#break('a frame is too long')
    }
  }

  #line(line: string): void {
    if (line.trim() === '' || this.#isClosed) return
    const parsed = parseMessage(line)
    const message = parsed && withOurId(parsed)
    if (message === undefined) {
      this.#onJunk(++this.#junk)
      if (this.#junk > junkLimit) this.#break('it writes no messages')
      return
    }
    this.#texts.keepAnswer(line, message)
    this.onmessage?.(message)
  }

  #break(reason: string): void {
    this.onerror?.(new Error(reason))
    this.#closed()
    void this.#child.stop()
  }
}

/** A JSON-RPC message, or undefined for a line that is none. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value = JSON.parse(line) as { jsonrpc?: unknown; method?: unknown; id?: unknown } | null
    if (typeof value !== 'object' || value === null || value.jsonrpc !== '2.0') return undefined
    return typeof value.method === 'string' || value.id !== undefined ? (value as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
