// This room is one call, from question to answer. Refusals come first and in the order of R 2.5; past them only the
// outside world can fail.
import type { GongbuClient } from '../backends/gongbu/client.ts'
import type { HubuClient } from '../backends/hubu/client.ts'
import type { Cause, Monitor } from '../capabilities/monitor.ts'
import type { TextFindings } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import { readCallIdentity } from '../identity/call-identity.ts'
import { refuseTrustedSpendMembers } from '../identity/trusted-members.ts'
import type { Registry } from '../operations/registry.ts'
import type { SpendTool } from '../operations/row.ts'
import type { Secret } from '../redaction/secret.ts'
import { approvalProfile } from './approval-profile.ts'
import { requireBackend } from './capability-gate.ts'
import { createGongbuAnswers } from './gongbu-answers.ts'
import { readEnvelope, type IncomingCall } from './envelope.ts'
import { createHubuCall, type ReconciliationCapability } from './hubu-call.ts'
import { approvalGate, registryUnavailable, requireArguments } from './refusals.ts'
import { createSpendCall, type SpendTiming } from './spend-call.ts'
import { answerStatus } from './status-call.ts'
import { prettyResult, type ToolResult } from './tool-result.ts'

/** What calls are answered with. */
export interface Rooms {
  monitor: Monitor
  /** Undefined when the backend is not configured. */
  hubu: HubuClient | undefined
  gongbu: GongbuClient | undefined
  /** Null while the registry is unavailable. */
  registry: Registry | null
  trustClientApproval: boolean
  /** Our tokens, as far as Hubu could repeat them. */
  secrets: readonly Secret[]
  reconciliation(): ReconciliationCapability
  /** An operation was acknowledged: the worker may look at once. */
  onAcknowledged(): void
  timing: SpendTiming
}

/** The request behind a call. */
export interface CallSource {
  cause: Cause
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Answers the parameters of one tools/call. Throws RouterError. */
export type HandleCall = (params: unknown, findings: TextFindings, source: CallSource) => Promise<ToolResult>

export function createHandleCall(rooms: Rooms): HandleCall {
  const { monitor, hubu } = rooms
  const hubuCall = hubu && createHubuCall({ ...rooms, hubu })
  const spendCall = hubu && rooms.registry && createSpendCall({ ...rooms, hubu, spend: rooms.registry.spend })
  const gongbuAnswers = createGongbuAnswers(rooms)

  async function answerRouter({ entry, args, findings }: IncomingCall, source: CallSource): Promise<ToolResult> {
    if (entry.name === 'hubu_operation_status') return answerStatus(args, findings, rooms.registry)
    requireArguments(entry, args, findings)
    await monitor.refresh(['hubu', 'gongbu'], source.cause)
    return prettyResult(monitor.snapshot())
  }

  async function answerHubu({ entry, args, meta, findings }: IncomingCall, source: CallSource): Promise<ToolResult> {
    await monitor.refreshIfDue(['hubu'], source.cause)
    requireBackend(entry, monitor.states())
    const approvalClass = entry.row.approval_class
    if (approvalClass === 'protected' && !rooms.trustClientApproval) throw approvalGate(entry)
    if (approvalClass === 'spend') refuseTrustedSpendMembers(args)
    requireArguments(entry, args, findings)
    if (entry.name === 'hubu_client_approval_profile') return prettyResult(approvalProfile())
    if (approvalClass !== 'spend') return present(hubuCall)({ entry, args, ...source })
    const identity = readCallIdentity(meta)
    if (!spendCall) throw registryUnavailable(entry.name)
    return spendCall({ entry, tool: entry.name as SpendTool, args, identity, cause: source.cause })
  }

  return async (params, findings, source) => {
    const call = readEnvelope(params, findings)
    switch (call.entry.row.owner) {
      case 'router':
        return answerRouter(call, source)
      case 'hubu':
        return answerHubu(call, source)
      case 'gongbu':
        return gongbuAnswers(call, source)
    }
  }
}

/** An available backend is a configured one, so its client is there. */
function present<T>(client: T | undefined): T {
  if (client === undefined) throw new RouterError('internal_error', 'The router lost a backend. Restart it.')
  return client
}
