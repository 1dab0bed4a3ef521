// Starts calls that run in the background and tells of them.
import type { PollResultArguments } from '#generated/types/meta-tools.js'
import { dataAnswer, errorAnswer, jsonOf, type Answer, type Origin } from '../answers/answer.ts'
import { JsonText } from '../answers/json-text.ts'
import type { ToolScope } from '../results/results.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { RelayedError } from '../errors/relayed-error.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Clock } from '../timing/clock.ts'
import { timeIsOver, type DetachedCalls, type DetachedEnd, type DetachRefusal } from './detached-calls.ts'
import { acceptedCall, detachedStatus, unknownCall } from './meta-tools/poll-result.ts'
import type { CallMounted, MountedRequest } from './mounted-call.ts'
import type { MountedTarget } from './targets.ts'

/** Where detached calls run, and what they call. */
export interface DetachOptions {
  calls: DetachedCalls
  mounts: Mounts
  callMounted: CallMounted
  /** Whether the agent may see a call's outcome. */
  isInScope: ToolScope
  clock: Pick<Clock, 'nowMs'>
}

/** Background calls. */
export interface Detaching {
  mounted(target: MountedTarget, call: Omit<MountedRequest, 'target'> & { timeoutMs: number }): Promise<Answer>
  contract(
    entry: ToolEntry,
    call: { principal: string; timeoutMs: number },
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>
  /** How a call of this principal stands. */
  poll(asked: PollResultArguments, principal: string): Promise<Answer>
}

export function createDetaching({ calls, mounts, callMounted, isInScope, clock }: DetachOptions): Detaching {
  async function start(
    origin: Origin,
    { shortName, timeoutMs, principal }: { shortName: string; timeoutMs: number; principal: string },
    work: (signal: AbortSignal) => Promise<DetachedEnd>,
  ): Promise<Answer> {
    const started = await calls.start(origin, { principal, timeoutMs }, work)
    if ('refusal' in started) return errorAnswer(`call ${origin.namespaced}: ${refusals[started.refusal]}`)
    const { server, tool, namespaced } = origin
    const { callId } = started
    return dataAnswer(acceptedCall({ callId, server, tool: shortName, downstream: tool, namespaced, timeoutMs }))
  }

  return {
    async mounted(target, { args, meta, timeoutMs, source, via }) {
      const { origin } = target
      const { client, caller } = source
      const refusal = refusalOf(mounts, target)
      if (refusal !== undefined) return errorAnswer(`call ${origin.namespaced}: ${refusal}`)
      const { principal } = caller
      return start(origin, { shortName: target.shortName, timeoutMs, principal }, async (signal) => {
        const outcome = await callMounted({ target, args, meta, source: { signal, client, caller }, timeoutMs, via })
        switch (outcome.kind) {
          case 'answer':
            return { kind: 'result', json: jsonOf(outcome.answer) }
          case 'error':
            return { kind: 'failed', error: failureOf(origin.namespaced, outcome.error) }
          case 'failed':
            return { kind: outcome.failure.kind === 'unknown' ? 'outcome_unknown' : 'failed', error: outcome.message }
        }
      })
    },
    contract: ({ name, row }, { principal, timeoutMs }, work) =>
      start({ server: row.owner, tool: name, namespaced: name }, { shortName: name, timeoutMs, principal }, (signal) =>
        work(signal).then(
          (answer) => ({ kind: 'result', json: jsonOf(answer) }),
          (error: unknown) => ({
            kind: 'failed',
            error:
              signal.reason === timeIsOver
                ? `call ${name}: its time, ${timeoutMs / 1000} s, ran out. Give a longer timeout_ms, or ask the operator for a longer call_timeout.`
                : failureOf(name, RouterError.from(error)),
          }),
        ),
      ),
    async poll({ callId, cancel }, principal) {
      if (callId.trim() === '') return errorAnswer('poll_result: callId is blank; give the callId that call_tool gave.')
      const found = await calls.find(callId, principal)
      if (found === undefined) return dataAnswer(unknownCall(callId))
      if (!isInScope(found.server, found.tool)) {
        return errorAnswer('poll_result: this call is out of scope: its tool is none that this agent may use.')
      }
      if (cancel === true && calls.cancel(callId))
        return dataAnswer(detachedStatus((await calls.find(callId, principal))!, clock.nowMs())!)
      const status = detachedStatus(found, clock.nowMs())
      if (status !== undefined) return dataAnswer(status)
      return new JsonText(found.kind === 'ended' && found.end.kind === 'result' ? found.end.json : '{}')
    },
  }
}

const refusals: Record<DetachRefusal, string> = {
  in_flight: 'too many detached calls are in flight. Wait for one with poll_result, or cancel one with cancel: true.',
  stopping: 'the gateway is shutting down; nothing new is started.',
}

/** The checks of an ordinary call that need no sending. */
function refusalOf(mounts: Mounts, { origin, tool }: MountedTarget): string | undefined {
  const view = mounts.view(origin.server)
  if (view === undefined) return `unknown server "${origin.server}". list_servers names those in scope.`
  if (!view.isEnabled) return `server "${origin.server}" is disabled in the configuration.`
  if (!view.isConnected) return `server "${origin.server}" is not connected: ${view.error ?? 'still connecting'}.`
  const isKnown = tool !== undefined || mounts.find(origin.server, origin.tool) !== undefined
  return isKnown ? undefined : `tool not found on server "${origin.server}". search_tools finds its tools.`
}

function failureOf(name: string, error: RouterError): string {
  return error instanceof RelayedError
    ? `call ${name}: ${error.message} (code ${error.foreign.code})`
    : `call ${name}: ${error.message}`
}
