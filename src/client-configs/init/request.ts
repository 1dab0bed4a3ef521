// What `init CLIENT` is asked for, and what it plans to do.
import { type Approvals, type Client, type SetupScope } from '../clients/client.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { type EntryConnection, type Program, type ServerEntry } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'
import { type Edit } from '../../documents/edit.ts'
import { type FilePlan } from '../files/file-plan.ts'
import { type JournalStore } from '../journal/journal.ts'

/** Everything that a plan depends on, apart from the files. */
export interface InitRequest {
  client: Client
  scope: SetupScope
  /** The client file to use, when the user named one. */
  file?: string
  program: Program
  connection: EntryConnection
  configFile?: string
  agent?: string
  lists: ApprovalLists
  /** Protected tools shall be offered, because the client asks a person. */
  trust: boolean
  /** The user says that a client which we cannot tell to ask does ask. */
  trustsThatItAsks: boolean
  /** Adopt an entry that somebody else made. */
  force: boolean
  viaNpx: boolean
  /** The entry is known as ours to whoever asks, whatever the journals say. */
  isKnown?: boolean
  /** Variables of an entry that stay as they are, for who names purchases. */
  keptVariables?: Readonly<Record<string, string>>
  /** Further edits of the entry's file. */
  moreEdits?: readonly Edit[]
  /** The router shall name the purchases of this client, which sends no id of a call. */
  guardedIdentity: boolean
  experimentalPins: boolean
  /** The configuration's response budget, when it is not the default. */
  responseBudgetBytes?: number
  /** Contents of token files that were read; no value of an entry may equal one. */
  tokens: readonly string[]
  /** What came up while the backends were found. */
  notes: readonly string[]
  environment: Environment
  journals: JournalStore
}

/** What would be written, and what else there is to say. */
export interface InitPlan {
  client: Client
  scope: SetupScope
  /** What the client will start. */
  server: ServerEntry
  /** In the order of writing: the server entry comes last, so that no tool is reachable before its rules. */
  files: FilePlan[]
  /** A program of the user's that has to be edited by hand instead of a file. */
  program?: { path: string; lines: string[] }
  approvals: Approvals
  lists: ApprovalLists
  trusted: boolean
  /** The client's spends will be told apart, so that they are accepted. */
  canSpend: boolean
  /** Why the trust that was asked for is not given; then nothing may be written. */
  refusal?: string
  notes: string[]
  /** SHA-256 of the files that the plan was judged by, in lowercase hex; undefined for one that was not there. */
  judgedBy: ReadonlyMap<string, string | undefined>
}
