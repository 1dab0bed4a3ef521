// Where a call to a mounted server goes, found by any of the names that a tool answers to.
import type { Mounts } from '../downstream/mounts.ts'
import type { MountedTool } from '../downstream/definition.ts'
import { fragment, publicName } from '../names/fragment.ts'
import { type Answer, type Origin, errorAnswer } from '../answers/answer.ts'
import type { AgentView } from './agent.ts'
import type { MountedOutcome, MountedRequest } from './mounted-call.ts'

/** A tool that was named; it may be unknown. */
export interface MountedTarget {
  origin: Origin
  /** The name without a redundant server prefix. */
  fragment: string
  /** Undefined while the server is not connected or has no such tool. */
  tool: MountedTool | undefined
  isInScope: boolean
}

/** Finds and calls. */
export interface Targets {
  /** Undefined when no mounted tool has exactly this public name. */
  byPublicName(name: string): MountedTarget | undefined
  byParts(server: string, tool: string): MountedTarget
  /** Waits while a server is first being connected, so that its tools can be told apart. */
  settled(server: string, signal: AbortSignal): Promise<void>
  /** Throws RelayedError for the server's own JSON-RPC error. */
  call(target: MountedTarget, request: Omit<MountedRequest, 'origin'>): Promise<Answer>
}

export function createTargets(
  mounts: Mounts,
  agent: AgentView,
  callMounted: (request: MountedRequest) => Promise<MountedOutcome>,
): Targets {
  const known = (tool: MountedTool): MountedTarget => ({
    origin: { server: tool.server, tool: tool.wireName, namespaced: tool.publicName },
    fragment: tool.fragment,
    tool,
    isInScope: agent.scope.allows(tool.server, tool.wireName),
  })
  return {
    byPublicName(name) {
      const tool = mounts.findPublic(name)
      return tool && known(tool)
    },
    byParts(server, tool) {
      const found = mounts.find(server, tool)
      if (found !== undefined) return known(found)
      const part = fragment(server, tool)
      return {
        origin: { server, tool, namespaced: publicName(server, part) },
        fragment: part,
        tool: undefined,
        isInScope: agent.scope.allows(server, tool),
      }
    },
    settled: (server, signal) => mounts.whenPublished(server, signal),
    async call({ origin }, request) {
      const outcome = await callMounted({ ...request, origin })
      switch (outcome.kind) {
        case 'answer':
          return outcome.answer
        case 'error':
          throw outcome.error
        case 'failed':
          return errorAnswer(outcome.message, outcome.isUnknown ? unknownOutcome(origin) : undefined)
      }
    },
  }
}

/** The typed part of an answer that nobody has. */
function unknownOutcome({ server, tool, namespaced }: Origin): object {
  return { status: 'outcome_unknown', server, tool, namespaced, retried: false }
}
