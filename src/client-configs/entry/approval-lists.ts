// Which tools a client shall run without asking, and for which it shall ask. Pure.

/** What the server will list, as far as approvals depend on it. */
export interface SurfaceTools {
  surface: 'contract' | 'all' | 'lazy'
  /** AUTO: the contract's tools that run without a prompt, in profile order. */
  auto: readonly string[]
  /** ASK: the twelve protected tools, in profile order. */
  ask: readonly string[]
  /** Whether oversized results are stored, so that `get_result` exists on the contract surface. */
  storesResults: boolean
  /** The eight meta-tools, in their own order. */
  metaTools: readonly string[]
  /** Contract tools that the lazy surface lists by name: pins, and what must be called directly. */
  listed: readonly string[]
}

/** Tool names for a client's own settings. */
export interface ApprovalLists {
  auto: string[]
  ask: string[]
}

/** The generic call tool. It may reach anything, so it always asks. */
const callTool = 'call_tool'

/**
 * The lists for one surface. ASK is in them with and without trust, so that trust can be added later without a gap.
 * Mounted tools (`server__tool`) are left to the client.
 */
export function approvalLists(tools: SurfaceTools): ApprovalLists {
  const safeMetaTools = tools.metaTools.filter((name) => name !== callTool)
  switch (tools.surface) {
    case 'contract':
      return { auto: [...tools.auto, ...(tools.storesResults ? ['get_result'] : [])], ask: [...tools.ask] }
    case 'all':
      return { auto: [...tools.auto, ...safeMetaTools], ask: [...tools.ask, callTool] }
    case 'lazy':
      return {
        auto: [...safeMetaTools, ...tools.auto.filter((name) => tools.listed.includes(name))],
        ask: [...tools.ask, callTool],
      }
  }
}
