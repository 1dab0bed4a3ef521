// One client on stdio and the core behind it.
import { realClock, type Clock } from '../timing/clock.ts'
import { createCore } from '../wire/core.ts'
import type { AnswerWatch, Handlers } from '../wire/handlers.ts'
import type { AnswerPort, Caller, ClientView } from '../wire/request.ts'
import { AnswerTracks } from './answer-tracks.ts'
import { Handshake } from './handshake.ts'
import { ListChanged } from './list-changed.ts'
import { OpenRequests } from './open-requests.ts'
import type { StdioTransport } from './stdio-transport.ts'
import type { ToClient } from './to-client.ts'

/** How one client is served over one transport. */
export interface McpServerOptions {
  serverInfo: { name: string; version: string }
  /** What the modern era is told of this server before anything else; waits for nothing. */
  discover?: (caller: Caller) => object | Promise<object>
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

/** The longest that requests wait for what `initialized` began. */
const barrierMs = 250

const unknownClient: ClientView = { era: 'legacy', revision: '', capabilities: {}, name: '' }

/** Connects the transport to the core: from then on requests are answered. */
export function connectServer(options: McpServerOptions): void {
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
  ending.addEventListener('abort', () => core.end(), { once: true })
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

  const portOf = (requestId: number, signal: AbortSignal): AnswerPort => ({
    notify: (method, params) => transport.notify(method, params),
    isFull: () => transport.output.isFull,
    concerns: (handle) => tracks?.concerns(requestId, handle, signal.aborted),
  })

  const open = new OpenRequests({ core, ending, portOf, answer: (...answered) => transport.answer(...answered) })
  transport.onBegin = (requestId, request, modern) => {
    if (request.method === 'initialize') handshake.begin(requestId)
    open.begin(requestId, request, modern ?? client())
  }
  transport.onAbort = (requestId, reason) => open.cancel(requestId, reason)
  transport.onNotification = (method) => {
    if (method === 'notifications/initialized') handshake.announce()
    if (method === 'notifications/roots/list_changed') handlers?.rootsChanged?.()
  }

  listChanged.bind({
    mayNotify: () => handshake.isInitialized && !transport.hasInputEnded,
    isOpen: (requestId) => transport.isOpen(requestId),
    notify: (method) => transport.notify(method),
  })
  options.toClient?.bind({
    isThere: () => handshake.isInitialized && !transport.hasInputEnded,
    request: (...asked) => transport.ask(...asked),
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
  const told = transport.onclose
  transport.onclose = () => {
    told?.()
    open.cancelAll()
    tracks?.closed()
  }
}
