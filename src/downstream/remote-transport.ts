import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createPatientFetch } from './patient-fetch.ts'
import type { ResultTexts } from './raw-result.ts'
import { watchFetch } from './watch-fetch.ts'

/** A server behind a URL. */
export interface RemoteEndpoint {
  url: URL
  transport: 'http' | 'sse'
  headers: Readonly<Record<string, string>>
}

/**
 * The SDK's transport for a remote server, with its configured headers on every request; `texts` gets its results' texts.
 * What the SDK overlooks is told as RequestNews, and the end of an SSE server's one stream closes the transport.
 */
export function createRemoteTransport({ url, transport, headers }: RemoteEndpoint, texts: ResultTexts): Transport {
  const watched: FetchLike = watchFetch(createPatientFetch(), {
    texts,
    tell: (news) => made.onerror?.(news),
    // The SDK would open another session and let everything that was asked in this one wait for ever.
    onStreamEnd: () => transport === 'sse' && void made.close(),
    onResumeRefused: () => void made.close(),
  })
  const options = { requestInit: { headers: { ...headers } }, fetch: watched }
  const made: Transport =
    transport === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  return made
}
