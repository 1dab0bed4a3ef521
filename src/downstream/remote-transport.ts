import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Clock } from '../timing/clock.ts'
import { modernFetch, type MirroredOf } from './modern-fetch.ts'
import type { LastAnswer } from './reasons/network.ts'
import type { ResultTexts } from './raw-result.ts'
import { watchFetch } from './watch-fetch.ts'

/** A server behind a URL. */
export interface RemoteEndpoint {
  url: URL
  transport: 'http' | 'sse'
  headers: Readonly<Record<string, string>>
  /** With which every request is made. */
  fetch: FetchLike
}

/** A server that does not let go of a session keeps nobody waiting, least of all our own end. */
const sessionEndMs = 500

/**
 * The SDK's transport for a remote server, with its configured headers on every request; `texts` gets its results' texts.
 * What the SDK overlooks is told as RequestNews, and the end of an SSE server's one stream closes the transport. Closing tells a
 * Streamable HTTP server that its session is over.
 */
export function createRemoteTransport(
  { url, transport, headers, fetch }: RemoteEndpoint,
  texts: ResultTexts,
  clock: Pick<Clock, 'after' | 'sleep' | 'monotonicMs'>,
  onAnswer: (answer: LastAnswer) => void,
): Transport {
  const watched: FetchLike = watchFetch(fetch, {
    texts,
    clock,
    onAnswer,
    tell: (news) => made.onerror?.(news),
    // The SDK would open another session and let everything that was asked in this one wait for ever.
    onStreamEnd: () => transport === 'sse' && void made.close(),
    onResumeRefused: () => void made.close(),
  })
  const options = { requestInit: { headers: { ...headers } }, fetch: watched }
  const made: Transport =
    transport === 'sse' ? new SSEClientTransport(url, options) : endingItsSession(url, options, clock)
  return made
}

/** The same for a server of the modern era, which has no sessions: `mirroredOf` gives what calls repeat in headers. */
export function createModernTransport(
  { url, headers, fetch }: Omit<RemoteEndpoint, 'transport'>,
  mirroredOf: MirroredOf,
  texts: ResultTexts,
  clock: Pick<Clock, 'sleep' | 'monotonicMs'>,
  onAnswer: (answer: LastAnswer) => void,
): Transport {
  const watched = watchFetch(modernFetch(fetch, mirroredOf), {
    ...{ texts, clock, onAnswer },
    tell: (news) => made.onerror?.(news),
    onStreamEnd: () => {},
    onResumeRefused: () => {},
  })
  const made: Transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: watched,
    // A stream that ends without its answer is not asked for again.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  })
  return made
}

function endingItsSession(
  url: URL,
  options: StreamableHTTPClientTransportOptions,
  clock: Pick<Clock, 'after'>,
): Transport {
  const transport = new StreamableHTTPClientTransport(url, options)
  const close = transport.close.bind(transport)
  let ended: Promise<void> | undefined
  const end = () =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(sessionEndMs, resolve)
      void transport
        .terminateSession()
        .catch(() => {})
        .then(cancel)
        .then(resolve)
    })
  transport.close = async () => {
    await (ended ??= end())
    await close()
  }
  return transport
}
