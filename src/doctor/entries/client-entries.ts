// What clients start of us, and how to try it.
import type { FoundEntry, UnreadableFile } from '../../client-configs/entry/find-entries.ts'
import type { DeadPath } from '../../client-configs/entry/dead-paths.ts'
import type { RouterSettings } from '../router.ts'
import type { StartedEntry } from './start-entry.ts'

/** The settings that one or several clients give a router. */
export interface RouterOfClients extends RouterSettings {
  /** Their names, as `init` takes them. */
  clients: string[]
}

/** Everything about entries that an examination asks for. */
export interface ClientEntries {
  entries: readonly FoundEntry[]
  unreadable: readonly UnreadableFile[]
  /** Only one client is looked at, whether it has an entry or not. */
  isOfOneClient: boolean
  /** The client that was asked for by name, when it has no entry. */
  absent(): string[]
  /** Each different router that the entries start, once. */
  routers(): RouterOfClients[]
  deadPaths(entry: FoundEntry): DeadPath[]
  /** Sentences about other entries of that client, and which of them wins. */
  rivals(entry: FoundEntry): string[]
  start(entry: FoundEntry): Promise<StartedEntry>
  /** What another copy of this program says it is; undefined for this copy, and for one that does not say. */
  stampOf(entry: FoundEntry): Promise<{ productVersion: string; sourceCommit: string } | undefined>
  /** A path as people are shown it, from `~`. */
  show(path: string): string
  /** Hears what is being done, for a person who waits. */
  onProgress(done: number, all: number): void
}
