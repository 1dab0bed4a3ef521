// Serves MCP on two streams, from the first byte to the last answer.
import { setMaxListeners } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { realClock, type Clock } from '../timing/clock.ts'
import type { AnswerWatch, Handlers } from '../wire/handlers.ts'
import type { Caller, ClientView } from '../wire/request.ts'
import type { ListChanged } from './list-changed.ts'
import { connectServer } from './mcp-server.ts'
import { StdioTransport, type InputEnd } from './stdio-transport.ts'
import type { ToClient } from './to-client.ts'

/**
 * Why serving ended. A client that goes away is `end_of_input` or `broken_pipe`, whichever is noticed first. `unread`: nobody took the
 * last answers, and their writing keeps the process alive until it exits.
 */
export type CloseReason = Exclude<InputEnd, 'stopped'> | 'signal' | 'parent_gone' | 'unread'

/** The part of `process` that signals come from. */
export interface SignalSource {
  on(signal: EndSignal, listener: () => void): unknown
  off(signal: EndSignal, listener: () => void): unknown
}

/** Asked to end, interrupted, or left by the terminal. */
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type EndSignal = (typeof endSignals)[number]

/** One session: its streams and handlers, and who hears of its end. */
export interface ServeStdioOptions {
  streams: { stdin: Readable; stdout: Writable }
  /** May be in the making: `initialize` and the tools wait for it, `ping` and unknown methods do not. */
  handlers: Handlers | Promise<Handlers>
  serverInfo: { name: string; version: string }
  /** What the modern era is told of this server before anything else; waits for nothing. */
  discover?: (caller: Caller) => object | Promise<object>
  signals: SignalSource
  /** Who started us; another one means that nobody did who is still there, whoever holds our input open. */
  parentId?: () => number
  /** The longest that calls in flight may take after the end of input or a signal. */
  graceMs?: number
  /** Called when a signal follows the end of input: whoever sends it will not wait as long as calls in flight may take. */
  onHurried?: () => void
  /** Called at the second signal. */
  exitNow: () => void
  /** Called once, when nothing new comes in any more and before calls in flight are waited for. */
  onClosed?: (reason: CloseReason) => void
  /** Ends what was begun, after the calls in flight and while signals still count. Called once, whatever happened. */
  teardown?: () => Promise<void>
  /** What the client has said of itself by now. */
  client?: () => ClientView
  /** Kept by the caller, to announce changes that no request caused. */
  listChanged?: ListChanged
  /** Kept by the caller, to ask the client on behalf of mounted servers. */
  toClient?: ToClient
  /** What becomes of the answers of operations. */
  answers?: AnswerWatch
  /** Faults that are not RouterErrors, for the log. */
  report?: (fault: unknown) => void
  clock?: Pick<Clock, 'after' | 'every' | 'nowMs'>
}

/** How long calls in flight may take to record their outcome when nobody can read their answers. */
const lostClientGraceMs = 2000
/** So often it is looked whether the parent is there, and whether answers are taken. */
const lookMs = 1000
/** Who has taken nothing for so many looks after the end of input does not read. */
const unreadLooks = 2

/**
 * Serves until the input ends, a signal comes or the pipe breaks, then finishes what is in flight and every complete line
 * read before, within the grace period. Never exits the process. Rejects, with nothing more written, when the handlers
 * reject while it serves.
 */
export async function serveStdio(options: ServeStdioOptions): Promise<{ reason: CloseReason }> {
  const { signals, parentId, graceMs = 10_000, clock = realClock } = options
  let stopReason: CloseReason = 'signal'
  // Before anything is loaded, so that no byte is late.
  const transport = new StdioTransport(options.streams, { clock })
  const ending = new AbortController()
  // Every subscription listens to it.
  setMaxListeners(0, ending.signal)
  const inputEnded = new Promise<CloseReason>((resolve) => {
    transport.onInputEnd = (end) => {
      const reason = end === 'stopped' ? stopReason : end
      ending.abort()
      options.onClosed?.(reason)
      resolve(reason)
    }
  })
  const clientLost = new Promise<void>((resolve) => {
    transport.onclose = resolve
  })
  let signalCount = 0
  const onSignal = () => {
    signalCount++
    if (signalCount > 1) options.exitNow()
    else if (transport.hasInputEnded) options.onHurried?.()
    else transport.stopReading()
  }
  for (const signal of endSignals) signals.on(signal, onSignal)
  const timers: (() => void)[] = []
  if (parentId !== undefined) {
    const parent = parentId()
    const look = () => {
      if (parentId() === parent) return
      stopReason = 'parent_gone'
      transport.stopReading()
    }
    timers.push(clock.every(lookMs, look))
  }
  let isOver = false
  // The lost client's pause may be asked for when everything is over: it must not keep the process alive.
  const pause = (ms: number) => new Promise<void>((resolve) => isOver || timers.push(clock.after(ms, resolve)))
  const failure = whenFailed(options, transport, ending.signal)
  try {
    const reason = await Promise.race([inputEnded, failure])
    let isUnread = false
    const unread = new Promise<void>((resolve) => {
      const tellUnread = () => resolve(void (isUnread = true))
      timers.push(clock.every(lookMs, lookAtOutput(transport, tellUnread)))
    })
    const lost = Promise.race([clientLost, unread]).then(() => pause(lostClientGraceMs))
    await Promise.race([transport.idle(), pause(graceMs), lost, failure])
    return { reason: isUnread ? 'unread' : reason }
  } finally {
    isOver = true
    for (const cancel of timers) cancel()
    transport.close()
    await options.teardown?.()
    for (const signal of endSignals) signals.off(signal, onSignal)
  }
}

/** What to do at each look after the end of input; calls back when the client has taken nothing for some looks. */
function lookAtOutput(transport: StdioTransport, tellUnread: () => void): () => void {
  let taken: number | undefined
  let looks = 0
  return () => {
    const { isFlushed, taken: count } = transport.output
    const now = isFlushed ? undefined : count
    looks = now !== undefined && now === taken ? looks + 1 : 0
    taken = now
    if (looks === unreadLooks) tellUnread()
  }
}

/** Starts the server. The promise rejects if that or the making of the handlers fails, and never resolves. */
function whenFailed(options: ServeStdioOptions, transport: StdioTransport, ending: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (error: unknown) => {
      // In this order, so that what closing sets off cannot pass for an orderly end.
      reject(error)
      transport.onInputEnd = undefined
      transport.close()
    }
    const handlers = Promise.resolve(options.handlers)
    // First of all who wait for the handlers, so that no request is answered by a router that never began.
    handlers.catch(fail)
    connectServer({ ...options, handlers, transport, ending })
  })
}
