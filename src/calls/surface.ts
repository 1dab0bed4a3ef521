// This room is one call, from question to answer: transport, then envelope, then the surface that answers it.
import type { Answer } from '../answers/answer.ts'
import type { Cause } from '../capabilities/monitor.ts'
import type { Findings } from '../json/findings.ts'
import type { AskClient } from '../wire/asking.ts'
import type { Caller, ClientView } from '../wire/request.ts'
import { readEnvelope, type Envelope, type IncomingCall } from './envelope.ts'

/** The request behind a call. */
export interface CallSource {
  cause: Cause
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
  /** Only this ends what a mounted server does; absent: `signal` does. */
  cancelled?: AbortSignal
  /** What the client said of itself. */
  client: ClientView
  /** Who asks. */
  caller: Caller
  /** Told of the operation that the call is answered for, as soon as it is known. */
  concerns?(handle: string): void
  /** Asks the client in the middle of this call; absent where it is not asked so. */
  ask?: AskClient
  /** Passes on a log message, if this client wants it; absent where it said nothing of such. */
  log?(params: object): void
  /** Passes on what a mounted server reports; undefined when the client wants no progress. */
  relayProgress?(progress: Record<string, unknown>): void
}

/** The tools that a client is offered: those of the contract alone, or the gateway's, which hold them. */
export interface Surface {
  /** What `tools/list` shows this caller now. */
  list(caller: Caller): object[]
  /** Answers a call of any name. Throws RouterError. */
  answer(call: Envelope, source: CallSource): Promise<Answer>
}

/** Admits and answers a call of a contract tool, finished. Throws RouterError. */
export type AnswerTool = (call: IncomingCall, source: CallSource) => Promise<Answer>

/** Answers the parameters of one tools/call. Throws RouterError. */
export type HandleCall = (params: unknown, findings: Findings, source: CallSource) => Promise<Answer>

/** Every call of a client, on its way to the surface. */
export function createHandleCall(surface: Surface): HandleCall {
  return async (params, findings, source) => surface.answer(readEnvelope(params, findings), source)
}
