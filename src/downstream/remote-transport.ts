import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { TransformStream, type Transformer, type TransformStreamDefaultController } from 'node:stream/web'
import { EventReader } from './event-reader.ts'
import { memberText, type ResultTexts } from './raw-result.ts'

/** A server behind a URL. */
export interface RemoteEndpoint {
  url: URL
  transport: 'http' | 'sse'
  headers: Readonly<Record<string, string>>
}

/** The SDK's transport for a remote server, with its configured headers on every request; `texts` gets its results' texts. */
export function createRemoteTransport({ url, transport, headers }: RemoteEndpoint, texts: ResultTexts): Transport {
  const options = { requestInit: { headers: { ...headers } }, fetch: keepingTexts(fetch, texts) }
  return transport === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
}

/** A fetch that notes the exact text of every `result` in its answers, before anybody sees them parsed. */
export function keepingTexts(base: FetchLike, texts: ResultTexts): FetchLike {
  const note = (text: string) => keepResult(text, texts)
  return async (url, init) => {
    const response = await base(url, init)
    if (response.body === null) return response
    const type = response.headers.get('content-type') ?? ''
    const reader = type.includes('text/event-stream') ? new EventReader(note) : new WholeReader(note)
    return replaceBody(response, response.body.pipeThrough(new TransformStream(reader)))
  }
}

/** The same response with another body; a new one would lose its address. */
function replaceBody(response: Response, body: ReadableStream): Response {
  const replaced = new Response(body, response)
  Object.defineProperty(replaced, 'url', { value: response.url })
  return replaced
}

/** Passes a whole JSON body on, and gives its text at its end. */
class WholeReader implements Transformer<Uint8Array, Uint8Array> {
  readonly #decoder = new TextDecoder()
  readonly #note: (text: string) => void
  #parts: string[] = []

  constructor(note: (text: string) => void) {
    this.#note = note
  }

  transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
    this.#parts.push(this.#decoder.decode(chunk, { stream: true }))
    controller.enqueue(chunk)
  }

  flush(): void {
    this.#note(this.#parts.join('') + this.#decoder.decode())
    this.#parts = []
  }
}

/** One message or a batch; anything else is left to whoever parses it. */
function keepResult(text: string, texts: ResultTexts): void {
  try {
    const value = JSON.parse(text) as { id?: unknown; result?: unknown } | null
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value.result === undefined) return
    const result = memberText(text, 'result')
    if (result !== undefined) texts.keep(value.id, result)
  } catch {
    // No JSON: the transport tells.
  }
}
