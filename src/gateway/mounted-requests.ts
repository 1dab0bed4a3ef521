// Requests about resources and prompts of mounted servers, under names of ours, beside the stored results.
import type { JsonText } from '../answers/json-text.ts'
import type { CallSource } from '../calls/surface.ts'
import type { ResourceRequests } from '../calls/resource-requests.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { createPromptRequests } from './mounted-prompts.ts'
import { createMountedResources } from './mounted-resources.ts'
import { createReach } from './reach.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Whoever waits for the answer. */
export type RequestSource = Pick<CallSource, 'signal' | 'relayProgress'>

/** Answers to the requests about resources and prompts. They throw RouterError. */
export interface MountedRequests {
  listResources(params: unknown): Promise<object>
  listResourceTemplates(): Promise<object>
  readResource(params: unknown, source: RequestSource): Promise<JsonText>
  subscribe(params: unknown, source: RequestSource): Promise<object>
  unsubscribe(params: unknown, source: RequestSource): Promise<object>
  /** Proposals for an argument; none where the server has none to make. */
  complete(params: unknown, source: RequestSource): Promise<JsonText>
  listPrompts(): object
  getPrompt(params: unknown, source: RequestSource): Promise<JsonText>
}

/** Where the requests are answered. */
export interface MountedRequestOptions {
  mounts: Mounts
  /** Answers for the results that are kept; undefined when none are. */
  stored: ResourceRequests | undefined
  subscriptions: Subscriptions
}

export function createMountedRequests({ mounts, stored, subscriptions }: MountedRequestOptions): MountedRequests {
  const reach = createReach(mounts)
  return { ...createMountedResources(reach, stored, subscriptions), ...createPromptRequests(reach) }
}
