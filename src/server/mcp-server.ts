// The SDK's server, with our own core behind it.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { JsonText } from '../answers/json-text.ts'
import { realClock, type Clock } from '../timing/clock.ts'
import { createCore } from '../wire/core.ts'
import type { AnswerWatch, Handlers } from '../wire/handlers.ts'
import { localCaller, type AnswerPort, type ClientView, type CoreAnswer } from '../wire/request.ts'
import { AnswerTracks } from './answer-tracks.ts'
import { Handshake } from './handshake.ts'
import { ListChanged } from './list-changed.ts'
import { ModernRequests } from './modern-requests.ts'
import type { RequestFrame } from './request-frame.ts'
import type { StdioTransport } from './stdio-transport.ts'
import type { ToClient } from './to-client.ts'

/** How one client is served over one transport. */
export interface McpServerOptions {
  serverInfo: { name: string; version: string }
  /** What the modern era is told of this server before anything else; waits for nothing. */
  discover?: () => object | Promise<object>
  /** The input has ended: what is held open is answered. */
  ending?: AbortSignal
  /** Requests that need them wait for them; `ping` and unknown methods do not. */
  handlers: Handlers | Promise<Handlers>
  transport: StdioTransport
  /** What the client has said of itself by now. */
  client?: () => ClientView
  /** The maker keeps it and calls `owe()` for changes that no request caused. */
  listChanged?: ListChanged
  /** The maker keeps it, to ask the client on behalf of others. */
  toClient?: ToClient
  /** What becomes of the answers of operations. */
  answers?: AnswerWatch
  /** Faults that are not RouterErrors, for the log. */
  report?: (fault: unknown) => void
  clock?: Pick<Clock, 'after' | 'nowMs'>
}

/** People take their time to answer: whoever asks has a time-out of its own. */
const noTimeoutMs = 2 ** 31 - 1
/** The longest that requests wait for what `initialized` began. */
const barrierMs = 250

const unknownClient: ClientView = { era: 'legacy', revision: '', capabilities: {}, name: '' }

/** Makes the server and connects it: from then on requests are answered. */
export async function createMcpServer(options: McpServerOptions): Promise<Server> {
  const { transport, report = () => {}, client = () => unknownClient } = options
  const { clock = realClock } = options
  const listChanged = options.listChanged ?? new ListChanged()
  const ready = Promise.resolve(options.handlers)
  const { serverInfo, discover = () => ({}), ending = new AbortController().signal } = options
  const core = createCore({
    handlers: ready,
    serverInfo,
    discover,
    onChangedBy: (call) => listChanged.owe(call),
    report,
    clock,
  })
  let handlers: Handlers | undefined
  ready.then((made) => (handlers = made)).catch(() => {})
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
    const { method } = request
    try {
      const port = portOf(requestId, signal)
      return asSdkAnswer(
        await core.answer({ ...frame, requestId, method, caller: localCaller, client: client(), signal, port }),
      )
    } finally {
      // The SDK sends or drops the answer in the microtasks that follow.
      setImmediate(() => transport.release(requestId))
    }
  }

  const portOf = (requestId: number, signal: AbortSignal): AnswerPort => ({
    notify: (method, params) => transport.notify(method, params),
    isFull: () => transport.output.isFull,
    concerns: (handle) => tracks?.concerns(requestId, handle, signal.aborted),
  })

  const modern = new ModernRequests({
    core,
    ending,
    portOf,
    answer: (requestId, answer) => transport.answer(requestId, answer),
  })
  transport.onModern = (requestId, request, client) => modern.begin(requestId, request, client)
  transport.onAbort = (requestId) => modern.cancel(requestId)

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
  server.onclose = () => {
    modern.cancelAll()
    tracks?.closed()
  }
  await server.connect(transport)
  return server
}

/** What the SDK passes on as it is; what nobody waits for it drops. */
function asSdkAnswer(answer: CoreAnswer): Record<string, unknown> {
  if (answer.kind === 'error') throw new WireFault(answer)
  return (answer.kind === 'result' ? new JsonText(answer.json) : {}) as unknown as Record<string, unknown>
}

/** An error whose code, message and data the SDK sends as they are. */
class WireFault extends Error {
  readonly code: number
  readonly data: JsonText | undefined

  constructor({ code, message, dataJson }: CoreAnswer & { kind: 'error' }) {
    super(message)
    this.code = code
    this.data = dataJson === undefined ? undefined : new JsonText(dataJson)
  }
}
