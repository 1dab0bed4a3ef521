import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import Agent from 'undici/lib/dispatcher/agent.js'

/** The sockets of every remote server; nothing waits for them, and the process may end with them open. */
const dispatcher: unknown = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

/**
 * Node's fetch without its own patience: it takes an answer, or a stream of events, that is silent for five minutes for a dead one. A
 * tool may work longer, and calls have time-outs of their own.
 */
export const patientFetch: FetchLike = (url, init) => fetch(url, { ...init, dispatcher } as RequestInit)
