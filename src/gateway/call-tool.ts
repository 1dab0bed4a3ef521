// call_tool: a call that names another tool becomes that tool's call, once, at the door.
import type { CallToolArguments } from '#generated/types/meta-tools.js'
import { errorAnswer, type Answer } from '../answers/answer.ts'
import type { Envelope } from '../calls/envelope.ts'
import { findOperationsName, type EarlierPurchases } from '../calls/find-call.ts'
import type { CallSource } from '../calls/surface.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { splitName } from '../names/short-name.ts'
import { linkSignals } from '../timing/link-signals.ts'
import type { AgentView } from './agent.ts'
import { findBuiltInTool, findContractTool, isBuiltInServer, isContractToolInScope } from './contract-tools.ts'
import type { Detaching } from './detach.ts'
import { answerOwn, findGatewayTool } from './gateway-tools.ts'
import { outOfScope } from './out-of-scope.ts'
import { refuseInexact } from './meta-arguments.ts'
import { toAnswer, type CallMounted } from './mounted-call.ts'
import type { CallContract } from './recording.ts'
import type { FindTarget, MountedTarget } from './targets.ts'

/** Where the calls go that others are turned into. */
export interface CallToolOptions {
  agent: AgentView
  trustClientApproval: boolean
  /** The longest that a call may take. */
  callTimeoutMs: number
  mounts: Pick<Mounts, 'bare'>
  findTarget: FindTarget
  callContract: CallContract
  callMounted: CallMounted
  detaching: Detaching
  purchases: Pick<EarlierPurchases, 'of'>
}

/** The call as the outer envelope gave it, its own arguments checked. */
export interface WrappedCall {
  envelope: Envelope
  asked: CallToolArguments
  /** The arguments came as a text. */
  isText: boolean
  source: CallSource
}

export function createCallTool(options: CallToolOptions): (call: WrappedCall) => Promise<Answer> {
  const { agent, detaching, callContract, callMounted, findTarget, callTimeoutMs } = options

  async function callContractTool(entry: ToolEntry, { envelope, asked, isText, source }: WrappedCall): Promise<Answer> {
    if (!isContractToolInScope(entry, agent.lists)) return errorAnswer(outOfScope(entry.name))
    if (entry.row.approval_class === 'protected') throw directCallRequired(entry, options)
    const args = asked.arguments ?? {}
    const inner = { entry, args, meta: envelope.meta, findings: innerFindings(envelope) }
    if (asked.detach !== true) {
      return within(source.signal, asked.timeout_ms, callTimeoutMs, (signal) =>
        callContract(inner, { ...source, signal }, isText ? 'call_tool_text' : 'call_tool'),
      )
    }
    const refusal = noDetach[entry.row.approval_class]
    if (refusal !== undefined) return errorAnswer(`call ${entry.name}: ${refusal}`)
    const timeoutMs = effectiveTimeoutMs(asked.timeout_ms, callTimeoutMs)
    return detaching.contract(entry, { principal: source.caller.principal, timeoutMs }, (signal) =>
      callContract(inner, { ...atHome(source), signal }, isText ? 'detach_text' : 'detach'),
    )
  }

  async function callMountedTool(
    target: MountedTarget,
    { envelope, asked, isText, source }: WrappedCall,
  ): Promise<Answer> {
    const { timeout_ms: asksMs, detach, arguments: args = {} } = asked
    if (!target.isInScope) return errorAnswer(outOfScope(target.origin.namespaced))
    refuseInexact(innerFindings(envelope))
    const timeoutMs = effectiveTimeoutMs(asksMs, callTimeoutMs)
    const { meta } = envelope
    if (detach === true)
      return detaching.mounted(target, { args, meta, timeoutMs, source, via: isText ? 'detach_text' : 'detach' })
    const limit = asksMs !== undefined && asksMs > 0 ? { timeoutMs } : {}
    const via = isText ? 'call_tool_text' : 'call_tool'
    return toAnswer(await callMounted({ target, args, meta, source, ...limit, via }), target.origin)
  }

  return async (call) => {
    const { tool: given, server: givenServer, timeout_ms: asksMs } = call.asked
    const entry = givenServer ? findBuiltInTool(givenServer, given) : findContractTool(given)
    if (entry !== undefined) return callContractTool(entry, call)
    if (findGatewayTool(givenServer ?? '', given) !== undefined) {
      if (call.asked.detach === true)
        return errorAnswer(`call ${findOperationsName}: it answers at once. Leave detach out.`)
      const findings = innerFindings(call.envelope)
      return answerOwn(options, agent, { args: call.asked.arguments ?? {}, findings }, call.source.caller)
    }
    const { server, tool } = splitName(givenServer ?? '', given, options.mounts.bare)
    if (server === '' || tool === '') {
      return errorAnswer('call_tool: the server is missing. Give tool as server__tool, or server and tool.')
    }
    if (isBuiltInServer(server)) {
      const builtIn = findBuiltInTool(server, tool)
      if (builtIn !== undefined) return callContractTool(builtIn, call)
      return errorAnswer(`call ${server}__${tool}: tool not found on server "${server}". search_tools finds its tools.`)
    }
    const target = await within(call.source.signal, asksMs, callTimeoutMs, (signal) =>
      findTarget({ given, server, tool }, signal),
    )
    return callMountedTool(target, call)
  }
}

/** Of whoever asked what counts for a call that nobody waits for. */
const atHome = ({ cause, client, caller }: CallSource) => ({ cause, client, caller })

/** Why a call of such a tool is never detached. */
const noDetach: Partial<Record<ToolEntry['row']['approval_class'], string>> = {
  spend: 'a spend is never detached. Leave detach out; the same call can be redelivered.',
  execution:
    'it needs no detach, because it answers at once and the execution goes on by itself. Leave detach out and follow it with ' +
    'hubu_operation_status.',
}

/** The inner arguments stand one level deeper than a direct call's. */
function innerFindings({ findings }: Envelope): Envelope['findings'] {
  return { ...findings, depth: Math.max(0, findings.depth - 1) }
}

/** The ceiling counts for what is absent, not positive, or larger. */
function effectiveTimeoutMs(asked: number | undefined, ceilingMs: number): number {
  return asked === undefined || asked <= 0 || asked > ceilingMs ? ceilingMs : asked
}

/** Does something under a signal that the time asked for fires, too. */
function within<T>(
  signal: AbortSignal,
  asked: number | undefined,
  ceilingMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  if (asked === undefined || asked <= 0) return work(signal)
  const limited = linkSignals([signal, AbortSignal.timeout(effectiveTimeoutMs(asked, ceilingMs))])
  return work(limited.signal).finally(limited.release)
}

/** The refusal of a protected tool that was not called by the name under which this client lists it. */
export function directCallRequired(
  { name }: ToolEntry,
  { agent, trustClientApproval }: Pick<CallToolOptions, 'agent' | 'trustClientApproval'>,
): RouterError {
  const how = agent.isBare
    ? 'This agent does not see it, because its configuration has pin: [] with tool_schema_budget "0"; the operator can change that.'
    : trustClientApproval
      ? `Call ${name} directly, by its own name.`
      : `It can only be called by its own name, and only once the operator trusts the client's approval ` +
        '(HUBU_MCP_TRUST_CLIENT_APPROVAL=1).'
  return new RouterError(
    'direct_call_required',
    `A human must confirm ${name} in the client, which decides by the tool's name; any other way would hide it. ${how}`,
  )
}
