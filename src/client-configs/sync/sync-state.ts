// What `sync` wrote before: the entries it owns in each agent's file, and its plans, so that they can be rolled back.
// Kept in one private file of our data folder.
import path from 'node:path'
import { sha256OfFile } from '../../documents/document-file.ts'
import { type SetupJournal } from '../journal/journal.ts'
import { readPrivateJson, writePrivateFile } from '../../documents/private-file.ts'

/** A file that a plan wrote. */
export interface WrittenRecord {
  path: string
  /** The backup of the bytes before; missing when the file was new. */
  backup?: string
  created: boolean
  createdFolders: string[]
  /** SHA-256 of the bytes that we left, in lowercase hex. */
  after: string
}

/** A plan that was written; its own path is the file of the server entry. */
export interface PlanRecord extends WrittenRecord {
  planId: string
  agent: string
  /** Files with approvals that were written before it. */
  others?: WrittenRecord[]
  /** What the journal of the client's set-up said before. */
  journal?: { client: string; before: SetupJournal | null }
  ownedBefore: string[]
  ownedAfter: string[]
}

/** The file's content. */
export interface SyncState {
  version: 1
  owned: Record<string, string[]>
  plans: PlanRecord[]
  /** Written before a file is replaced; it counts when the file has the bytes that were to be written. */
  pending: PlanRecord | null
}

/** Plans remembered for rolling back. */
const maxPlans = 200

/** Opens the state of one data folder. */
export function openSyncState(dataFolder: string): { read(): SyncState; write(state: SyncState): void } {
  const file = path.join(dataFolder, 'sync.json')
  return {
    read() {
      const found = readPrivateJson(file) as SyncState | undefined
      return settle(found ?? { version: 1, owned: {}, plans: [], pending: null })
    },
    write: (state) => writePrivateFile(file, JSON.stringify(state, null, 2) + '\n'),
  }
}

/** The state after a plan was written. */
export function withPlan(state: SyncState, plan: PlanRecord): SyncState {
  return {
    ...state,
    owned: { ...state.owned, [plan.agent]: plan.ownedAfter },
    plans: [...state.plans, plan].slice(-maxPlans),
    pending: null,
  }
}

function settle(state: SyncState): SyncState {
  if (state.pending === null) return state
  return sha256OfFile(state.pending.path) === state.pending.after
    ? withPlan(state, state.pending)
    : { ...state, pending: null }
}

/** True for a file in which `sync` wrote the entry of that name last. */
export function isSynced(dataFolder: string, file: string, name: string): boolean {
  const last = openSyncState(dataFolder)
    .read()
    .plans.findLast((plan) => plan.path === file)
  return last?.ownedAfter.includes(name) === true
}
