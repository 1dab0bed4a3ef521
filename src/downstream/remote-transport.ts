import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { keepText, memberText } from './raw-result.ts'

/** A server behind a URL. */
export interface RemoteEndpoint {
  url: URL
  transport: 'http' | 'sse'
  headers: Readonly<Record<string, string>>
}

/** The SDK's transport for a remote server, with its configured headers on every request. */
export function createRemoteTransport({ url, transport, headers }: RemoteEndpoint): Transport {
  const requestInit = { headers: { ...headers } }
  if (transport === 'sse') return new SSEClientTransport(url, { requestInit })
  return new StreamableHTTPClientTransport(url, { requestInit, fetch: keepingTexts(fetch) })
}

/** A fetch whose JSON answers keep the exact text of their `result`. */
export function keepingTexts(base: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await base(url, init)
    const json = async (): Promise<unknown> => {
      const text = await response.text()
      const value = JSON.parse(text) as { result?: unknown }
      if (typeof value === 'object' && value?.result !== undefined) {
        keepText(value.result, memberText(text, 'result') ?? JSON.stringify(value.result))
      }
      return value
    }
    return new Proxy(response, {
      get: (target, name) => {
        if (name === 'json') return json
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? (member as () => unknown).bind(target) : member
      },
    })
  }
}
