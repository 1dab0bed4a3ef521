// The gateway's own eight tools: what each is answered with.
import type { MetaToolName } from '#generated/meta-tools.js'
import type { MetaToolArguments } from '#generated/types/meta-tools.js'
import { dataAnswer, errorAnswer, type Answer } from '../answers/answer.ts'
import type { StoredResults } from '../calls/contract-surface.ts'
import type { ToolScope } from '../results/results.ts'
import type { Envelope } from '../calls/envelope.ts'
import type { CallSource } from '../calls/surface.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { heldReason } from '../downstream/tool-review.ts'
import { splitName } from '../names/short-name.ts'
import type { UsageReport } from '../stats/report.ts'
import type { AgentView } from './agent.ts'
import { outOfScope } from './out-of-scope.ts'
import type { WrappedCall } from './call-tool.ts'
import type { CatalogTool } from './catalog/catalog-tool.ts'
import { findBuiltInTool, findContractTool, isContractToolInScope } from './contract-tools.ts'
import type { Detaching } from './detach.ts'
import { readForgetful } from './forgetful-arguments.ts'
import { findGatewayTool } from './gateway-tools.ts'
import { refuseMetaArguments } from './meta-arguments.ts'
import { describeTool } from './meta-tools/describe-tool.ts'
import { listServers, type ServersView } from './meta-tools/list-servers.ts'
import type { CatalogView } from './meta-tools/query.ts'
import { resolveTool } from './meta-tools/resolve-tool.ts'
import { searchTools } from './meta-tools/search-tools.ts'
import type { MountedTools } from './mounted-tools.ts'
import type { FindTarget } from './targets.ts'
import { usageInScope } from './usage.ts'

/** What the answers are made from, as the agent may see it. */
export interface MetaCallOptions {
  agent: AgentView
  /** The present catalog, its search index ready. */
  catalog(): Promise<CatalogView>
  /** Its tools alone, at once. */
  catalogTools(): readonly CatalogTool[]
  servers(): ServersView
  mounts: Pick<Mounts, 'view' | 'bare'>
  mountedTools: Pick<MountedTools, 'toCatalogTool'>
  findTarget: FindTarget
  /** The contract's tools are searched as they can be called now. */
  refreshBackends(source: CallSource): Promise<unknown>
  callTool(call: WrappedCall): Promise<Answer>
  detaching: Pick<Detaching, 'poll'>
  results: Pick<StoredResults, 'getResult'>
  isInScope: ToolScope
  /** That of one principal. Throws when it cannot be read now. */
  usage(principal: string): UsageReport
}

/** Answers a call of a meta-tool. Throws RouterError. */
export type AnswerMeta = (name: MetaToolName, call: Envelope, source: CallSource) => Promise<Answer>

export function createMetaCalls(options: MetaCallOptions): AnswerMeta {
  const { catalog, refreshBackends } = options
  return async (name, given, source) => {
    const { envelope, isText } = readForgetful(name, given)
    const { principal } = source.caller
    if (name === 'get_result')
      return options.results.getResult(envelope.args, envelope.findings, { principal, isInScope: options.isInScope })
    const refusal = refuseMetaArguments(name, envelope.args, envelope.findings)
    if (refusal !== undefined) return errorAnswer(refusal)
    const asked = <Name extends MetaToolName>() => envelope.args as unknown as MetaToolArguments[Name]
    switch (name) {
      case 'list_servers':
        await refreshBackends(source)
        return dataAnswer(listServers(options.servers()))
      case 'search_tools':
        await refreshBackends(source)
        return dataAnswer(searchTools(await catalog(), asked<'search_tools'>()))
      case 'resolve_tool':
        await refreshBackends(source)
        return dataAnswer(resolveTool(await catalog(), asked<'resolve_tool'>()))
      case 'describe_tool':
        await refreshBackends(source)
        return describe(options, asked<'describe_tool'>(), source.signal)
      case 'call_tool':
        return options.callTool({ envelope, asked: asked<'call_tool'>(), isText, source })
      case 'poll_result':
        return options.detaching.poll(asked<'poll_result'>(), principal)
      case 'stats':
        return dataAnswer(usageNow(options, principal))
    }
  }
}

async function describe(
  { agent, catalogTools, findTarget, mounts, mountedTools }: MetaCallOptions,
  { server: givenServer = '', tool: given }: MetaToolArguments['describe_tool'],
  signal: AbortSignal,
): Promise<Answer> {
  const entry = givenServer === '' ? findContractTool(given) : findBuiltInTool(givenServer, given)
  if (entry !== undefined) {
    if (!isContractToolInScope(entry, agent.lists)) return errorAnswer(outOfScope(entry.name))
    const known = catalogTools().find(({ publicName }) => publicName === entry.name)
    return dataAnswer(
      known === undefined
        ? { error: 'tool not found', server: entry.row.owner, tool: entry.name }
        : describeTool(known),
    )
  }
  const own = findGatewayTool(givenServer, given)
  if (own !== undefined) {
    if (!agent.scope.allows('router', own.catalog.wireName)) return errorAnswer(outOfScope(own.name))
    return dataAnswer(describeTool(own.catalog))
  }
  const { server, tool } = splitName(givenServer, given, mounts.bare)
  if (server === '' || tool === '') {
    return dataAnswer({ error: 'The server is missing. Give tool as server__tool, or server and tool.' })
  }
  const target = await findTarget({ given, server, tool }, signal)
  if (!target.isInScope) return errorAnswer(outOfScope(target.origin.namespaced))
  if (target.tool?.held !== undefined)
    return dataAnswer({
      error: `the tool is held: ${heldReason(target.origin.server, target.tool.held)}`,
      server,
      tool,
    })
  if (target.tool !== undefined) {
    const described = mountedTools.toCatalogTool(target.tool)
    return dataAnswer(describeTool(described, mounts.view(target.origin.server)?.instructions))
  }
  return dataAnswer({ error: 'tool not found', server, tool })
}

function usageNow({ usage, agent }: MetaCallOptions, principal: string): object {
  try {
    return usageInScope(usage(principal), agent)
  } catch {
    return { error: 'Usage cannot be read now. Try again later.' }
  }
}
