// What changes without anybody having asked, as subscriptions and streams hear of it.
import type { Caller } from './request.ts'

/** The lists that can change. */
export const changingLists = ['tools', 'prompts', 'resources'] as const
export type ChangingList = (typeof changingLists)[number]

/** For each list another text whenever it would be answered differently; absent: this router has no such list. */
export type ListDigests = Partial<Readonly<Record<ChangingList, string>>>

/** A resource that is watched. */
export interface WatchedResource {
  end(): void
}

/** A log message of a mounted server that belongs to no single call. */
export interface ServerLog {
  server: string
  params: object
  /** Whose calls the server works on now; undefined: nobody's. */
  principal: string | undefined
}

/** Where news come from. */
export interface News {
  /** What this caller's lists are now. */
  digests(caller: Caller): ListDigests
  /** Calls back when a list may have changed, some of it together. The result ends that. */
  onChange(listener: () => void): () => void
  /** Tells of each change of a resource until it is ended. Rejects where it cannot be watched, with the reason. */
  watch(
    uri: string,
    how: { caller: Caller; signal: AbortSignal; onUpdated: (uri: string) => void },
  ): Promise<WatchedResource>
  /** Calls back with each log message of a mounted server that belongs to no single call and that this caller may see. */
  onLog(caller: Caller, listener: (params: object) => void): () => void
}
