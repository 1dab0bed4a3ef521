import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import Agent from 'undici/lib/dispatcher/agent.js'

/**
 * Node's fetch without its own patience: it takes an answer, or a stream of events, that is silent for five minutes for a dead one. A
 * tool may work longer, and calls have time-outs of their own. Nothing waits for the sockets: the process may end with them open.
 */
export function createPatientFetch(): FetchLike {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return (url, init) => fetch(url, { ...init, dispatcher: dispatcher as unknown } as RequestInit)
}
