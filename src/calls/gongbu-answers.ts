import type { GongbuClient } from '../backends/gongbu/client.ts'
import { isSafeId } from '../backends/gongbu/request.ts'
import type { Monitor } from '../capabilities/monitor.ts'
import { checkArguments } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import { hasProtectedInput } from '../identity/trusted-members.ts'
import type { Registry } from '../operations/registry.ts'
import { type ToolResult, statusAnswer } from '../answers/answer.ts'
import type { RelayedResult } from '../answers/relayed-result.ts'
import { requireBackend } from './capability-gate.ts'
import type { IncomingCall } from './envelope.ts'
import { createGongbuReads, gongbuRefusal } from './gongbu-reads.ts'
import type { CallSource } from './surface.ts'
import { registryUnavailable } from '../answers/refusals.ts'

/** What the four Gongbu tools are answered with. */
export interface GongbuRooms {
  monitor: Monitor
  gongbu: GongbuClient | undefined
  registry(): Registry | null
  onAcknowledged(): void
}

/** Answers the four Gongbu tools; bad arguments are tool errors here. */
export function createGongbuAnswers(
  rooms: GongbuRooms,
): (call: IncomingCall, source: CallSource) => Promise<ToolResult | RelayedResult> {
  const { monitor } = rooms
  const reads = rooms.gongbu && createGongbuReads(rooms.gongbu, () => rooms.registry()?.execution)

  /** Never asks Gongbu: it binds the intent to its authorization and acknowledges it; the worker does the rest. */
  async function create({ entry, args, findings }: IncomingCall, source: CallSource): Promise<ToolResult> {
    await monitor.refresh(['hubu', 'gongbu'], source.cause)
    requireBackend(entry, monitor.states())
    if (hasProtectedInput(args.input)) return gongbuRefusal('protected_override')
    const violations = checkArguments(entry.name, args, findings)
    const token = args.spend_auth_token_id
    if (violations.length > 0 || !isSafeId(token)) return gongbuRefusal('invalid_request', violations)
    const registry = rooms.registry()
    if (registry === null) throw registryUnavailable(entry.name)
    const status = await registry.execution.bind(token, args, source.caller.principal)
    rooms.onAcknowledged()
    return statusAnswer(status)
  }

  async function read(
    { entry, args, findings }: IncomingCall,
    source: CallSource,
  ): Promise<ToolResult | RelayedResult> {
    await monitor.refreshIfDue(['gongbu'], source.cause)
    requireBackend(entry, monitor.states())
    const violations = checkArguments(entry.name, args, findings)
    if (violations.length > 0) return gongbuRefusal('invalid_request', violations)
    if (reads === undefined) throw new RouterError('internal_error', 'The router lost Gongbu. Restart it.')
    const { execution_id: executionId, artifact_id: artifactId } = args as { execution_id: string; artifact_id: string }
    switch (entry.name) {
      case 'gongbu_get_artifact':
        return reads.getArtifact(artifactId, source.caller.principal, source.signal)
      case 'gongbu_list_artifacts':
        return reads.listArtifacts(executionId, source.caller.principal, source.signal)
      default:
        return reads.getExecution(executionId, source.caller.principal, source.signal)
    }
  }

  return (call, source) => (call.entry.name === 'gongbu_create_execution' ? create(call, source) : read(call, source))
}
