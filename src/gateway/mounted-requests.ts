// Requests about resources and prompts of mounted servers, under names of ours, beside the stored results.
import type { ResourceRequests } from '../calls/resource-requests.ts'
import type { ToolScope } from '../results/results.ts'
import type { Mounts } from '../downstream/mounts.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import type { GivenAddresses } from './given-addresses.ts'
import { createPromptRequests } from './mounted-prompts.ts'
import { createMountedResources } from './mounted-resources.ts'
import type { MountedRequests } from './offer-requests.ts'
import { createReach } from './reach.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Where the requests are answered. */
export interface MountedRequestOptions {
  mounts: Mounts
  /** Answers for the results that are kept; undefined when none are. */
  stored: ResourceRequests | undefined
  subscriptions: Subscriptions
  /** What servers gave in answers to calls; what they give in other answers joins it. */
  given: GivenAddresses
  underWay: CallsUnderWay
  /** Whether the caller may see everything of a server. */
  seesServer(server: string): boolean
  /** Whether it may see results of a tool. */
  isInScope: ToolScope
}

export function createMountedRequests({
  mounts,
  stored,
  subscriptions,
  given,
  underWay,
  seesServer,
  isInScope,
}: MountedRequestOptions): MountedRequests {
  const reach = createReach(mounts, given, underWay, seesServer)
  return { ...createMountedResources(reach, stored, { subscriptions, isInScope }), ...createPromptRequests(reach) }
}
