// Where a call to a mounted server goes, found by any of the names that a tool answers to.
import type { Origin } from '../answers/answer.ts'
import type { MountedTool } from '../downstream/definition.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { shortName, publicName } from '../names/short-name.ts'
import type { AgentView } from './agent.ts'

/** A tool that was named; it may be unknown. */
export interface MountedTarget {
  origin: Origin
  /** The name without a redundant server prefix. */
  shortName: string
  /** Undefined while the server is not connected or has no such tool. */
  tool: MountedTool | undefined
  isInScope: boolean
}

/** A name as it was given, and the server and the tool that it is made of. */
export interface GivenName {
  given: string
  server: string
  tool: string
}

/**
 * Finds what a name means. A server that is first being connected is waited for, so that its tools can be told apart; one
 * outside the scope is not.
 */
export type FindTarget = (name: GivenName, signal: AbortSignal) => Promise<MountedTarget>

export function createFindTarget(mounts: Mounts, { scope }: AgentView): FindTarget {
  return async ({ given, server, tool }, signal) => {
    if (scope.allowsServer(server)) await mounts.whenPublished(server, signal)
    const found = mounts.findPublic(given) ?? mounts.find(server, tool)
    const wireName = found?.wireName ?? tool
    const part = found?.shortName ?? shortName(server, tool)
    const owner = found?.server ?? server
    return {
      origin: {
        server: owner,
        tool: wireName,
        namespaced: found?.publicName ?? (mounts.bare === server ? part : publicName(server, part)),
      },
      shortName: part,
      tool: found,
      isInScope: scope.allows(owner, wireName),
    }
  }
}
