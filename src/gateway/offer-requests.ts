import type { JsonText } from '../answers/json-text.ts'
import type { MountedSource } from './calls-under-way.ts'

export type RequestSource = MountedSource

/** Answers to the requests about resources and prompts. They throw RouterError. */
export interface MountedRequests {
  listResources(params: unknown, source: RequestSource): Promise<object>
  listResourceTemplates(): Promise<object>
  readResource(params: unknown, source: RequestSource): Promise<JsonText>
  subscribe(params: unknown, source: RequestSource): Promise<object>
  unsubscribe(params: unknown, source: RequestSource): Promise<object>
  /** Proposals for an argument; none where the server has none to make. */
  complete(params: unknown, source: RequestSource): Promise<JsonText>
  listPrompts(): object
  getPrompt(params: unknown, source: RequestSource): Promise<JsonText>
}
