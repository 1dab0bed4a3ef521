// What changes without anybody having asked, gathered for whoever listens; for serve-router.ts.
import { createHash } from 'node:crypto'
import type { ContractSurface } from './calls/contract-surface.ts'
import { callableBy } from './calls/rights.ts'
import { member } from './json/read.ts'
import type { ServedGateway } from './serve-gateway.ts'
import { realClock as clock } from './timing/clock.ts'
import type { CallContext, Handlers } from './wire/handlers.ts'
import { NewsHub } from './wire/news-hub.ts'
import { localCaller, type Caller } from './wire/request.ts'

/** The hub of one router: its lists, and the resources of its mounted servers. */
export function createNews(
  contract: Pick<ContractSurface, 'list'>,
  gateway: ServedGateway | undefined,
  other: NonNullable<Handlers['other']>,
): NewsHub {
  const [subscribe, unsubscribe] = [other['resources/subscribe'], other['resources/unsubscribe']]
  return new NewsHub({
    digests: (caller) => gateway?.digests(caller) ?? { tools: digestOf(callableBy(caller, contract.list(caller))) },
    ...(subscribe && { subscribe: (uri, caller, signal) => subscribe({ uri }, unasked(caller, signal)) }),
    ...(unsubscribe && {
      unsubscribe: (uri) => unsubscribe({ uri }, unasked(localCaller, new AbortController().signal)),
    }),
    sees: (caller, server) => gateway?.seesServer(caller, server) === true,
    clock,
  })
}

/** Tells those who listen: of a changed resource, or what a server logs. False for anything else, and when nobody does. */
export function tellOf(
  hub: NewsHub | undefined,
  {
    method,
    params,
    server,
    principal,
  }: { method: string; params: object; server: string; principal?: string | undefined },
): boolean {
  if (method === 'notifications/message') return hub?.logged({ server, params, principal }) === true
  const uri = member(params, 'uri')
  return method === 'notifications/resources/updated' && typeof uri === 'string' && hub?.updated(uri) === true
}

const digestOf = (tools: readonly object[]) => createHash('sha256').update(JSON.stringify(tools)).digest('base64')

/** The watching is shared, so it is nobody's request. */
const unasked = (caller: Caller, signal: AbortSignal): CallContext => ({
  requestId: 0,
  signal,
  client: { era: 'modern', revision: '', capabilities: {}, name: '' },
  caller,
  progress: () => {},
  concerns: () => {},
  notifyListChangedAfterAnswer: () => {},
})
