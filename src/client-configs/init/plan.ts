// Plans `init CLIENT`: the entry, the approval rules, whether protected tools are trusted. Reads files, writes nothing.
import { ClientConfigError } from '../client-config-error.ts'
import { type ApprovalRequest, type Approvals, type Look } from '../clients/client.ts'
import { type Edit } from '../../documents/edit.ts'
import { nodeAt, type Path, type PlainObject, toLoose } from '../../documents/tree.ts'
import { entryName, entryVariables, serverEntry, type ServerEntry } from '../entry/server-entry.ts'
import { sharedEntry } from '../entry/shared-entry.ts'
import { type DocumentFile, readDocumentFile } from '../../documents/document-file.ts'
import { type FilePlan, type FileWish, parseFile, planFile } from '../files/file-plan.ts'
import { maskArguments, maskUrls } from '../files/mask.ts'
import { pathOf } from '../environment.ts'
import { journalKey } from '../journal/journal.ts'
import { isSynced } from '../sync/sync-state.ts'
import { chooseFile } from './choose-file.ts'
import { canSpend, noteProblems } from './notes.ts'
import { type InitPlan, type InitRequest } from './request.ts'
import { decideTrust } from './trust.ts'

/** Reads the client's files and works out what to write. Throws a ClientConfigError or DocumentError for what cannot be. */
export function planInit(request: InitRequest): InitPlan {
  const { client, scope, environment, lists } = request
  refuseGuarded(request)
  const entryPath = [...client.section(environment, scope), entryName]
  const file = chooseFile(client, scope, environment, entryPath, request.file)
  const { look, judgedBy } = looksOf(file)
  const asked: ApprovalRequest = { ...request, entryFile: file.path, entryPath, look }
  const approvals = client.approvals(asked)
  const { trusted, refusal } = decideTrust(request, approvals)
  const guarded = request.guardedIdentity ? { guardedFor: client.name } : {}
  const made = serverEntry({ ...request, trustsClientApproval: trusted, ...guarded }, environment)
  const own = { ...made, env: { ...made.env, ...request.keptVariables } }
  refuseBadValues(request, own)
  const server = scope === 'project' ? sharedEntry(own, client, request.connection, environment) : own
  if (scope === 'project') refuseHomePaths(request, server, file.path)
  const program = client.program?.({ ...asked, server })
  const isForeign = program === undefined && refuseForeign(request, file, entryPath)
  const wishes: FileWish[] = [
    ...(approvals.files ?? []),
    {
      kind: 'edits',
      path: file.path,
      format: client.format,
      entryPath,
      edits: [
        ...(request.moreEdits ?? []),
        ...(approvals.edits ?? []),
        ...entryEdits(request, entryPath, server, approvals, file),
      ],
    },
  ]
  const files = program === undefined ? wishes.map((wish) => planWish(request, wish, file, isForeign)) : []
  const notes = [...(approvals.notes ?? []), ...noteProblems(request, server, file.path, look), ...request.notes]
  return {
    client,
    scope,
    server,
    files,
    program,
    approvals,
    lists,
    trusted,
    canSpend: canSpend(request),
    refusal,
    notes,
    judgedBy,
  }
}

function entryEdits(
  { client }: InitRequest,
  entryPath: Path,
  server: ServerEntry,
  approvals: Approvals,
  file: DocumentFile,
): Edit[] {
  const members = { ...client.shape.write(server), ...approvals.entry }
  const defaults: PlainObject = { ...client.entryDefaults, ...approvals.entryDefaults }
  const merge: Edit[] = [
    { kind: 'merge', path: entryPath, members },
    { kind: 'merge', path: entryPath, members: defaults, missingOnly: true },
  ]
  // Variables of ours that are not wanted any more go, whoever wrote them; all others in the entry are the user's.
  const entry = nodeAt(parseFile(file, client.format).root, entryPath)
  const envKey = client.shape.modelled.includes('environment') ? 'environment' : 'env'
  const env = entry && nodeAt(entry, [envKey])
  const stale = entryVariables.filter((name) => !(name in server.env) && env && nodeAt(env, [name]) !== undefined)
  const removals = stale.map((name): Edit => ({ kind: 'remove', path: [...entryPath, envKey, name] }))
  return [...removals, ...merge]
}

/** Refuses an entry that is not ours, unless it is to be adopted or says everything already. */
function refuseForeign(
  { client, journals, force, isKnown, environment }: InitRequest,
  file: DocumentFile,
  entryPath: Path,
): boolean {
  if (file.kind === 'missing') return false
  const entry = nodeAt(parseFile(file, client.format).root, entryPath)
  if (entry === undefined || isKnown === true || journals.recordOf(file.path, entryPath) !== undefined) return false
  if (isSynced(environment.dataFolder, file.path, entryName)) return false
  return !force && client.adopts?.(file.text, entryPath) !== true
}

function planWish(request: InitRequest, wish: FileWish, entryFile: DocumentFile, isForeign: boolean): FilePlan {
  const file = wish.path === entryFile.path ? entryFile : readDocumentFile(wish.path)
  const { client, scope, environment, journals } = request
  // What other scopes have in the same file is theirs.
  const own = journals.read(journalKey(client.name, scope, environment))?.files ?? []
  const plan = planFile(
    wish,
    file,
    own.find((record) => record.path === file.path),
  )
  const isKnown = journals.recordOf(file.path) !== undefined
  const isOurs = wish.kind === 'edits' || isKnown || file.kind === 'missing' || request.force
  if (!isOurs && plan.changes.length > 0) throw foreign(file.path, 'a file of that name')
  if (isForeign && wish.kind === 'edits' && wish.entryPath !== undefined && plan.changes.length > 0) {
    const entry = nodeAt(parseFile(file, wish.format).root, wish.entryPath)
    throw foreign(file.path, `an entry ${showEntry(entry && toLoose(entry))}`)
  }
  return plan
}

function foreign(path: string, what: string): ClientConfigError {
  return new ClientConfigError(
    'foreign_entry',
    `${path} has ${what} that this program did not write; --force takes it over, keeping the keys it does not set`,
  )
}

/** An entry that is not ours, for people: no secrets, environment variables by name only. */
function showEntry(entry: unknown): string {
  const { command, args, env, environment, url } = (entry ?? {}) as Record<string, unknown>
  const words = [command, args].flat().filter((word) => typeof word === 'string')
  const names = Object.keys((env ?? environment ?? {}) as object)
  const parts = [maskArguments(words).join(' '), typeof url === 'string' ? maskUrls(url) : '', names.join(', ')]
  return `${entryName} (${parts.filter((part) => part !== '').join('; ')})`
}

/** Values that the client would expand, and values that are secrets, are never written. */
function refuseBadValues({ client, environment, tokens }: InitRequest, server: ServerEntry): void {
  const values = [server.command, ...server.args, ...Object.values(server.env)]
  const expanded = values.find((value) => client.expands?.(value, environment.platform))
  if (expanded !== undefined) {
    throw new ClientConfigError(
      'setup_refused',
      `${client.title} would expand the value ${expanded}; use a path without such signs`,
    )
  }
  if (values.some((value) => tokens.includes(value.trim()))) {
    throw new ClientConfigError('setup_refused', 'a value of the entry is a token; entries name token files only')
  }
}

/** What a project's people share names no home folder: others cannot use it, and it tells who wrote it. */
function refuseHomePaths({ client, environment }: InitRequest, server: ServerEntry, file: string): void {
  const { sep } = pathOf(environment)
  const named = [server.command, ...server.args, ...Object.values(server.env)].find((value) =>
    value.startsWith(environment.home + sep),
  )
  if (named === undefined) return
  throw new ClientConfigError(
    'setup_refused',
    `${file} is shared with everybody who works on the project, and ${client.title} has no word for a home folder there, so it would ` +
      `name ${named}. Run init with --scope user, or keep program, tokens and --state-file outside of your home folder`,
  )
}

/** Reads each file of the client once, so that all rules are judged on the same bytes. */
export function looksOf(entryFile: DocumentFile): { look: Look; judgedBy: InitPlan['judgedBy'] } {
  const seen = new Map<string, ReturnType<Look>>()
  const judgedBy = new Map<string, string | undefined>()
  const look: Look = (path, format) => {
    if (!seen.has(path)) {
      const file = path === entryFile.path ? entryFile : readDocumentFile(path)
      judgedBy.set(path, file.kind === 'missing' ? undefined : file.sha256)
      seen.set(path, file.kind === 'missing' ? undefined : parseFile(file, format))
    }
    return seen.get(path)
  }
  return { look, judgedBy }
}

function refuseGuarded({ client, guardedIdentity }: InitRequest): void {
  if (!guardedIdentity || client.sendsCallId !== true) return
  throw new ClientConfigError(
    'usage',
    `${client.title} sends an id with each call, which tells two purchases apart better than --guarded-identity could; run init without it`,
  )
}
