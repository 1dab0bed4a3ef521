// Takes a written plan back: its own backup, however many plans came after it.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DocumentError } from '../../documents/document-error.ts'
import { ClientConfigError } from '../client-config-error.ts'
import { backupName } from '../../documents/backup-name.ts'
import { type DocumentFile, readDocumentFile } from '../../documents/document-file.ts'
import { removeFile, replaceFile } from '../../documents/replace-file.ts'
import { type SyncContext } from './sync-agent.ts'
import { journalKey } from '../journal/journal.ts'
import { type PlanRecord, type WrittenRecord } from './sync-state.ts'

/** What a rollback did. */
export interface RollbackResult {
  plan_id: string
  agent: string
  path: string
  /** The backup whose bytes the file has now; missing when the file, being new then, was removed. */
  restored?: string
  /** Where the bytes from before the rollback are. */
  backup?: string
  notes: string[]
}

/** The agent's name in a plan id: everything behind the second underscore. Throws `usage` for another text. */
export function agentOf(planId: string): string {
  const match = /^plan_\d+_(.+)$/s.exec(planId)
  if (match === null) throw new ClientConfigError('usage', 'a plan id looks like plan_<number>_<agent>')
  return match[1]!
}

/**
 * Restores the bytes from before a plan. For a plan that is not known any more, `pathOfAgent` names the file, and its newest
 * backup is taken, which is said in the notes. Throws `setup_refused` when there is nothing to go back to.
 */
export function rollBack(
  planId: string,
  pathOfAgent: (agent: string) => string | undefined,
  context: SyncContext,
): RollbackResult {
  const agent = agentOf(planId)
  const state = context.state.read()
  const record = state.plans.find((plan) => plan.planId === planId)
  const named = record?.path ?? pathOfAgent(agent)
  if (named === undefined)
    throw new ClientConfigError('setup_refused', `there is no plan ${planId}, and no agent of that name`)
  const file = readDocumentFile(named).path
  const result = { plan_id: planId, agent, path: file }
  const notes: string[] = []
  const removed = record !== undefined && record.created && removeIfOurs(record)
  const restored = removed ? undefined : findBackup(record, file, notes)
  const backup = restored === undefined ? undefined : restore(file, restored, context)
  const stayed = new Set<string>()
  for (const other of (record?.others ?? []).toReversed()) {
    const { isBack, note } = rollBackOther(other, context)
    if (!isBack) stayed.add(other.path)
    notes.push(note)
  }
  if (record?.journal !== undefined) rollBackJournal(record.journal, planId, stayed, context)
  const owned = record === undefined ? state.owned : { ...state.owned, [agent]: record.ownedBefore }
  context.state.write({ ...state, owned })
  return {
    ...result,
    ...(restored === undefined ? {} : { restored }),
    ...(backup === undefined ? {} : { backup }),
    notes,
  }
}

/** A file of approvals; one that somebody changed since keeps what it says. */
function rollBackOther(other: WrittenRecord, context: SyncContext): { isBack: boolean; note: string } {
  const { path: file, created, backup, after } = other
  const stays = { isBack: false, note: `${file} was changed since and stays` }
  if (created) return removeIfOurs(other) ? { isBack: true, note: `${file} is removed; the plan had made it` } : stays
  const now = readDocumentFile(file)
  if (backup === undefined || now.kind === 'missing' || now.sha256 !== after) return stays
  restore(file, backup, context)
  return { isBack: true, note: `${file} has the bytes of ${backup} again` }
}

/**
 * What the journal of `init` says of the files goes back with them, unless a later set-up wrote it. Of a file that stayed it says what it
 * said, so that undo can still take our part out of it.
 */
function rollBackJournal(
  { client, before }: NonNullable<PlanRecord['journal']>,
  planId: string,
  stayed: ReadonlySet<string>,
  { journals, environment }: SyncContext,
): void {
  const key = journalKey(client, 'user', environment)
  const now = journals.read(key)
  if (now?.planId !== planId) return
  const kept = now.files.filter((record) => stayed.has(record.path))
  const earlier = (before?.files ?? []).filter((record) => !kept.some(({ path }) => path === record.path))
  if (before === null && kept.length === 0) journals.remove(key)
  else journals.write({ ...(before ?? now), files: [...earlier, ...kept] })
}

/** A file that the plan made is removed while it is as we left it. */
function removeIfOurs(record: WrittenRecord): boolean {
  const file = readDocumentFile(record.path)
  if (file.kind === 'missing') return true
  return file.sha256 === record.after && removeFile(file, record.createdFolders)
}

function findBackup(record: PlanRecord | undefined, file: string, notes: string[]): string {
  if (record?.backup !== undefined && readDocumentFile(record.backup).kind === 'present') return record.backup
  const prefix = `${path.basename(file)}.bak-`
  const folder = path.dirname(file)
  const newest = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.startsWith(prefix))
    .toSorted(byAge)
    .at(-1)
  if (newest === undefined) throw new ClientConfigError('setup_refused', `${file} has no backup to go back to`)
  notes.push('the plan has no backup of its own; the newest backup of the file was taken')
  return path.join(folder, newest)
}

/** Stamps sort as text; the `-1`, `-2` of one second as numbers. */
function byAge(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true })
}

function restore(file: string, from: string, { environment, now }: SyncContext): string | undefined {
  const source = readDocumentFile(from) as Extract<DocumentFile, { kind: 'present' }>
  const current = readDocumentFile(file)
  if (current.kind === 'present' && current.sha256 === source.sha256) return undefined
  const backup =
    current.kind === 'present' ? { path: backupName(current.path, now), mode: current.mode & 0o600 } : undefined
  const outcome = replaceFile(current, source.text, { platform: environment.platform, backup })
  if (outcome.kind === 'changed')
    throw new DocumentError('file_busy', `another program is writing ${file}; it was left alone`)
  return backup?.path
}
