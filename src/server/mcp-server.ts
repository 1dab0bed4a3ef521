// The SDK's server, with our own requests behind it.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { RouterError } from '../errors/router-error.ts'
import { realClock, type Clock } from '../timing/clock.ts'
import { AnswerTracks } from './answer-tracks.ts'
import type { AnswerWatch, CallContext, Handlers } from './handlers.ts'
import { Handshake } from './handshake.ts'
import { ListChanged } from './list-changed.ts'
import { Progress } from './progress.ts'
import { MethodNotFound, routeRequest } from './route-request.ts'
import { JsonText } from '../answers/json-text.ts'
import type { RequestFrame } from './request-frame.ts'
import type { StdioTransport } from './stdio-transport.ts'
import type { ToClient } from './to-client.ts'

/** How one client is served over one transport. */
export interface McpServerOptions {
  serverInfo: { name: string; version: string }
  /** Requests that need them wait for them; `ping` and unknown methods do not. */
  handlers: Handlers | Promise<Handlers>
  transport: StdioTransport
  /** The maker keeps it and calls `owe()` for changes that no request caused. */
  listChanged?: ListChanged
  /** The maker keeps it, to ask the client on behalf of others. */
  toClient?: ToClient
  /** What becomes of the answers of operations. */
  answers?: AnswerWatch
  /** Faults that are not RouterErrors, for the log. */
  report?: (fault: unknown) => void
  clock?: Pick<Clock, 'after'>
}

/** People take their time to answer: whoever asks has a time-out of its own. */
const noTimeoutMs = 2 ** 31 - 1
/** The longest that requests wait for what `initialized` began. */
const barrierMs = 250

/** Makes the server and connects it: from then on requests are answered. */
export async function createMcpServer(options: McpServerOptions): Promise<Server> {
  const { transport, report = () => {} } = options
  const { clock = realClock } = options
  const listChanged = options.listChanged ?? new ListChanged()
  const ready = Promise.resolve(options.handlers)
  let handlers: Handlers | undefined
  // Whoever gave the promise hears of its rejection; the requests that wait for it are answered below.
  ready.then((made) => (handlers = made)).catch(() => {})
  const progress = new Map<number, Progress>()
  const tracks = options.answers && new AnswerTracks(options.answers)
  const handshake = new Handshake(() => {
    try {
      const probing = handlers?.initialized()
      if (probing !== undefined) transport.hold(Promise.resolve(probing), barrierMs)
    } catch (fault) {
      report(fault)
    }
  })

  // The SDK would build a schema compiler for elicitation, which nothing here asks for.
  const jsonSchemaValidator = {
    getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: '' }),
  }
  const server = new Server(options.serverInfo, { jsonSchemaValidator })
  server.removeRequestHandler('initialize')
  server.onerror = report
  server.fallbackRequestHandler = async (request, { signal }) => {
    const requestId = Number(request.id)
    const { frame } = request.params as unknown as { frame: RequestFrame }
    const call = contextOf(requestId, signal, frame)
    try {
      return (await routeRequest(request.method, frame, call, ready)) as Record<string, unknown>
    } catch (fault) {
      if (fault instanceof MethodNotFound) throw fault
      // A cancelled read ends with the signal's own reason; that is no fault, and the SDK sends no answer.
      if (!(fault instanceof RouterError) && fault !== signal.reason) report(fault)
      throw new WireFault(RouterError.from(fault))
    } finally {
      progress.get(requestId)?.stop()
      progress.delete(requestId)
      // The SDK sends or drops the answer in the microtasks that follow.
      setImmediate(() => transport.release(requestId))
    }
  }

  function contextOf(requestId: number, signal: AbortSignal, frame: RequestFrame): CallContext {
    if (frame.progressToken !== undefined) {
      const { progressToken: token } = frame
      const ticker = new Progress({
        token,
        clock,
        isOutputFull: () => transport.output.isFull,
        notify: (method, params) => transport.notify(method, params),
      })
      signal.addEventListener('abort', () => ticker.stop(), { once: true })
      progress.set(requestId, ticker)
    }
    const call: CallContext = {
      requestId,
      signal,
      progress: (message) => progress.get(requestId)?.say(message),
      ...(frame.progressToken !== undefined && { relayProgress: (told) => progress.get(requestId)?.relay(told) }),
      concerns: (handle) => tracks?.concerns(requestId, handle, signal.aborted),
      notifyListChangedAfterAnswer: () => listChanged.owe(call),
    }
    return call
  }

  listChanged.bind({
    mayNotify: () => handshake.isInitialized && !transport.hasInputEnded,
    isOpen: (requestId) => transport.isOpen(requestId),
    notify: (method) => transport.notify(method),
  })
  options.toClient?.bind({
    isThere: () => handshake.isInitialized && !transport.hasInputEnded,
    request: (method, params, signal) =>
      server.request({ method, params: { ...params } }, ResultSchema, { signal, timeout: noTimeoutMs }),
    isBehind: () => transport.output.isBehind,
    notify: (method, paramsJson) => transport.notify(method, paramsJson),
  })
  transport.onAnswered = (requestId, kind) => {
    tracks?.answered(requestId, kind)
    handshake.answered(requestId, kind)
    listChanged.answered(requestId)
  }
  transport.onWritten = (requestId, isWritten) => tracks?.written(requestId, isWritten)
  transport.onCancelled = (requestId) => tracks?.cancelled(requestId)
  transport.onRequest = () => options.answers?.wentOn()
  // The SDK keeps this callback and calls it first. Its own handlers would be some microtasks late for the barrier.
  transport.onmessage = (message) => {
    if (!('method' in message)) return
    if (!('id' in message)) {
      if (message.method === 'notifications/initialized') handshake.announce()
      if (message.method === 'notifications/roots/list_changed') handlers?.rootsChanged?.()
    } else if (message.method === 'initialize') handshake.begin(Number(message.id))
  }
  server.onclose = () => tracks?.closed()
  await server.connect(transport)
  return server
}

/** An error whose code, message and data the SDK sends as they are. */
class WireFault extends Error {
  readonly code: number
  readonly data: unknown

  constructor(error: RouterError) {
    const wire = error.toWire()
    super(wire.message)
    this.code = wire.code
    this.data = error.dataJson === undefined ? wire.data : new JsonText(error.dataJson)
  }
}
