import { ownership, toolNames, type ToolName } from '#generated/ownership.js'
import type { GongbuCapability, HubuCapability, RegistryCapability, ToolCapability } from '#generated/types/router.js'

/** What is known about everything a tool may need. Immutable: a new fact makes a new value. */
export interface States {
  readonly hubu: HubuCapability
  readonly gongbu: GongbuCapability
  /** Fixed at start-up, unless the file was locked then. */
  readonly registry: RegistryCapability
}

/** Why a backend cannot safely serve a tool: the code of a -32010. */
export type BackendRefusal =
  'backend_unconfigured' | 'backend_unavailable' | 'backend_incompatible' | 'backend_not_ready'

/** The tools that need the registry. */
const registryTools: ReadonlySet<ToolName> = new Set([
  'hubu_operation_status',
  'hubu_submit_spend',
  'hubu_authorize_spend',
  'gongbu_create_execution',
])

/**
 * Whether the backends can serve a call of this tool, and if not why. The registry is not asked:
 * a call checks it later, with its own error.
 */
export function refusalOf(tool: ToolName, { hubu, gongbu }: States): BackendRefusal | null {
  switch (ownership[tool].owner) {
    case 'router':
      return null
    case 'hubu':
      return refusalOfState(hubu.state)
    case 'gongbu': {
      const refusal = refusalOfState(gongbu.state)
      if (refusal || tool !== 'gongbu_create_execution') return refusal
      return gongbu.state === 'degraded' ? 'backend_not_ready' : refusalOfState(hubu.state)
    }
  }
}

/** Why the snapshot calls this tool unavailable; null when it is available. A missing registry is told first. */
export function reasonOf(tool: ToolName, states: States): ToolCapability['reason_code'] {
  if (registryTools.has(tool) && states.registry.state !== 'available') return 'operation_registry_unavailable'
  return refusalOf(tool, states)
}

/** Whether `tools/list` shows this tool. */
export function isListed(tool: ToolName, states: States): boolean {
  return reasonOf(tool, states) === null
}

/** The effective catalog: the names that `tools/list` shows, in contract order. */
export function listedTools(states: States): ToolName[] {
  return toolNames.filter((tool) => isListed(tool, states))
}

function refusalOfState(state: GongbuCapability['state']): BackendRefusal | null {
  switch (state) {
    case 'unconfigured':
      return 'backend_unconfigured'
    case 'unavailable':
      return 'backend_unavailable'
    case 'incompatible':
      return 'backend_incompatible'
    case 'degraded':
    case 'available':
      return null
  }
}
