// An agent whose client `init` knows, in gateway mode: the same entry, approvals and journal as `init` writes.
import { ClientConfigError, isRefusal } from '../client-config-error.ts'
import { type Client, type ServerDefinition } from '../clients/client.ts'
import { DocumentError } from '../../documents/document-error.ts'
import { readDocumentFile, sha256 } from '../../documents/document-file.ts'
import { nodeAt, toLoose } from '../../documents/tree.ts'
import { cameByNpx, entryName, entryVariables } from '../entry/server-entry.ts'
import { parseFile } from '../files/file-plan.ts'
import { planInit } from '../init/plan.ts'
import { type InitPlan, type InitRequest } from '../init/request.ts'
import { planIdOf, type WriteContext, writePlan, type WrittenFile } from '../init/write.ts'
import { journalKey, type SetupJournal } from '../journal/journal.ts'
import { type ConfiguredAgent, hasRouting } from './desired.ts'
import { describeUpdate } from './detail.ts'
import { type KeptEntry, keptEntry } from './kept-entry.ts'
import { findKind, type SyncKind } from './kind.ts'
import { planAgent, type PlannedChange } from './plan-agent.ts'
import { type AgentResult, expandHome, type SyncContext } from './sync-agent.ts'
import { type PlanRecord, type SyncState, type WrittenRecord, withPlan } from './sync-state.ts'

/** What `init` would be asked for, apart from what the agent's own file and entry say. */
export interface ClientWishes {
  request: Pick<
    InitRequest,
    'program' | 'configFile' | 'trust' | 'trustsThatItAsks' | 'viaNpx' | 'guardedIdentity' | 'experimentalPins'
  >
  lists(agent: string | undefined): InitRequest['lists']
  /** The backends that flags or this machine give, or those of the entry that is kept. Throws `setup_refused` without any. */
  connection(kept: KeptEntry | undefined): Pick<InitRequest, 'connection' | 'tokens' | 'notes'>
}

/** Plans, and with `write` carries out, the changes of one agent. A refusal is the result's `error`, never thrown. */
export function syncClient(
  name: string,
  agent: ConfiguredAgent,
  client: Client,
  wishes: ClientWishes,
  context: SyncContext,
): AgentResult {
  try {
    if (agent.disabled === true) return { agent: name, changes: [], applied: false, skipped: 'it is disabled' }
    return run(name, agent, client, wishes, context)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { agent: name, changes: [], applied: false, error: error.message }
  }
}

/** A plan of `init` with what else goes from the file. */
type ClientPlan = InitPlan & { synced: PlannedChange[]; owned: string[] }

function run(
  name: string,
  agent: ConfiguredAgent,
  client: Client,
  wishes: ClientWishes,
  context: SyncContext,
): AgentResult {
  const { environment, journals, now, write, state } = context
  const kind = findKind(agent.type, environment)
  const path = expandHome(agent.path, environment)
  const replan = (): ClientPlan => planClient(name, agent, { client, kind, path, wishes, context })
  const plan = replan()
  const entryFile = plan.files.at(-1)
  const common = { agent: name, kind: kind.name, path: entryFile?.file.path ?? path }
  if (plan.program !== undefined)
    return {
      ...common,
      changes: [],
      applied: false,
      skipped: `${plan.program.path} is a script, which is never edited; init ${client.name} shows its lines`,
    }
  const planId = planIdOf(now, name)
  const result = { plan_id: planId, ...common, changes: plan.synced }
  if (plan.synced.length === 0) return { ...result, applied: false }
  const files = plan.files.filter(({ changes }) => changes.length > 0).map(changeOf)
  const told = { ...result, ...(plan.notes.length > 0 ? { notes: plan.notes } : {}), files, lists: plan.lists }
  if (!write) return { ...told, applied: false }
  const before = state.read()
  const key = journalKey(client.name, 'user', environment)
  const journalBefore = journals.read(key) ?? null
  const record = (done: ClientPlan, written: readonly WrittenFile[]): PlanRecord =>
    recordOf(
      { planId, agent: name, before, journalBefore, journal: journals.read(key) ?? null, client: client.name },
      done,
      written,
    )
  state.write({ ...before, pending: record(plan, []) })
  const request = { client, scope: 'user' as const, environment, journals, replan }
  const backups = new Map<string, WrittenFile>()
  const writing: WriteContext = {
    ...{ planId, now, programVersion: wishes.request.program.version, onStep: context.onStep },
    // If this process dies after the replacement, the plan still knows the backup that is its own.
    onBackup: (file) => {
      backups.set(file.path, file)
      state.write({ ...before, pending: record(plan, [...backups.values()]) })
    },
  }
  const { plan: done, written, takeBack } = writePlan(request, plan, writing)
  try {
    state.write(withPlan(before, record(done, written)))
  } catch (cause) {
    takeBack()
    const what = `the plan could not be recorded; ${common.path} has its old content again`
    throw new DocumentError('file_unwritable', what, { cause })
  }
  const backup = written.find((file) => file.path === common.path)?.backup
  return { ...told, applied: true, ...(backup === undefined ? {} : { backup }) }
}

function planClient(
  name: string,
  agent: ConfiguredAgent,
  {
    client,
    kind,
    path,
    wishes,
    context,
  }: { client: Client; kind: SyncKind; path: string; wishes: ClientWishes; context: SyncContext },
): ClientPlan {
  const { environment, journals, force, state } = context
  const file = readDocumentFile(path)
  const document = parseFile(file, kind.format)
  const node = nodeAt(document.root, [...kind.section, entryName])
  const current = node && client.shape.read(toLoose(node))
  const owned = state.read().owned[name] ?? []
  const isOurs = owned.includes(entryName) || journals.recordOf(file.path, [...kind.section, entryName]) !== undefined
  // Of a stranger's entry nothing is kept.
  const kept = current !== undefined && (isOurs || force) ? keptEntry(current) : undefined
  const copies = owned.filter((each) => each !== entryName)
  const others = planAgent(document, {
    file: path,
    kind,
    desired: new Map(),
    owned: copies,
    removable: copies,
    force,
    isOurs,
  })
  const { request } = wishes
  const agentName = hasRouting(agent) ? name : undefined
  const plan = planInit({
    ...request,
    client,
    scope: 'user',
    file: path,
    ...wishes.connection(kept),
    agent: agentName,
    lists: wishes.lists(agentName),
    trust: request.trust || kept?.isTrusted === true,
    trustsThatItAsks: request.trustsThatItAsks || kept?.isTrusted === true,
    viaNpx: request.viaNpx || (kept?.viaNpx === true && cameByNpx(request.program)),
    ...(request.guardedIdentity || kept === undefined ? {} : { keptVariables: kept.identity }),
    force,
    isKnown: isOurs,
    moreEdits: others.edits,
    environment,
    journals,
  })
  if (plan.refusal !== undefined)
    throw new ClientConfigError('trust_refused', `not trusted, nothing written: ${plan.refusal}`)
  return { ...plan, synced: changesOf(client, plan, current, others.changes), owned: [...others.owned, entryName] }
}

/** The changes by server, as `sync` tells them. */
function changesOf(
  client: Client,
  plan: InitPlan,
  current: ServerDefinition | undefined,
  others: readonly PlannedChange[],
): PlannedChange[] {
  const changed = plan.files.filter(({ changes }) => changes.length > 0)
  const wanted = client.shape.read(client.shape.write(plan.server))
  const difference = current === undefined || wanted === undefined ? '' : describeUpdate(ours(current), ours(wanted))
  const entry = plan.files.at(-1)
  const isOnlyOthers =
    changed.length === 1 && changed[0] === entry && others.length > 0 && current !== undefined && difference === ''
  if (changed.length === 0 || isOnlyOthers) return [...others]
  const detail = current === undefined ? undefined : difference || 'approvals'
  const own: PlannedChange = {
    server: entryName,
    action: current === undefined ? 'add' : 'update',
    ...(detail === undefined ? {} : { detail }),
  }
  return [...others, own].toSorted((left, right) => (left.server < right.server ? -1 : 1))
}

/** A server with those of its variables that are ours to set. */
function ours(server: ServerDefinition): ServerDefinition {
  const isOurs = (name: string): boolean => entryVariables.some((own) => own === name)
  return { ...server, env: Object.fromEntries(Object.entries(server.env ?? {}).filter(([name]) => isOurs(name))) }
}

function changeOf({ file, before, after, changes, wish }: InitPlan['files'][number]) {
  const format = wish.kind === 'edits' ? wish.format : undefined
  return { path: file.path, before, after, changes, isNew: file.kind === 'missing', format }
}

interface Written {
  planId: string
  agent: string
  client: string
  before: SyncState
  journalBefore: SetupJournal | null
  journal: SetupJournal | null
}

function recordOf(
  { planId, agent, client, before, journalBefore, journal }: Written,
  plan: ClientPlan,
  written: readonly WrittenFile[],
): PlanRecord {
  const files = plan.files.map(({ file, after }): WrittenRecord => {
    const backup = written.find(({ path }) => path === file.path)?.backup
    const record = journal?.files.find(({ path }) => path === file.path)
    return {
      path: file.path,
      ...(backup === undefined ? {} : { backup }),
      created: file.kind === 'missing',
      createdFolders: file.kind === 'missing' ? (record?.createdFolders ?? []) : [],
      after: sha256(after),
    }
  })
  const changed = files.filter((_, index) => plan.files[index]!.changes.length > 0)
  return {
    planId,
    agent,
    ...files.at(-1)!,
    ...{
      others: changed.slice(0, changed.at(-1) === files.at(-1) ? -1 : undefined),
      journal: { client, before: journalBefore },
    },
    ownedBefore: before.owned[agent] ?? [],
    ownedAfter: plan.owned,
  }
}
