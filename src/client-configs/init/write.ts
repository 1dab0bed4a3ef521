// Carries out a plan: backup, compare, replace, journal; all files or none.
import path from 'node:path'
import { alwaysChanged, DocumentError } from '../../documents/document-error.ts'
import { pathOf } from '../environment.ts'
import { ClientConfigError, isRefusal } from '../client-config-error.ts'
import { applySplices, toSplices } from '../../documents/splice.ts'
import { backupName } from '../../documents/backup-name.ts'
import { readDocumentFile, sha256OfFile } from '../../documents/document-file.ts'
import { type FilePlan, recordFor } from '../files/file-plan.ts'
import { createFolders, removeFile, replaceFile, type WriteStep } from '../../documents/replace-file.ts'
import {
  type FileRecord,
  type SetupJournal,
  type JournalKey,
  journalKey,
  type JournalStore,
  withRecord,
} from '../journal/journal.ts'
import { projectBackup } from './backups.ts'
import { planInit } from './plan.ts'
import { type InitPlan, type InitRequest } from './request.ts'

/** How often a plan is made again when another program changes a file meanwhile. */
const maxAttempts = 3

/** What the outside gives to a write. */
export interface WriteContext {
  planId: string
  now: Date
  programVersion: string
  /** Lets a test act as another program, or as a power failure, at each step. */
  onStep?: (step: WriteStep, file: string) => void
  /** Hears which backup a file will have, before it is replaced. */
  onBackup?: (file: WrittenFile) => void
}

/** A file that was written. */
export interface WrittenFile {
  path: string
  backup?: string
}

/** What a write came to. */
export interface WriteResult<Plan> {
  /** The plan that was given, or the one that took its place when another program changed a file meanwhile. */
  plan: Plan
  written: WrittenFile[]
  /** Gives the files their old bytes again, as far as nobody wrote them since, and the journal what it said. */
  takeBack(): void
}

/** Whose set-up a plan belongs to, and how it is made again. */
export interface Replan<Plan> extends Pick<InitRequest, 'client' | 'scope' | 'environment' | 'journals'> {
  replan(): Plan
}

/** As much of a plan as writing asks for. */
type WritablePlan = Pick<InitPlan, 'files' | 'refusal' | 'judgedBy'>

/** `plan_<nanoseconds since 1970>_<name>`; two plans of one name never share an id unless they share their time. */
export function planIdOf(now: Date, name: string): string {
  return `plan_${BigInt(now.getTime()) * 1_000_000n}_${name}`
}

/** Writes a plan of `init`; see `writePlan`. */
export function writeInit(request: InitRequest, given: InitPlan, context: WriteContext): WriteResult<InitPlan> {
  return writePlan({ ...request, replan: () => planInit(request) }, given, context)
}

/**
 * Writes the files of a plan in order and records each in the journal. When one fails, those written before it get their
 * old bytes back. A file that changed since the plan was made is planned again; throws `file_busy` when another program
 * keeps writing it.
 */
export function writePlan<Plan extends WritablePlan>(
  request: Replan<Plan>,
  given: Plan,
  context: WriteContext,
): WriteResult<Plan> {
  const { client, scope, environment, journals } = request
  const key = journalKey(client.name, scope, environment)
  const before = journals.read(key)
  const written: { file: WrittenFile; record: FileRecord }[] = []
  let plan = given
  const undo = (): void => {
    const records = written.map(({ record }) => record)
    forget(journals, key, takeBack(records, environment.platform), before)
  }
  try {
    for (const index of given.files.keys()) {
      const done = writeOne(request, plan, index, context)
      plan = done.plan
      if (done.written !== undefined) written.push(done.written)
    }
  } catch (error) {
    // Anything else than a refusal may be the end of the process; the journal knows what was written until then.
    if (isRefusal(error)) undo()
    throw error
  }
  return { plan, written: written.map(({ file }) => file), takeBack: undo }
}

/** Takes records of files that have their old bytes again out of the journal, back to what it said before. */
function forget(
  journals: JournalStore,
  key: JournalKey,
  records: FileRecord[],
  before: SetupJournal | undefined,
): void {
  const now = journals.read(key)
  if (now === undefined) return
  const gone = new Set(records.map((record) => record.path))
  const old = (before?.files ?? []).filter((record) => gone.has(record.path))
  const files = [...now.files.filter((record) => !gone.has(record.path)), ...old]
  if (files.length === 0 && now.modes === undefined) journals.remove(key)
  else journals.write({ ...now, files })
}

function writeOne<Plan extends WritablePlan>(
  request: Replan<Plan>,
  given: Plan,
  index: number,
  context: WriteContext,
): { plan: Plan; written?: { file: WrittenFile; record: FileRecord } } {
  const { journals, environment } = request
  let plan = given
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!isStillJudged(plan, given.files.slice(0, index))) plan = request.replan()
    if (plan.refusal !== undefined) throw new ClientConfigError('trust_refused', plan.refusal)
    const file = plan.files[index]!
    if (file.changes.length === 0) return { plan }
    const journal = journalFor(request, context)
    journals.write({ ...journal, pending: [recordFor(file, [])] })
    const backup = backupFor(file, context.now, request)
    const done = { path: file.file.path, ...(backup === undefined ? {} : { backup: backup.path }) }
    context.onBackup?.(done)
    const outcome = replaceFile(file.file, file.after, {
      platform: environment.platform,
      backup,
      onStep: context.onStep,
    })
    if (outcome.kind === 'written') {
      const record = recordFor(file, outcome.createdFolders)
      recordOrTakeBack(() => journals.write(withRecord(journal, record)), record, environment.platform)
      return { plan, written: { file: done, record } }
    }
    journals.write(journal)
    plan = request.replan()
  }
  throw alwaysChanged(plan.files[index]!.file.path)
}

/** True while the files that decided about trust say what they said; those that we wrote ourselves may differ. */
function isStillJudged({ judgedBy }: WritablePlan, written: readonly FilePlan[]): boolean {
  const ours = new Set(written.map(({ file }) => file.path))
  return [...judgedBy].every(([path, sha256]) => ours.has(path) || sha256OfFile(path) === sha256)
}

/** The journal of a set-up as it is, with the marks of this write. */
export function journalFor(
  request: Pick<InitRequest, 'client' | 'scope' | 'environment' | 'journals'>,
  context: WriteContext,
): SetupJournal {
  const key = journalKey(request.client.name, request.scope, request.environment)
  const known = request.journals.read(key)
  return {
    version: 1,
    ...key,
    planId: context.planId,
    programVersion: context.programVersion,
    writtenAt: context.now.toISOString(),
    files: known?.files ?? [],
    ...(known?.modes === undefined ? {} : { modes: known.modes }),
    pending: [],
  }
}

/**
 * A file that holds our environment is never more readable in its backup than for its owner. The backup of a project's file
 * lies in our data folder, so that nobody commits it.
 */
function backupFor(
  { file, wish }: FilePlan,
  now: Date,
  { scope, environment }: Pick<InitRequest, 'scope' | 'environment'>,
): { path: string; mode: number } | undefined {
  if (file.kind === 'missing') return undefined
  const holdsEntry = wish.kind === 'edits' && wish.entryPath !== undefined
  const mode = holdsEntry ? file.mode & 0o600 : file.mode
  const { relative, isAbsolute } = pathOf(environment)
  const inside = relative(environment.cwd, file.path)
  const isProjects = scope !== 'user' && !inside.startsWith('..') && !isAbsolute(inside)
  if (!isProjects) return { path: backupName(file.path, now), mode }
  const stem = projectBackup(file.path, environment.dataFolder)
  createFolders(path.dirname(stem), [])
  return { path: backupName(stem, now), mode }
}

function recordOrTakeBack(record: () => void, written: FileRecord, platform: NodeJS.Platform): void {
  try {
    record()
  } catch (cause) {
    const isBack = takeBack([written], platform).length > 0
    const outcome = isBack
      ? 'the file has its old content again'
      : `${written.path} changed meanwhile and keeps our part; take it out by hand`
    throw new DocumentError('file_unwritable', `the journal cannot be written; ${outcome}`, { cause })
  }
}

/** Gives files their old bytes back, the last one first, and says which; one that somebody changed since stays as it is. */
function takeBack(records: readonly FileRecord[], platform: NodeJS.Platform): FileRecord[] {
  return records.toReversed().filter((record) => {
    const file = readDocumentFile(record.path)
    if (file.kind === 'missing') return true
    if (file.sha256 !== record.after || record.back === null) return false
    if (record.created) return removeFile(file, record.createdFolders)
    return replaceFile(file, goBack(file.text, record.back.rounds), { platform }).kind === 'written'
  })
}

/** A text with rounds of changes applied to it. */
export function goBack(text: string, rounds: NonNullable<FileRecord['back']>['rounds']): string {
  return rounds.reduce((now, changes) => applySplices(now, toSplices(changes)), text)
}
