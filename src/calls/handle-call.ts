// This room is one call, from question to answer. Refusals come first and in a fixed order; past them only the
// outside world can fail.
import type { GongbuClient } from '../backends/gongbu/client.ts'
import type { HubuClient } from '../backends/hubu/client.ts'
import type { Cause, Monitor } from '../capabilities/monitor.ts'
import { findTool } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import { readCallIdentity } from '../identity/call-identity.ts'
import { refuseTrustedSpendMembers } from '../identity/trusted-members.ts'
import type { Findings } from '../json/findings.ts'
import type { Registry } from '../operations/registry.ts'
import type { SpendTool } from '../operations/row.ts'
import type { Clock } from '../timing/clock.ts'
import type { Secret } from '../redaction/secret.ts'
import { type Answer, type ToolResult, dataAnswer } from '../answers/answer.ts'
import { type FinishOptions, createFinishCall } from '../answers/finish.ts'
import type { JsonText } from '../answers/json-text.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'
import { approvalProfile } from './approval-profile.ts'
import { requireBackend } from './capability-gate.ts'
import { createGongbuAnswers } from './gongbu-answers.ts'
import { readEnvelope, type Envelope, type IncomingCall } from './envelope.ts'
import { createHubuCall, type ReconciliationCapability } from './hubu-call.ts'
import { metaToolName } from './meta-tool-name.ts'
import { approvalGate, registryUnavailable, requireArguments, withoutLookup, unknownTool } from '../answers/refusals.ts'
import { createSpendCall } from './spend-call.ts'
import { answerStatus } from './status-call.ts'

/** What calls are answered with. */
export interface Rooms {
  monitor: Monitor
  /** Undefined when the backend is not configured. */
  hubu: HubuClient | undefined
  gongbu: GongbuClient | undefined
  /** Null while the registry is unavailable. */
  registry(): Registry | null
  trustClientApproval: boolean
  /** Our tokens, as far as Hubu could repeat them. */
  secrets: readonly Secret[]
  reconciliation(): ReconciliationCapability
  /** An operation was acknowledged: the worker may look at once. */
  onAcknowledged(): void
  /** Undefined while oversized results are not stored: then every result goes out as it is. */
  results?: ResultsPort
  /** Undefined on the contract surface: then only the contract's tools and get_result are known. */
  gateway?: CallGateway
  clock: Pick<Clock, 'monotonicMs' | 'sleep' | 'every' | 'turn'>
  /** A number from 0 to 1. */
  random(): number
}

/** Where a call goes first when there is more than the contract surface. */
export interface CallGateway {
  /** Answers a call of any name; a contract tool is answered by `answerTool`, whichever name led to it. Throws RouterError. */
  answer(call: Envelope, source: CallSource, answerTool: AnswerTool): Promise<Answer>
}

/** Admits and answers a call of a contract tool, finished. Throws RouterError. */
export type AnswerTool = (call: IncomingCall, source: CallSource) => Promise<Answer>

/** Where oversized results are kept and fetched from. */
export interface ResultsPort extends Pick<FinishOptions, 'budgetBytes' | 'store'> {
  /** Answers get_result. */
  getResult(args: object, findings: Findings): Promise<ToolResult>
}

/** The request behind a call. */
export interface CallSource {
  cause: Cause
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
  /** Passes on what a mounted server reports; undefined when the client wants no progress. */
  relayProgress?(progress: Record<string, unknown>): void
}

/** Answers the parameters of one tools/call. Throws RouterError. */
export type HandleCall = (params: unknown, findings: Findings, source: CallSource) => Promise<Answer>

export function createHandleCall(rooms: Rooms): HandleCall {
  const { monitor, hubu } = rooms
  const hubuCall = hubu && createHubuCall({ ...rooms, hubu })
  const gongbuAnswers = createGongbuAnswers(rooms)
  const results = rooms.results ?? noResults
  const finish = createFinishCall({ budgetBytes: results.budgetBytes, store: results.store, clock: rooms.clock })

  let spendCall: ReturnType<typeof createSpendCall> | undefined
  /** Made when the registry is there. */
  const spender = () => {
    const spend = rooms.registry()?.spend
    return (spendCall ??= hubu && spend && createSpendCall({ ...rooms, hubu, spend }))
  }

  async function answerRouter({ entry, args, findings }: IncomingCall, source: CallSource): Promise<ToolResult> {
    if (entry.name === 'hubu_operation_status') return answerStatus(args, findings, rooms.registry())
    requireArguments(entry, args, findings)
    await monitor.refresh(['hubu', 'gongbu'], source.cause)
    return dataAnswer(monitor.snapshot())
  }

  async function answerHubu(
    { entry, args, meta, findings }: IncomingCall,
    source: CallSource,
  ): Promise<ToolResult | JsonText | RelayedResult> {
    await monitor.refreshIfDue(['hubu'], source.cause)
    requireBackend(entry, monitor.states())
    const approvalClass = entry.row.approval_class
    if (approvalClass === 'protected' && !rooms.trustClientApproval) throw approvalGate(entry)
    if (approvalClass === 'spend') refuseTrustedSpendMembers(args)
    requireArguments(entry, args, findings)
    if (entry.name === 'hubu_client_approval_profile') return dataAnswer(approvalProfile())
    if (approvalClass !== 'spend') return present(hubuCall)({ entry, args, ...source })
    const identity = readCallIdentity(meta)
    const spend = spender()
    if (!spend) throw withoutLookup(registryUnavailable(entry.name))
    return spend({ entry, tool: entry.name as SpendTool, args, identity, cause: source.cause })
  }

  async function answer(call: IncomingCall, source: CallSource): Promise<ToolResult | JsonText | RelayedResult> {
    switch (call.entry.row.owner) {
      case 'router':
        return answerRouter(call, source)
      case 'hubu':
        return answerHubu(call, source)
      case 'gongbu':
        return gongbuAnswers(call, source)
    }
  }

  const answerTool: AnswerTool = async (call, source) => {
    const answered = await answer(call, source)
    if (!('kind' in answered)) return answered
    const { name, row } = call.entry
    return finish({ server: row.owner, tool: name, namespaced: name }, answered)
  }

  return async (params, findings, source) => {
    const call = readEnvelope(params, findings)
    if (rooms.gateway !== undefined) return rooms.gateway.answer(call, source, answerTool)
    const entry = findTool(call.name)
    if (entry !== undefined) return answerTool({ ...call, entry }, source)
    if (metaToolName(call.name) !== 'get_result') throw unknownTool()
    return results.getResult(call.args, findings)
  }
}

const noResults: ResultsPort = {
  budgetBytes: 0,
  store: () => Promise.resolve(undefined),
  getResult: () => Promise.reject(new RouterError('tool_unknown', 'Unknown tool. No results are stored here.')),
}

/** An available backend is a configured one, so its client is there. */
function present<T>(client: T | undefined): T {
  if (client === undefined) throw new RouterError('internal_error', 'The router lost a backend. Restart it.')
  return client
}
