// Brings one agent's file in line with the configuration: plan, back up, replace, record.
import { alwaysChanged, DocumentError, namingFile } from '../../documents/document-error.ts'
import { isRefusal } from '../client-config-error.ts'
import { editText } from '../../documents/edit-text.ts'
import { type Change } from '../../documents/splice.ts'
import { type ParsedDocument } from '../../documents/format.ts'
import { nodeAt } from '../../documents/tree.ts'
import { type ApprovalLists } from '../entry/approval-lists.ts'
import { entryName } from '../entry/server-entry.ts'
import { type Environment, pathOf } from '../environment.ts'
import { backupName } from '../../documents/backup-name.ts'
import { type DocumentFile, readDocumentFile, sha256 } from '../../documents/document-file.ts'
import { type FileChange } from '../files/difference.ts'
import { parseFile } from '../files/file-plan.ts'
import { removeFile, replaceFile, type WriteStep } from '../../documents/replace-file.ts'
import { type JournalStore } from '../journal/journal.ts'
import { planIdOf } from '../init/write.ts'
import { type ConfiguredAgent, type DesiredEntry } from './desired.ts'
import { entryPathOf, findKind, type SyncKind } from './kind.ts'
import { type AgentPlan, planAgent, type PlannedChange } from './plan-agent.ts'
import { type openSyncState, type PlanRecord, withPlan } from './sync-state.ts'

/** How one agent came out. */
export interface AgentResult {
  plan_id?: string
  agent: string
  kind?: string
  path?: string
  changes: PlannedChange[]
  backup?: string
  applied: boolean
  /** Why nothing was looked at. */
  skipped?: string
  error?: string
  notes?: string[]
  /** What the file looks like before and after, for a preview. */
  files?: FileChange[]
  /** The tools that the rules in them are about. */
  lists?: ApprovalLists
}

/** What all files of one sync run have in common. */
export interface SyncContext {
  environment: Environment
  state: ReturnType<typeof openSyncState>
  journals: JournalStore
  write: boolean
  force: boolean
  now: Date
  onStep?: (step: WriteStep, file: string) => void
}

/** What is wanted in an agent's file. */
export interface Wanted {
  desired: ReadonlyMap<string, DesiredEntry>
  /** Owned names that go when they are not desired. */
  removable: readonly string[]
}

/** Says what is wanted, or why the agent is skipped; `offload` wants less than `sync`. */
export type Want = (owned: readonly string[], document: ParsedDocument, kind: SyncKind) => Wanted | string

/** Plans, and with `write` carries out, the changes of one agent. A refusal is the result's `error`, never thrown. */
export function syncAgent(name: string, agent: ConfiguredAgent, want: Want, context: SyncContext): AgentResult {
  try {
    if (agent.disabled === true) return { agent: name, changes: [], applied: false, skipped: 'it is disabled' }
    const kind = findKind(agent.type, context.environment)
    return run(name, kind, expandHome(agent.path, context.environment), want, context)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { agent: name, changes: [], applied: false, error: error.message }
  }
}

/** A path of the configuration, with a leading `~` expanded. */
export function expandHome(path: string, environment: Environment): string {
  const { join, resolve } = pathOf(environment)
  if (path === '~' || /^~[\\/]/.test(path)) return join(environment.home, path.slice(1))
  return resolve(environment.cwd, path)
}

function run(name: string, kind: SyncKind, path: string, want: Want, context: SyncContext): AgentResult {
  const planId = planIdOf(context.now, name)
  for (let attempt = 0; attempt < 3; attempt++) {
    const state = context.state.read()
    const file = readDocumentFile(path)
    const owned = state.owned[name] ?? []
    const document = parseFile(file, kind.format)
    const wanted = want(owned, document, kind)
    const common = { agent: name, kind: kind.name, path: file.path }
    if (typeof wanted === 'string') return { ...common, changes: [], applied: false, skipped: wanted }
    const planned = plan(kind, file, document, { ...wanted, owned }, context)
    const { changes, notes } = planned.plan
    const result = { plan_id: planId, ...common, changes, ...(notes.length > 0 ? { notes } : {}) }
    if (changes.length === 0) return { ...result, applied: false }
    const files = [fileChange(file, planned, kind)]
    if (!context.write) return { ...result, applied: false, files }
    const outcome = write(name, planId, file, planned, owned, context)
    if (outcome !== undefined) return { ...result, applied: true, ...outcome, files }
  }
  throw alwaysChanged(path)
}

function fileChange(file: DocumentFile, { before, after, splices }: PlannedFile, { format }: SyncKind): FileChange {
  return { path: file.path, before, after, changes: splices, isNew: file.kind === 'missing', format }
}

interface PlannedFile {
  plan: AgentPlan
  before: string
  after: string
  splices: Change[]
}

function plan(
  kind: SyncKind,
  file: DocumentFile,
  document: ParsedDocument,
  { desired, removable, owned }: Wanted & { owned: readonly string[] },
  { journals, force }: SyncContext,
): PlannedFile {
  const before = file.kind === 'present' ? file.text : ''
  const ours = entryPathOf(kind, entryName)
  const isOurs = nodeAt(document.root, ours) !== undefined && journals.recordOf(file.path, ours) !== undefined
  const request = { file: file.path, kind, desired, removable, owned, force, isOurs }
  const planned = planAgent(document, request)
  const { text, changes } = namingFile(file.path, () => editText(kind.format, before, planned.edits, document))
  return { plan: planned, before, after: text, splices: changes }
}

/** Undefined when the file changed meanwhile. When the record cannot be written the file gets its old bytes back. */
function write(
  agent: string,
  planId: string,
  file: DocumentFile,
  planned: PlannedFile,
  ownedBefore: string[],
  context: SyncContext,
): { backup?: string } | undefined {
  const { environment, state, onStep } = context
  const backup =
    file.kind === 'present' ? { path: backupName(file.path, context.now), mode: file.mode & 0o600 } : undefined
  const record = (createdFolders: string[]): PlanRecord => ({
    planId,
    agent,
    path: file.path,
    ...(backup === undefined ? {} : { backup: backup.path }),
    created: file.kind === 'missing',
    createdFolders,
    after: sha256(planned.after),
    ownedBefore,
    ownedAfter: planned.plan.owned,
  })
  const before = state.read()
  state.write({ ...before, pending: record([]) })
  const outcome = replaceFile(file, planned.after, { platform: environment.platform, backup, onStep })
  if (outcome.kind === 'changed') return undefined
  try {
    state.write(withPlan(before, record(outcome.createdFolders)))
  } catch (cause) {
    restore(file, planned, outcome.createdFolders, environment)
    throw new DocumentError(
      'file_unwritable',
      `the plan could not be recorded; ${file.path} has its old content again`,
      { cause },
    )
  }
  return backup === undefined ? {} : { backup: backup.path }
}

/** The old bytes again, unless somebody wrote the file since. */
function restore(file: DocumentFile, planned: PlannedFile, createdFolders: string[], { platform }: Environment): void {
  const now = readDocumentFile(file.path)
  if (now.kind === 'missing' || now.text !== planned.after) return
  if (file.kind === 'missing') removeFile(now, createdFolders)
  else replaceFile(now, planned.before, { platform })
}
