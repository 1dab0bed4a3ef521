// Mends entries of ours as far as nobody has to be asked. Every change is journalled, so that `init --undo` takes it back.
import { chmodSync, statSync } from 'node:fs'
import { readDocumentFile } from '../../documents/document-file.ts'
import { type Plain, type PlainObject } from '../../documents/tree.ts'
import { type WriteStep } from '../../documents/replace-file.ts'
import { isRefusal } from '../client-config-error.ts'
import { type ServerDefinition } from '../clients/client.ts'
import { deadPaths, openTokenFiles, scriptOf } from '../entry/dead-paths.ts'
import { type FoundEntry } from '../entry/find-entries.ts'
import { isFleeting, type Program } from '../entry/server-entry.ts'
import { sharedPath } from '../entry/shared-entry.ts'
import { octal } from '../entry/token-file.ts'
import { type Environment } from '../environment.ts'
import { type FilePlan, planFile } from '../files/file-plan.ts'
import { mergeClaims } from '../journal/claims.ts'
import { type JournalStore } from '../journal/journal.ts'
import { journalFor, planIdOf, type WriteContext, writePlan } from '../init/write.ts'

/** What mending came to for one entry. */
export interface MendedEntry {
  client: string
  file: string
  /** What was done, as sentences. */
  done: string[]
  /** What a person has to do, as sentences. */
  left: string[]
  backup?: string
}

/** What mending is given. */
export interface MendContext {
  environment: Environment
  journals: JournalStore
  program: Program
  now: Date
  /** The caller's user; files of others are left alone. */
  uid?: number
  onStep?: (step: WriteStep, file: string) => void
}

/** Mends each entry in turn; those with nothing to mend and nothing left are not in the result. */
export function mendEntries(entries: readonly FoundEntry[], context: MendContext): MendedEntry[] {
  return entries
    .filter(({ isTrusted }) => isTrusted)
    .map((entry) => mendEntry(entry, context))
    .filter(({ done, left }) => done.length > 0 || left.length > 0)
}

function mendEntry(entry: FoundEntry, context: MendContext): MendedEntry {
  const mended: MendedEntry = { client: entry.client.name, file: entry.file, done: [], left: [] }
  try {
    mendPaths(entry, mended, context)
    for (const file of openTokenFiles(entry.server, { ...context.environment, cwd: entry.cwd }))
      mendMode(entry, file, mended, context)
  } catch (error) {
    if (!isRefusal(error)) throw error
    mended.left.push(error.message)
  }
  return mended
}

function mendPaths(entry: FoundEntry, mended: MendedEntry, context: MendContext): void {
  const { client, server } = entry
  const where = { ...context.environment, cwd: entry.cwd }
  const dead = deadPaths(server, where)
  const isWanted = dead.filter(({ what }) => what === 'command' || what === 'program')
  for (const { what, path } of dead.filter((each) => !isWanted.includes(each)))
    mended.left.push(`The ${what} ${path} is missing: put it there, or run init ${client.name} again with another one.`)
  if (isWanted.length === 0) return
  const instead = replacement(
    server,
    isWanted.map(({ what }) => what),
    context.program,
  )
  if (!entry.isJournalled || instead === undefined) {
    const whose = entry.isJournalled
      ? 'this program runs from a place that will not stay'
      : 'this program did not write it'
    const force = entry.isJournalled ? '' : ' --force'
    mended.left.push(`The entry ${entry.name} starts nothing, and ${whose}: run init ${client.name}${force} --write.`)
    return
  }
  const { backup } = writeServer(entry, instead, context)
  mended.done.push(
    `The entry ${entry.name} starts ${[instead.command, ...(instead.args ?? []).slice(0, 1)].join(' ')} now; ` +
      `${isWanted.map(({ path }) => path).join(' and ')} was gone.`,
  )
  if (backup !== undefined) mended.backup = backup
}

/** The command line with what is dead replaced by this program; undefined where that is not possible. */
function replacement(
  server: ServerDefinition,
  dead: readonly string[],
  program: Program,
): ServerDefinition | undefined {
  const args = server.args ?? []
  // Only the form that `init` writes: Node, and the bundle as its first argument.
  if (scriptOf(args) === undefined || isFleeting(program)) return undefined
  return {
    ...server,
    ...(dead.includes('command') ? { command: program.nodePath } : {}),
    ...(dead.includes('program') ? { args: [program.bundlePath, ...args.slice(1)] } : {}),
  }
}

function writeServer(
  { client, scope, cwd, file, entryPath }: FoundEntry,
  server: ServerDefinition,
  { environment: machine, journals, program, now, onStep }: MendContext,
): { backup?: string } {
  const environment = { ...machine, cwd }
  const shared = scope === 'project' ? sharedPath(client, environment) : (value: string) => value
  const { command, args = [] } = server
  const written = { ...server, ...(command !== undefined && { command: shared(command) }), args: args.map(shared) }
  const members = commandOf(client.shape.write(written))
  const plan = (): { files: FilePlan[]; judgedBy: ReadonlyMap<string, undefined> } => {
    const edit = { kind: 'merge' as const, path: entryPath, members }
    const wish = { kind: 'edits' as const, path: file, format: client.format, entryPath, edits: [edit] }
    const planned = planFile(wish, readDocumentFile(file))
    const known = journals.recordOf(file, entryPath)?.claims ?? []
    return { files: [{ ...planned, claims: mergeClaims(known, planned.claims) }], judgedBy: new Map() }
  }
  const context: WriteContext = { planId: planIdOf(now, client.name), now, programVersion: program.version, onStep }
  const { written: files } = writePlan({ client, scope, environment, journals, replan: plan }, plan(), context)
  const backup = files[0]?.backup
  return backup === undefined ? {} : { backup }
}

/** The keys of an entry that say what is started. */
function commandOf(members: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, Plain] => ['command', 'args'].includes(member[0])),
  )
}

/** Makes the file of a secret private. What it was is journalled first. */
function mendMode(
  { client, scope, cwd, isJournalled }: FoundEntry,
  { path, mode }: { path: string; mode: number },
  mended: MendedEntry,
  { environment: machine, journals, program, now, uid }: MendContext,
): void {
  const isMine = uid === undefined || statSync(path).uid === uid
  if (!isJournalled || !isMine) {
    mended.left.push(`${path} has mode ${octal(mode)}: others on this machine may read it. Run chmod 600 ${path}.`)
    return
  }
  const environment = { ...machine, cwd }
  const after = mode & 0o600
  const context: WriteContext = { planId: planIdOf(now, client.name), now, programVersion: program.version }
  const journal = journalFor({ client, scope, environment, journals }, context)
  const modes = [...(journal.modes ?? []).filter((known) => known.path !== path), { path, before: mode, after }]
  journals.write({ ...journal, modes })
  chmodSync(path, after)
  mended.done.push(`${path} has mode ${octal(after)} now; it was ${octal(mode)}.`)
}
