// A server of the modern era that asks before it goes on: its questions go to whoever made the call, and the call is sent again with
// the answers.
import { questionsOf } from '../downstream/modern-server.ts'
import { underName } from '../downstream/named-request.ts'
import type { CallOptions, AnsweredCall } from '../downstream/outcome.ts'
import { isObject } from '../json/read.ts'
import { linkSignals } from '../timing/link-signals.ts'
import type { AskClient } from '../wire/asking.ts'
import type { MountedSource } from './calls-under-way.ts'

/** The code of a request that needs a capability which its client did not declare. */
const capabilityMissing = -32021
/** The code of a question that reached nobody, which says why itself. */
const noAnswer = -32000

/** So often one call may be asked. */
const mostRounds = 8

/** What a server of the modern era is told of whoever calls: what can be asked of it, as far as that is passed on. */
export function toldOfClient(
  { client }: MountedSource,
  ask: AskClient | undefined,
): NonNullable<CallOptions['client']> {
  const { elicitation, sampling, roots } = client.capabilities
  const shown = {
    ...(isObject(elicitation) && { elicitation }),
    ...(isObject(sampling) && { sampling }),
    ...(isObject(roots) && { roots }),
  }
  return {
    capabilities: ask === undefined ? {} : shown,
    ...(client.logLevel !== undefined && { logLevel: client.logLevel }),
  }
}

/** Why a call that was asked has no end. */
export interface AskedInVain {
  kind: 'asked_in_vain'
  why: string
  /** The client cannot be asked so; nobody tried. */
  isIncapable?: true
}

/** Sends a request until it has an end. `ask` is undefined where nobody can be asked; each of the signals ends a question. */
export async function withAnswers<T extends { kind: string; isOpen?: boolean; value?: object; code?: unknown }>(
  send: (retry: AnsweredCall | undefined) => Promise<T>,
  {
    label,
    ask,
    source,
    signals,
  }: {
    label: string | undefined
    ask: AskClient | undefined
    source: Pick<MountedSource, 'client'>
    signals: (AbortSignal | undefined)[]
  },
): Promise<T | AskedInVain> {
  let outcome = await send(undefined)
  for (let round = 0; ; round++) {
    // A client of the older era has no code for what it cannot do.
    if (outcome.kind === 'error' && outcome.code === capabilityMissing && source.client.era === 'legacy')
      return { ...inVain('it needs what this client cannot do'), isIncapable: true }
    if (outcome.isOpen !== true) return outcome
    const questions = questionsOf(outcome.value ?? {})
    if (questions === undefined) return inVain('it answered with a kind of result that is not known here')
    if (round === mostRounds) return inVain(`it asked more than ${mostRounds} times`)
    if (ask === undefined) return inVain('it asks something, and this client cannot be asked')
    const inputResponses: Record<string, object> = {}
    const { signal, release } = linkSignals(signals)
    try {
      for (const [key, { method, params }] of Object.entries(questions.inputRequests))
        inputResponses[key] = await ask(method, underName(label, method, params), signal, key)
    } catch (error) {
      const why = error instanceof Error && errorCode(error) === noAnswer ? `: ${error.message}` : ''
      return inVain(`it asks something that was not answered${why}`)
    } finally {
      release()
    }
    outcome = await send({ inputResponses, requestState: questions.requestState })
  }
}

/** Errors of another bundle are known by their codes. */
const errorCode = (error: Error): unknown => (error as { code?: unknown }).code

const inVain = (why: string): AskedInVain => ({ kind: 'asked_in_vain', why })
