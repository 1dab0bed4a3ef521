// Which tools a server with a given configuration will list, as far as clients' approvals depend on it.
import { toolDefinitions } from '#generated/catalog.js'
import { ownership, type ApprovalClass, type ToolName } from '#generated/ownership.js'
import type { SurfaceTools } from '../client-configs/entry/approval-lists.ts'
import type { Config } from '../config/load-config.ts'
import { storesResults } from '../config/results-settings.ts'

/** The lazy surface's own tools, in the order of the list. */
const metaTools = [
  'list_servers',
  'search_tools',
  'describe_tool',
  'resolve_tool',
  'call_tool',
  'get_result',
  'poll_result',
  'stats',
]

/** The tools of one surface, in the order of the approval profile and its fixed additions. */
export function surfaceTools(
  config: Pick<Config, 'expose' | 'gateway' | 'results'>,
  agent: string | undefined,
): SurfaceTools {
  return {
    surface: config.expose ?? 'contract',
    auto: [...ofClass('read', 'spend'), ...ofClass('execution', 'execution-read'), ...ofClass('local')],
    ask: ofClass('protected'),
    storesResults: storesResults(config.results),
    metaTools,
    listed: listedTools(config, agent),
  }
}

/** What the lazy surface lists by name: pins, and the spend tools, which must meet no generic prompt. */
function listedTools({ gateway }: Pick<Config, 'gateway'>, name: string | undefined): ToolName[] {
  const agent = name === undefined ? undefined : gateway?.agents?.[name]
  const pins = agent?.pin ?? gateway?.pin ?? []
  const isBare = agent?.pin?.length === 0 && String(agent.tool_schema_budget ?? '') === '0'
  const spend = isBare ? [] : ofClass('spend')
  return [...new Set([...spend, ...pins.flatMap(toolsOfPin)])]
}

/** The contract tools that a pin names: all of an owner, or one by its name with or without the owner's prefix. */
function toolsOfPin(pin: string): ToolName[] {
  const [owner, tool] = pin.split('__', 2)
  const all = toolDefinitions.map(({ name }) => name).filter((name) => ownership[name].owner === owner)
  return tool === undefined || tool === '*' ? all : all.filter((name) => name === tool || name === `${owner}_${tool}`)
}

function ofClass(...classes: ApprovalClass[]): ToolName[] {
  return toolDefinitions.map(({ name }) => name).filter((name) => classes.includes(ownership[name].approval_class))
}
