import { findTool } from '../catalog/catalog.ts'
import type { Clock } from '../timing/clock.ts'
import { RouterError } from '../errors/router-error.ts'
import { kindOfFault } from '../redaction/log.ts'
import type { HandleCall } from './surface.ts'

/** Where a call's line goes. */
export interface CallLog {
  /** One sentence of ours. */
  debug(message: string): void
  clock: Pick<Clock, 'monotonicMs'>
}

/**
 * Calls with one line each in the log: which tool, how it ended, how long it took, and of a refusal its code and the kind of
 * fault behind it. No argument, no answer, no identity, and no name that the model made up.
 */
export function createLoggedCall(handleCall: HandleCall, { debug, clock }: CallLog): HandleCall {
  return async (params, findings, source) => {
    const startedMs = clock.monotonicMs()
    const say = (end: string) =>
      debug(`${toolOf(params)} ${end} after ${Math.round(clock.monotonicMs() - startedMs)} ms.`)
    try {
      const answer = await handleCall(params, findings, source)
      say(answer.isError === true ? 'gave a tool error' : 'was answered')
      return answer
    } catch (fault) {
      say(`was refused (${reasonOf(fault)})`)
      throw fault
    }
  }
}

function toolOf(params: unknown): string {
  const name = (params as { name?: unknown } | null | undefined)?.name
  return (typeof name === 'string' ? findTool(name)?.name : undefined) ?? 'A call outside the contract'
}

function reasonOf(fault: unknown): string {
  if (!(fault instanceof RouterError)) return kindOfFault(fault)
  return fault.cause === undefined ? fault.code : `${fault.code}: ${kindOfFault(fault.cause)}`
}
