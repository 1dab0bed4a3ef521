// What mounted servers may ask of our own client, and tell it.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  ElicitationCompleteNotificationSchema,
  ErrorCode,
  LoggingMessageNotificationSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { underName } from './named-request.ts'

/** Our client, as far as mounted servers reach it. */
export interface Upstream {
  /** What it can do, as it said in `initialize`; read at each connect. */
  capabilities(): Record<string, unknown>
  /** Asks it for a server; rejects with its error. */
  ask(method: string, params: object, signal: AbortSignal, server: string): Promise<object>
  /**
   * False when it should be told again later; what nobody can hear any more is dropped. `principal`: whose calls the server works on,
   * where there are such.
   */
  tell(method: string, params: object, server: string, principal?: string): boolean
  /** Tells it that a resource of a server has changed; absent: nobody wants to hear of it. */
  tellUpdated?(server: string, uri: string): void
}

/** Capabilities that are passed on, and the requests that each allows. */
const relayed = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** What we can do for a mounted server: what our own client can do for us, as far as it is passed on. */
export function relayedCapabilities({ capabilities }: Upstream): Record<string, object> {
  const theirs = capabilities()
  const found: Record<string, object> = {}
  for (const name of relayed.values()) {
    const value = Object.hasOwn(theirs, name) ? theirs[name] : undefined
    if (typeof value === 'object' && value !== null) found[name] = name === 'roots' ? rootsOf(value) : value
  }
  return found
}

/** Of roots only what is passed on: that they can be asked for, and that changes are announced. */
function rootsOf(roots: { listChanged?: unknown }): object {
  return roots.listChanged === true ? { listChanged: true } : {}
}

/** A code that JSON-RPC leaves to servers: nothing was wrong with the request. */
const serverBusy = -32000
/** So many questions of one server may be open at once. */
const mostQuestions = 32

/** Lets one server ask and tell; a person who is asked learns which server it is, where it has a label. */
export function relayUpwards(
  client: Client,
  { server, label, upstream }: { server: string; label: string | undefined; upstream: Upstream },
): void {
  let open = 0
  client.fallbackRequestHandler = async ({ method, params = {} }, { signal }) => {
    const capability = relayed.get(method)
    if (capability === undefined || !Object.hasOwn(relayedCapabilities(upstream), capability)) {
      throw new McpError(ErrorCode.MethodNotFound, 'Method not found')
    }
    if (open >= mostQuestions) throw new McpError(serverBusy, `more than ${mostQuestions} questions are open`)
    const { _meta, ...members } = params
    open++
    try {
      return (await upstream.ask(method, underName(label, method, members), signal, server)) as Record<string, unknown>
    } finally {
      open--
    }
  }
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const { _meta, logger, ...members } = params
    const names = [label, logger].filter((name) => name !== undefined)
    const shown = { ...members, ...(names.length > 0 && { logger: names.join('/') }) }
    upstream.tell('notifications/message', shown, server)
  })
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params: { elicitationId } }) => {
    upstream.tell('notifications/elicitation/complete', { elicitationId }, server)
  })
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    upstream.tellUpdated?.(server, params.uri),
  )
}
