import { findWireName, shortName, planShortNames, publicName } from '../names/short-name.ts'
import { shownWithout, type AdmittedTool, type Note } from './admission/admit.ts'
import { mountTools, type MountedTool } from './definition.ts'
import { heldReason, toolWords } from './tool-review.ts'

/** The tools of mounted servers, found by their names; a server's are named anew whenever it lists others. */
export class ToolPlans {
  readonly #plans = new Map<string, ToolPlan>()
  readonly #listedBy: (server: string) => readonly AdmittedTool[]
  readonly #isBare: (server: string) => boolean

  /**
   * `listedBy` gives what a server listed last, the same list while it has listed no other. `isBare`: its tools keep their names; it
   * is forgotten when that changes.
   */
  constructor(listedBy: (server: string) => readonly AdmittedTool[], isBare: (server: string) => boolean) {
    this.#listedBy = listedBy
    this.#isBare = isBare
  }

  of(server: string): ToolPlan {
    const listed = this.#listedBy(server)
    let plan = this.#plans.get(server)
    if (plan?.listed !== listed) this.#plans.set(server, (plan = planTools(server, listed, this.#isBare(server))))
    return plan
  }

  /** The tool with this public name on one of these servers. */
  findPublic(name: string, servers: Iterable<string>): MountedTool | undefined {
    for (const server of servers) {
      const tool = this.of(server).byPublicName.get(name)
      if (tool !== undefined) return tool
    }
    return undefined
  }

  forget(server: string): void {
    this.#plans.delete(server)
  }
}

/** The tools of one server under their names. */
export interface ToolPlan {
  listed: readonly AdmittedTool[]
  tools: readonly MountedTool[]
  /** Which of them clients would not take as they are listed. */
  notes: readonly Note[]
  byWireName: ReadonlyMap<string, MountedTool>
  byPublicName: ReadonlyMap<string, MountedTool>
  /** The tool that any accepted form of its own name means. */
  find(tool: string): MountedTool | undefined
}

function planTools(server: string, listed: readonly AdmittedTool[], isBare: boolean): ToolPlan {
  const tools = mountTools(server, listed, isBare)
  const byWireName = new Map(tools.map((tool) => [tool.wireName, tool]))
  const byPublicName = new Map(tools.map((tool) => [tool.publicName, tool]))
  const shortNames = planShortNames(server, [...byWireName.keys()])
  return {
    listed,
    tools,
    notes: [...tools.flatMap(noteOf), ...unreadNote(server, tools)],
    byWireName,
    byPublicName,
    find(tool) {
      const wireName = findWireName(server, tool, shortNames)
      return wireName === undefined
        ? byPublicName.get(publicName(server, shortName(server, tool)))
        : byWireName.get(wireName)
    },
  }
}

/** One sentence for all: they are held for one reason. */
function unreadNote(server: string, tools: readonly MountedTool[]): Note[] {
  if (!tools.some(({ held }) => held === 'unread')) return []
  return [{ what: 'whole list', done: `is held: ${heldReason(server, 'unread')}` }]
}

function noteOf({ server, wireName, shown, leftOut, held }: MountedTool): Note[] {
  const what = toolWords(wireName)
  if (held === 'changed') return [{ what, done: `is held: ${heldReason(server, held)}` }]
  if (held !== undefined) return []
  if (shown.kind === 'left_out') return [{ what, done: `is not listed: ${shown.reason}; call_tool reaches it` }]
  return leftOut.length === 0 ? [] : [{ what, done: shownWithout(leftOut) }]
}
