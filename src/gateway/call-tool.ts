// call_tool: a call that names another tool becomes that tool's call, once, at the door.
import type { CallToolArguments } from '#generated/types/meta-tools.js'
import type { ToolEntry } from '../catalog/catalog.ts'
import { linkSignals } from '../timing/link-signals.ts'
import { RouterError } from '../errors/router-error.ts'
import { splitName } from '../names/fragment.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Envelope } from '../calls/envelope.ts'
import type { AnswerTool, CallSource } from '../calls/handle-call.ts'
import type { AgentView } from './agent.ts'
import { findBuiltInTool, findContractTool, isBuiltInServer, isContractToolInScope } from './contract-tools.ts'
import type { Detaching } from './detach.ts'
import { refuseInexact } from './meta-arguments.ts'
import type { Via } from './record-call.ts'
import type { MountedTarget, Targets } from './targets.ts'

/** What unwrapping needs. */
export interface CallToolOptions {
  agent: AgentView
  trustClientApproval: boolean
  callTimeoutMs: number
  targets: Targets
  detaching: Detaching
}

/** The call as the outer envelope gave it, its own arguments checked. */
export interface WrappedCall {
  envelope: Envelope
  asked: CallToolArguments
  source: CallSource
  /** Answers the contract's tools, recorded as having come in this way. */
  answerTool(via: Via): AnswerTool
}

export function createCallTool(options: CallToolOptions): (call: WrappedCall) => Promise<Answer> {
  const { agent, targets, detaching } = options

  async function callContractTool(entry: ToolEntry, call: WrappedCall): Promise<Answer> {
    const { envelope, asked, source, answerTool } = call
    if (!isContractToolInScope(entry, agent.lists)) return errorAnswer(outOfScope(entry.name))
    if (entry.row.approval_class === 'protected') throw directCallRequired(entry, options)
    const inner = {
      entry,
      args: asked.arguments ?? {},
      meta: envelope.meta,
      findings: innerFindings(envelope),
    }
    if (asked.detach !== true) {
      return within(source.signal, asked.timeout_ms, options.callTimeoutMs, (signal) =>
        answerTool('call_tool')(inner, { ...source, signal }),
      )
    }
    if (entry.row.approval_class === 'spend') {
      return errorAnswer(
        `call ${entry.name}: a spend is never detached. Leave detach out; the same call can be redelivered.`,
      )
    }
    if (entry.row.approval_class === 'execution') {
      return errorAnswer(
        `call ${entry.name}: it needs no detach, because it answers at once and the execution goes on by itself. Leave detach ` +
          'out and follow it with hubu_operation_status.',
      )
    }
    return detaching.contract(entry, effectiveTimeoutMs(asked.timeout_ms, options.callTimeoutMs), (signal) =>
      answerTool('detach')(inner, { cause: source.cause, signal }),
    )
  }

  async function callMountedTool(target: MountedTarget, call: WrappedCall): Promise<Answer> {
    const { envelope, asked, source } = call
    const { timeout_ms: timeoutMs, detach } = asked
    const args = asked.arguments ?? {}
    if (!target.isInScope) return errorAnswer(outOfScope(target.origin.namespaced))
    refuseInexact(innerFindings(envelope))
    const effectiveMs = effectiveTimeoutMs(timeoutMs, options.callTimeoutMs)
    if (detach === true) return detaching.mounted(target, { args, meta: envelope.meta, timeoutMs: effectiveMs })
    const isLimited = timeoutMs !== undefined && timeoutMs > 0
    return targets.call(target, {
      args,
      meta: envelope.meta,
      source,
      ...(isLimited && { timeoutMs: effectiveMs }),
      via: 'call_tool',
    })
  }

  return async (call) => {
    const given = call.asked.tool
    const entry = call.asked.server ? findBuiltInTool(call.asked.server, given) : findContractTool(given)
    if (entry !== undefined) return callContractTool(entry, call)
    const { server, tool } = splitName(call.asked.server ?? '', given)
    if (server === '' || tool === '') {
      return errorAnswer('call_tool: the server is missing. Give tool as server__tool, or server and tool.')
    }
    if (isBuiltInServer(server)) {
      const builtIn = findBuiltInTool(server, tool)
      if (builtIn !== undefined) return callContractTool(builtIn, call)
      return errorAnswer(`call ${server}__${tool}: tool not found on server "${server}". search_tools finds its tools.`)
    }
    const { signal } = call.source
    if (agent.scope.allowsServer(server)) {
      await within(signal, call.asked.timeout_ms, options.callTimeoutMs, (limited) => targets.settled(server, limited))
    }
    const target = targets.byPublicName(given) ?? targets.byParts(server, tool)
    return callMountedTool(target, call)
  }
}

/** The inner arguments stand one level deeper than a direct call's. */
function innerFindings({ findings }: Envelope): Envelope['findings'] {
  return { ...findings, depth: Math.max(0, findings.depth - 1) }
}

/** The ceiling counts for what is absent, not positive, or larger. */
function effectiveTimeoutMs(asked: number | undefined, ceilingMs: number): number {
  return asked === undefined || asked <= 0 || asked > ceilingMs ? ceilingMs : asked
}

/** The refusal of a tool outside the scope; says nothing else about it. */
export function outOfScope(name: string): string {
  return `tool ${name} is out of scope for this agent.`
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

function directCallRequired({ name }: ToolEntry, { agent, trustClientApproval }: CallToolOptions): RouterError {
  const how = agent.isBare
    ? 'This agent does not see it, because its configuration has pin: [] with tool_schema_budget "0"; the operator can change that.'
    : trustClientApproval
      ? `Call ${name} directly, by its own name.`
      : `It can only be called by its own name, and only once the operator trusts the client's approval ` +
        '(HUBU_MCP_TRUST_CLIENT_APPROVAL=1).'
  return new RouterError(
    'direct_call_required',
    `A human must confirm ${name} in the client, which decides by the tool's name; call_tool would hide it. ${how}`,
  )
}
