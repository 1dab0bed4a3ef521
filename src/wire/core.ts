// This room is what is said on the wire, whatever carries it: requests in, answers out, the same on every edge.
import { serializeAnswer } from '../answers/json-text.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Clock } from '../timing/clock.ts'
import type { CallContext, Handlers } from './handlers.ts'
import { Progress } from './progress.ts'
import type { Core, CoreAnswer, CoreRequest } from './request.ts'
import { MethodNotFound, routeRequest } from './route-request.ts'

/** What answers requests, and who hears of faults. */
export interface CoreOptions {
  /** May be in the making: requests that need them wait for them, unknown methods do not. */
  handlers: Handlers | Promise<Handlers>
  /** The request changed the catalog: whoever listens is told after its response. */
  onChangedBy?(call: CallContext): void
  /** Faults that are not RouterErrors, for the log. */
  report(fault: unknown): void
  clock: Pick<Clock, 'after'>
}

/** Puts the rules of the wire around the router. */
export function createCore(options: CoreOptions): Core {
  const ready = Promise.resolve(options.handlers)
  // Whoever gave the promise hears of its rejection; the requests that wait for it are answered below.
  ready.catch(() => {})
  let lastId = 0

  return {
    nextRequestId: () => ++lastId,
    async answer(request) {
      const { signal } = request
      const progress = progressOf(request, options.clock)
      try {
        const call = contextOf(request, progress, options)
        const result = await routeRequest(request, call, ready)
        return signal.aborted ? { kind: 'none' } : resultOf(result)
      } catch (fault) {
        if (signal.aborted && fault === signal.reason) return { kind: 'none' }
        if (!(fault instanceof RouterError) && !(fault instanceof MethodNotFound)) options.report(fault)
        return signal.aborted ? { kind: 'none' } : errorOf(fault)
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
  { requestId, signal, client, caller, port }: CoreRequest,
  progress: Progress | undefined,
  { onChangedBy }: CoreOptions,
): CallContext {
  const call: CallContext = {
    requestId,
    signal,
    client,
    caller,
    progress: (message) => progress?.say(message),
    ...(progress !== undefined && { relayProgress: (told) => progress.relay(told) }),
    concerns: (handle) => port.concerns?.(handle),
    notifyListChangedAfterAnswer: () => onChangedBy?.(call),
  }
  return call
}

function resultOf(result: object): CoreAnswer {
  const { kind, json } = serializeAnswer({ result })
  return kind === 'result' ? { kind, json } : errorOf(undefined)
}

function errorOf(fault: unknown): CoreAnswer {
  if (fault instanceof MethodNotFound) return { kind: 'error', code: fault.code, message: fault.message }
  const error = RouterError.from(fault)
  const { code, message, data } = error.toWire()
  const dataJson = error.dataJson ?? (data === undefined ? undefined : JSON.stringify(data))
  return { kind: 'error', code, message, ...(dataJson !== undefined && { dataJson }) }
}
