// This room is what is said on the wire, whatever carries it: requests in, answers out, the same on every edge.
import { JsonText, serializeAnswer } from '../answers/json-text.ts'
import { RouterError } from '../errors/router-error.ts'
import { member } from '../json/read.ts'
import type { Clock } from '../timing/clock.ts'
import { canBeAsked, CannotAsk, type AskClient } from './asking.ts'
import { Conversations } from './conversations.ts'
import type { CallContext, Handlers } from './handlers.ts'
import { Progress } from './progress.ts'
import type { Caller, ClientView, Core, CoreAnswer, CoreRequest } from './request.ts'
import { rankOf } from './modern.ts'
import { toModernResult, type CachingHint } from './modern-result.ts'
import { RequestStates } from './request-state.ts'
import { routeRequest, type RouteRooms } from './route-request.ts'
import { StreamPlaces } from './stream-places.ts'
import { WireError } from './wire-error.ts'

/** What answers requests, and who hears of faults. */
export interface CoreOptions {
  /** May be in the making: requests that need them wait for them, unknown methods do not. */
  handlers: Handlers | Promise<Handlers>
  serverInfo: { name: string; version: string }
  /** The answer to `server/discover`, which waits for no handlers. */
  discover(caller: Caller): object | Promise<object>
  /** What is held open is counted here, by every edge. */
  places?: StreamPlaces
  /** Replicas that share a key take each other's states; absent: a key of this process. */
  states?: RequestStates
  /** The request changed the catalog: whoever listens is told after its response. */
  onChangedBy?(call: CallContext): void
  /** Faults that are not RouterErrors, for the log. */
  report(fault: unknown): void
  clock: Pick<Clock, 'after' | 'nowMs'>
}

/** Puts the rules of the wire around the router. */
export function createCore(options: CoreOptions): Core {
  const ready = Promise.resolve(options.handlers)
  // Whoever gave the promise hears of its rejection; the requests that wait for it are answered below.
  ready.catch(() => {})
  const rooms: RouteRooms = {
    ready,
    discover: (caller) => options.discover(caller),
    places: options.places ?? new StreamPlaces(),
    questions: {
      conversations: new Conversations(options.clock),
      states: options.states ?? new RequestStates(() => options.clock.nowMs()),
    },
  }
  let lastId = 0

  return {
    end: () => rooms.questions.conversations.end(),
    nextRequestId: () => ++lastId,
    async answer(request) {
      const { signal } = request
      const progress = progressOf(request, options.clock)
      try {
        const call = contextOf(request, progress, options)
        const result = await routeRequest(request, call, rooms)
        return signal.aborted ? { kind: 'none' } : resultOf(result, request, options)
      } catch (fault) {
        if (signal.aborted && fault === signal.reason) return { kind: 'none' }
        if (!(fault instanceof RouterError) && !(fault instanceof WireError)) options.report(fault)
        return signal.aborted ? { kind: 'none' } : errorOf(fault, request.client)
      } finally {
        progress?.stop()
      }
    },
  }
}

function progressOf({ progressToken: token, port, signal }: CoreRequest, clock: CoreOptions['clock']) {
  if (token === undefined) return undefined
  const ticker = new Progress({
    token,
    clock,
    isOutputFull: () => port.isFull(),
    notify: (method, params) => port.notify(method, params),
  })
  signal.addEventListener('abort', () => ticker.stop(), { once: true })
  return ticker
}

function contextOf(
  { requestId, signal, cancelled, client, caller, port }: CoreRequest,
  progress: Progress | undefined,
  { onChangedBy }: CoreOptions,
): CallContext {
  const log = logOf(client, port)
  const call: CallContext = {
    requestId,
    signal,
    ...(cancelled !== undefined && { cancelled }),
    client,
    caller,
    progress: (message) => progress?.say(message),
    ...(progress !== undefined && { relayProgress: (told) => progress.relay(told) }),
    ...(log !== undefined && { log }),
    ...(port.ask && { ask: askerOf(client, port.ask) }),
    concerns: (handle) => port.concerns?.(handle),
    notifyListChangedAfterAnswer: () => onChangedBy?.(call),
  }
  return call
}

/** What becomes of a server's log in a call: undefined where the process has one client, which gets it whatever it calls. */
function logOf(client: ClientView, port: CoreRequest['port']): CallContext['log'] {
  const { era, logLevel } = client
  if (era === 'modern') return logLevel === undefined ? () => {} : logFrom(logLevel, port)
  if (port.takesLog === undefined) return undefined
  return port.takesLog ? logFrom(logLevel, port) : () => {}
}

/** Asks what the client said that it can be asked. */
const askerOf =
  (client: ClientView, ask: NonNullable<CoreRequest['port']['ask']>): AskClient =>
  (method, params, signal) =>
    canBeAsked(client, method, params) ? ask(method, params, signal) : Promise.reject(new CannotAsk())

/** Passes on messages from this level up. */
function logFrom(lowest: string | undefined, port: CoreRequest['port']): (params: object) => void {
  return (params) => {
    if (rankOf(member(params, 'level')) >= rankOf(lowest) && !port.isFull())
      port.notify('notifications/message', JSON.stringify(params))
  }
}

function resultOf(result: object, request: CoreRequest, { serverInfo }: CoreOptions): CoreAnswer {
  const { kind, json } = serializeAnswer({ result })
  if (kind === 'error') return errorOf(undefined, request.client)
  if (request.client.era === 'legacy') return { kind, json }
  return { kind, json: toModernResult(json, serverInfo, cachingOf(request, result)) }
}

/** For how long what each method answers may be used without asking again; a resource may change at any time. */
const cachingMs: Readonly<Record<string, number>> = {
  'server/discover': 60_000,
  'tools/list': 5000,
  'prompts/list': 5000,
  'resources/list': 5000,
  'resources/templates/list': 5000,
  'resources/read': 0,
}

function cachingOf({ method, params }: CoreRequest, result: object): CachingHint | undefined {
  const ttlMs = Object.hasOwn(cachingMs, method) ? cachingMs[method] : undefined
  if (ttlMs === undefined) return undefined
  const isRetry = member(params, 'inputResponses') !== undefined || member(params, 'requestState') !== undefined
  if (isRetry) return { ttlMs: 0, isFixed: true }
  return { ttlMs: result instanceof JsonText ? (result.ttlMs ?? ttlMs) : ttlMs }
}

/** What the modern era has no code for: a resource that is not there is a wrong parameter to it. */
const unknownResource = -32002

function errorOf(fault: unknown, { era }: CoreRequest['client']): CoreAnswer {
  if (fault instanceof WireError) {
    const { code, message, dataJson } = fault
    return { kind: 'error', code, message, ...(dataJson !== undefined && { dataJson }) }
  }
  const error = RouterError.from(fault)
  const { message, data, ...wire } = error.toWire()
  const code = era === 'modern' && wire.code === unknownResource ? -32602 : wire.code
  const dataJson = error.dataJson ?? (data === undefined ? undefined : JSON.stringify(data))
  return { kind: 'error', code, message, ...(dataJson !== undefined && { dataJson }) }
}
