// The contract's 34 tools. Refusals come first and in a fixed order; past them only the outside world can fail.
import { metaToolDefinitions } from '#generated/meta-tools.js'
import { dataAnswer, type ToolResult } from '../answers/answer.ts'
import { readerOf, type FinishCall } from '../answers/finish.ts'
import type { JsonText } from '../answers/json-text.ts'
import { approvalGate, requireArguments, unknownTool } from '../answers/refusals.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'
import type { GongbuClient } from '../backends/gongbu/client.ts'
import type { HubuClient } from '../backends/hubu/client.ts'
import { isListed, type States } from '../capabilities/availability.ts'
import type { Monitor } from '../capabilities/monitor.ts'
import { findTool, toolEntries } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import { readCallIdentity, readConfirmation } from '../identity/call-identity.ts'
import { refuseTrustedSpendMembers } from '../identity/trusted-members.ts'
import type { Registry } from '../operations/registry.ts'
import type { SpendTool } from '../operations/row.ts'
import type { Results } from '../results/results.ts'
import type { ReconciliationCapability, Secret } from '../redaction/secret.ts'
import { approvalProfile } from './approval-profile.ts'
import { requireBackend } from './capability-gate.ts'
import type { IncomingCall } from './envelope.ts'
import { createGongbuAnswers } from './gongbu-answers.ts'
import { createHubuCall } from './hubu-call.ts'
import { metaToolName } from '../catalog/meta-tool-name.ts'
import { rightOfTool } from './rights.ts'
import type { SpendCall } from './spend-call.ts'
import { answerStatus } from './status-call.ts'
import type { AnswerTool, CallSource, Surface } from './surface.ts'

/** What the contract's tools are answered with. */
export interface ContractRooms {
  monitor: Monitor
  /** Undefined when the backend is not configured. */
  hubu: HubuClient | undefined
  gongbu: GongbuClient | undefined
  /** Null while the registry is unavailable. */
  registry(): Registry | null
  /** Undefined when Hubu is not configured. */
  spendCall: SpendCall | undefined
  /** Who names spends. */
  spendIdentity: 'harness' | 'guarded' | 'replace'
  /** Random for each connection; never shown. */
  connection: Buffer
  trustClientApproval: boolean
  /** Our tokens, as far as Hubu could repeat them. */
  secrets: readonly Secret[]
  reconciliation(): ReconciliationCapability
  /** An operation was acknowledged: the worker may look at once. */
  onAcknowledged(): void
  finish: FinishCall
  /** Undefined where none were ever stored. */
  results: StoredResults | undefined
}

/** Results that were too large to be sent. */
export interface StoredResults extends Pick<Results, 'getResult'> {
  /** Whether oversized results are stored now; what was stored before can be fetched all the same. */
  isOn: boolean
}

/** The contract's tools alone, and the way to them for the gateway. */
export interface ContractSurface extends Surface {
  answerTool: AnswerTool
}

export function createContractSurface(rooms: ContractRooms): ContractSurface {
  const { monitor, finish, results } = rooms
  const answerHubu = createHubuAnswers(rooms)
  const answerGongbu = createGongbuAnswers(rooms)

  async function answerRouter({ entry, args, findings }: IncomingCall, source: CallSource): Promise<ToolResult> {
    if (entry.name === 'hubu_operation_status')
      return answerStatus(args, findings, rooms.registry(), source.caller.principal)
    requireArguments(entry, args, findings)
    await monitor.refresh(['hubu', 'gongbu'], source.cause)
    return dataAnswer(monitor.snapshot())
  }

  const owners = { router: answerRouter, hubu: answerHubu, gongbu: answerGongbu }

  const answerTool: AnswerTool = async (call, source) => {
    const { name, row } = call.entry
    // Whatever name led here: it is not in the list that this caller is shown.
    if (!source.caller.rights.has(rightOfTool(name))) throw unknownTool()
    const answered = await owners[row.owner](call, source)
    return 'kind' in answered
      ? finish({ server: row.owner, tool: name, namespaced: name }, answered, readerOf(source))
      : answered
  }

  return {
    answerTool,
    list: () => listTools(monitor.states(), { storesResults: results?.isOn === true }),
    async answer(call, source) {
      const entry = findTool(call.name)
      if (entry !== undefined) return answerTool({ ...call, entry }, source)
      if (results === undefined || metaToolName(call.name) !== 'get_result') throw unknownTool()
      return results.getResult(call.args, call.findings, { principal: source.caller.principal, isInScope: () => true })
    },
  }
}

/**
 * Pure: the tools that can be called now, in contract order, without paging; last, while oversized results are stored, the
 * one that fetches them.
 */
export function listTools(states: States, { storesResults }: { storesResults: boolean }): object[] {
  const contract = toolEntries.filter((entry) => isListed(entry.name, states)).map((entry) => entry.definition)
  return storesResults ? [...contract, getResultDefinition] : contract
}

const getResultDefinition = metaToolDefinitions.find(({ name }) => name === 'get_result')!

/** Answers Hubu's tools: reads and mutations are passed on, spends go the money path. */
function createHubuAnswers(
  rooms: ContractRooms,
): (call: IncomingCall, source: CallSource) => Promise<ToolResult | JsonText | RelayedResult> {
  const { monitor, hubu, spendCall, spendIdentity } = rooms
  const hubuCall = hubu && createHubuCall({ ...rooms, hubu })

  return async ({ entry, args, meta, findings }, source) => {
    await monitor.refreshIfDue(['hubu'], source.cause)
    requireBackend(entry, monitor.states())
    const approvalClass = entry.row.approval_class
    if (approvalClass === 'protected' && !rooms.trustClientApproval) throw approvalGate(entry)
    if (approvalClass === 'spend') refuseTrustedSpendMembers(args)
    requireArguments(entry, args, findings)
    if (entry.name === 'hubu_client_approval_profile') return dataAnswer(approvalProfile())
    if (approvalClass !== 'spend') return present(hubuCall)({ entry, args, ...source })
    return present(spendCall)({
      entry,
      tool: entry.name as SpendTool,
      args,
      identity: readCallIdentity(meta, spendIdentity),
      confirms: readConfirmation(meta),
      principal: source.caller.principal,
      buyer: { client: source.client.name, connection: rooms.connection },
      ...source,
    })
  }
}

/** An available backend is a configured one, so its client is there. */
function present<T>(client: T | undefined): T {
  if (client === undefined) throw new RouterError('internal_error', 'The router lost a backend. Restart it.')
  return client
}
