// One call of a mounted server's tool, sent at most once.
import { errorAnswer, type Answer, type Origin } from '../answers/answer.ts'
import { readerOf, readsStructured, type FinishCall } from '../answers/finish.ts'
import { relayAsText, relayText } from '../answers/relay.ts'
import type { MountedCall, Mounts } from '../downstream/mounts.ts'
import type { AnsweredCall } from '../downstream/outcome.ts'
import { isLost } from '../downstream/outcome.ts'
import { heldReason } from '../downstream/tool-review.ts'
import { RelayedError } from '../errors/relayed-error.ts'
import { trustedMembers } from '../identity/call-identity.ts'
import { isObject } from '../json/read.ts'
import { endOf, type CallsUnderWay, type MountedSource } from './calls-under-way.ts'
import { addressesIn, pagesIn, type GivenAddresses } from './given-addresses.ts'
import { toldOfClient, withAnswers } from './rounds.ts'
import type { MountedTarget } from './targets.ts'
import type { Via } from '../stats/record.ts'

/** A call in scope on its way. */
export interface MountedRequest {
  target: MountedTarget
  args: Record<string, unknown>
  /** The caller's `_meta`, whatever it is. */
  meta: unknown
  source: MountedSource
  /** Ends the waiting; absent: no limit of ours. */
  timeoutMs?: number
  via: Via
}

/** How it ended. */
export type MountedOutcome =
  | { kind: 'answer'; answer: Answer; isError: boolean; receivedBytes: number }
  /** The server's own JSON-RPC error. */
  | { kind: 'error'; error: RelayedError }
  /** There is no answer. */
  | { kind: 'failed'; failure: Failure; message: string }

/** Calls a mounted server's tool. Never rejects. */
export type CallMounted = (request: MountedRequest) => Promise<MountedOutcome>

/** The servers, and what their answers and failures are told with. */
export interface MountedCallOptions {
  mounts: Mounts
  finish: FinishCall
  /** Learns the addresses that servers give in their answers. */
  given: GivenAddresses
  underWay: CallsUnderWay
}

export function createMountedCall(options: MountedCallOptions): CallMounted {
  const { mounts, finish, given } = options
  return async ({ target: { origin, tool }, args, meta, source, timeoutMs }) => {
    const ask = options.underWay.askerOf(source, origin.server)
    // One limit for everything that belongs to the call: each sending, and the questions between.
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const how = {
      signal: endOf(source),
      ...(limit && { limit }),
      meta: foreignMeta(meta, source),
      onProgress: source.relayProgress,
      client: toldOfClient(source, ask),
    }
    const send = (retry: AnsweredCall | undefined) =>
      tool === undefined
        ? mounts.call(origin.server, origin.tool, args, { ...how, ...(retry && { retry }) })
        : mounts.callTool(tool, args, { ...how, ...(retry && { retry }) })
    const outcome = await options.underWay.during(origin.server, source, () =>
      withAnswers(send, { label: mounts.labelOf(origin.server), ask, source, signals: [endOf(source), limit] }),
    )
    if (outcome.kind === 'asked_in_vain') {
      const answer = errorAnswer(
        `call ${origin.namespaced}: ${outcome.why}; ${outcome.isIncapable ? 'it was not carried out' : 'it may have begun the work'}.`,
      )
      return { kind: 'answer', answer, isError: true, receivedBytes: 0 }
    }
    if (outcome.kind === 'error') return { kind: 'error', error: new RelayedError(outcome) }
    if (outcome.kind !== 'result') {
      const message = `call ${origin.namespaced}: ${causeOf(outcome, options, origin)}`
      return { kind: 'failed', failure: outcome, message }
    }
    given.note(origin.server, [...pagesIn(tool?.listed._meta), ...addressesIn(outcome.value)])
    const result = readsStructured(source.client)
      ? relayText(outcome.json, outcome.value)
      : relayAsText(outcome.json, outcome.value)
    const answer = await finish(origin, result, readerOf(source))
    return { kind: 'answer', answer, isError: result.isError, receivedBytes: Buffer.byteLength(outcome.json) }
  }
}

/** What the caller gets. Throws RelayedError for the server's own JSON-RPC error. */
export function toAnswer(outcome: MountedOutcome, { server, tool, namespaced }: Origin): Answer {
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer
    case 'error':
      throw outcome.error
    case 'failed': {
      const unknown = { status: 'outcome_unknown', server, tool, namespaced, retried: false }
      return errorAnswer(outcome.message, outcome.failure.kind === 'unknown' ? unknown : undefined)
    }
  }
}

/** Why there is no answer; `unknown` when the call may have been carried out all the same. */
export type Failure = Exclude<MountedCall, { kind: 'result' } | { kind: 'error' }>

function causeOf(failure: Failure, { mounts }: MountedCallOptions, { server }: Origin): string {
  switch (failure.kind) {
    case 'unknown_server':
      return `unknown server "${server}". list_servers names those in scope.`
    case 'disabled':
      return `server "${server}" is disabled in the configuration.`
    case 'connecting':
      if (mounts.isStopping) return shuttingDown
      return (
        `server "${server}" is still connecting (its connect_timeout is ${mounts.connectTimeoutMs(server) / 1000} s); nothing was sent. ` +
        'Try again shortly.'
      )
    case 'disconnected':
      if (mounts.isStopping) return shuttingDown
      return `server "${server}" is not connected: ${failure.error}. Nothing was sent; it is being reconnected, and list_servers tells when it is back.`
    case 'held':
      return `the tool is held: ${heldReason(server, failure.why)}. Nothing was sent.`
    case 'unknown_tool':
      return `tool not found on server "${server}". search_tools finds its tools.`
    case 'not_sent':
      return `${unsentWords[failure.why]} Nothing was sent to server "${server}"; you can call again.`
    case 'refused':
      return `server "${server}" refused the call: ${failure.reason}. It was not carried out, and the connection is kept.`
    case 'unknown':
      return `outcome unknown: ${unknownWords[failure.why]} The call may have been carried out; it was not retried. ${
        isLost(failure.why) ? afterLoss(mounts.isStopping) : 'The connection is kept.'
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
  line_too_long: 'the server wrote a line of more than 256 MiB, so its process was ended.',
  too_long: 'the answer is longer than 256 MiB and was not read to its end.',
}

function afterLoss(isStopping: boolean): string {
  return isStopping
    ? 'The gateway is shutting down, so no reconnect was attempted.'
    : 'The connection is restored in the background for future calls.'
}

/** Everything but the trusted identity, which never leaves us. */
function foreignMeta(meta: unknown, { client }: MountedSource): Record<string, unknown> | undefined {
  if (!isObject(meta)) return undefined
  // In the modern era these speak of the client and its request to us.
  const isOurs = (name: string) => client.era === 'modern' && name.startsWith('io.modelcontextprotocol/')
  const kept = Object.entries(meta).filter(([name]) => !trustedMembers.includes(name) && !isOurs(name))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
