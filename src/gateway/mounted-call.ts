// One call of a mounted server's tool, sent at most once.
import type { Clock } from '../timing/clock.ts'
import type { MountedCall, Mounts } from '../downstream/mounts.ts'
import { RelayedError } from '../errors/relayed-error.ts'
import { identityMembers } from '../identity/call-identity.ts'
import type { Answer, Origin } from '../answers/answer.ts'
import type { FinishCall } from '../answers/finish.ts'
import type { CallSource } from '../calls/handle-call.ts'
import { isObject } from '../json/read.ts'
import { relayText } from '../answers/relay.ts'
import { sentSize, sizeOf, type RecordCall, type Via } from './record-call.ts'

/** A call in scope on its way. */
export interface MountedRequest {
  origin: Origin
  args: Record<string, unknown>
  /** The caller's `_meta`, whatever it is. */
  meta: unknown
  source: Pick<CallSource, 'signal' | 'relayProgress'>
  /** Ends the waiting; absent: no limit of ours. */
  timeoutMs?: number
  via: Via
}

/** How it ended. */
export type MountedOutcome =
  | { kind: 'answer'; answer: Answer }
  /** The server's own JSON-RPC error. */
  | { kind: 'error'; error: RelayedError }
  /** There is no answer; `isUnknown` when it may have been carried out all the same. */
  | { kind: 'failed'; message: string; isUnknown: boolean }

/** What calling needs. */
export interface MountedCallOptions {
  mounts: Mounts
  connectTimeoutMs: number
  finish: FinishCall
  record: RecordCall
  clock: Pick<Clock, 'monotonicMs'>
}

export function createMountedCall(options: MountedCallOptions): (request: MountedRequest) => Promise<MountedOutcome> {
  const { mounts, finish, record, clock } = options
  return async ({ origin, args, meta, source, timeoutMs, via }) => {
    const startedMs = clock.monotonicMs()
    const outcome = await mounts.call(origin.server, origin.tool, args, {
      signal: source.signal,
      timeoutMs,
      meta: foreignMeta(meta),
      onProgress: source.relayProgress,
    })
    const note = (errorClass: string | null, receivedBytes = 0, sentBytes = 0) =>
      record({
        origin,
        via,
        durationMs: clock.monotonicMs() - startedMs,
        errorClass,
        argumentBytes: sizeOf(args),
        receivedBytes,
        sentBytes,
      })
    if (outcome.kind === 'result') {
      const result = relayText(outcome.json, outcome.value)
      const answer = await finish(origin, result)
      note(result.isError ? 'tool_error' : null, Buffer.byteLength(outcome.json), sentSize(answer))
      return { kind: 'answer', answer }
    }
    if (outcome.kind === 'error') {
      note(`json_rpc ${outcome.code}`)
      return { kind: 'error', error: new RelayedError(outcome) }
    }
    // What never left is no call of the server.
    if (outcome.kind === 'unknown') note(`outcome_unknown ${outcome.why}`)
    if (outcome.kind === 'not_sent') note('not_sent')
    const message = `call ${origin.namespaced}: ${causeOf(outcome, options, origin)}`
    return { kind: 'failed', message, isUnknown: outcome.kind === 'unknown' }
  }
}

type Failure = Exclude<MountedCall, { kind: 'result' } | { kind: 'error' }>

function causeOf(failure: Failure, { mounts, connectTimeoutMs }: MountedCallOptions, { server }: Origin): string {
  switch (failure.kind) {
    case 'unknown_server':
      return `unknown server "${server}". list_servers names those in scope.`
    case 'disabled':
      return `server "${server}" is disabled in the configuration.`
    case 'connecting':
      if (mounts.isStopping) return shuttingDown
      return (
        `server "${server}" is still connecting (its connect_timeout is ${connectTimeoutMs / 1000} s); nothing was sent. ` +
        'Try again shortly.'
      )
    case 'disconnected':
      if (mounts.isStopping) return shuttingDown
      return `server "${server}" is not connected: ${failure.error}. Nothing was sent; it is being reconnected, and list_servers tells when it is back.`
    case 'unknown_tool':
      return `tool not found on server "${server}". search_tools finds its tools.`
    case 'not_sent':
      return `${unsentWords[failure.why]} Nothing was sent to server "${server}"; you can call again.`
    case 'unknown':
      return `outcome unknown: ${unknownWords[failure.why]} The call may have been carried out; it was not retried. ${
        failure.why === 'connection_lost' ? afterLoss(mounts.isStopping) : 'The connection is kept.'
      } Look at what the server did before you call again.`
  }
}

const shuttingDown = 'the gateway is shutting down; nothing was sent.'

const unsentWords = {
  cancelled: 'the caller cancelled the call before it began.',
  timed_out: 'the time for the call ran out before it began.',
  connection_lost: 'the connection to the server was lost before the call; it is being reconnected.',
}

const unknownWords = {
  cancelled: 'the caller cancelled the call while it ran.',
  timed_out: 'the time for the call ran out.',
  connection_lost: 'the connection to the server was lost before its answer.',
}

function afterLoss(isStopping: boolean): string {
  return isStopping
    ? 'The gateway is shutting down, so no reconnect was attempted.'
    : 'The connection is restored in the background for future calls.'
}

/** Everything but the trusted identity, which never leaves us. */
function foreignMeta(meta: unknown): Record<string, unknown> | undefined {
  if (!isObject(meta)) return undefined
  const kept = Object.entries(meta).filter(([name]) => !(identityMembers as readonly string[]).includes(name))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
