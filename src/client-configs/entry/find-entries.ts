// Every entry of ours that clients have, wherever `init` or a person put it. Only reads.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readDocumentFile } from '../../documents/document-file.ts'
import { nodeAt, type Path, toLoose } from '../../documents/tree.ts'
import { isRefusal } from '../client-config-error.ts'
import { type Client, type ServerDefinition, type SetupScope } from '../clients/client.ts'
import { clients } from '../clients/client-list.ts'
import { type Environment } from '../environment.ts'
import { parseFile } from '../files/file-plan.ts'
import { type FileRecord, type JournalKey, type JournalStore, journalKey } from '../journal/journal.ts'
import { expandedServer } from './shared-entry.ts'
import { entryName, type Program } from './server-entry.ts'

/** One entry of ours in one file. */
export interface FoundEntry {
  client: Client
  scope: SetupScope
  /** The folder that its scope is about; the working directory in user scope. */
  cwd: string
  file: string
  entryPath: Path
  /** Our usual name, or the one that somebody gave a second entry. */
  name: string
  server: ServerDefinition
  /** True when the journal of this set-up has it, so that it may be mended and undone. */
  isJournalled: boolean
  /** It starts this program or another copy of it; false for a stranger under our name. */
  isOurs: boolean
  /**
   * False for one of a project's file that `init` has not written, or that was changed since: whoever can write the project says what
   * it starts and what it is told, so nothing of it is started or used before a person has agreed.
   */
  isTrusted: boolean
}

/** A client's file that cannot be read, so that nobody knows what is in it. */
export interface UnreadableFile {
  client: Client
  file: string
  /** A sentence that names the file. */
  reason: string
}

/** What a look at all clients found. */
export interface FoundEntries {
  entries: FoundEntry[]
  unreadable: UnreadableFile[]
}

/** The entries of all clients, or of one, in the order of the list of clients; those of the working directory's project too. */
export function findEntries(
  environment: Environment,
  journals: JournalStore,
  program: Program,
  only?: Client,
): FoundEntries {
  const found: FoundEntries = { entries: [], unreadable: [] }
  const seen = new Set<string>()
  for (const place of placesOf(environment, journals, only)) {
    const { client, file, section } = place
    const key = JSON.stringify([client.name, file, section])
    if (seen.has(key)) continue
    seen.add(key)
    try {
      // One file can be reached by several ways.
      const isNew = (entry: FoundEntry) => !found.entries.some((known) => isSameEntry(known, entry))
      found.entries.push(...entriesAt(place, journals, program, environment).filter(isNew))
    } catch (error) {
      if (!isRefusal(error)) throw error
      found.unreadable.push({ client, file, reason: error.message })
    }
  }
  return { ...found, entries: found.entries.filter((entry) => !isOfAnother(entry, found.entries)) }
}

/** Some files of projects are read by several clients: the entry belongs to the one that `init` was run for. */
function isOfAnother(entry: FoundEntry, entries: readonly FoundEntry[]): boolean {
  const place = ({ file, entryPath }: FoundEntry) => JSON.stringify([file, entryPath])
  return !entry.isJournalled && entries.some((other) => other.isJournalled && place(other) === place(entry))
}

/** True for a command line that starts this program or another copy of it. */
export function startsUs(words: readonly string[], { bundlePath, packageName }: Program): boolean {
  return words.some((word) => {
    const base = word.split(/[\\/]/).at(-1) ?? ''
    return (
      word === bundlePath || base === packageName || base.startsWith(`${packageName}@`) || isCopy(word, packageName)
    )
  })
}

/** One section of one file. */
interface Place {
  client: Client
  scope: SetupScope
  cwd: string
  file: string
  section: Path
}

function placesOf(environment: Environment, journals: JournalStore, only: Client | undefined): Place[] {
  const journalled = journals.all()
  return (only === undefined ? clients : [only]).flatMap((client) => {
    const here = scopes.map((scope) => ({ scope, cwd: environment.cwd }))
    const elsewhere = journalled
      .filter((journal) => journal.client === client.name && journal.project !== null)
      .map(({ scope, project }) => ({ scope, cwd: project! }))
    const usual = [...here, ...elsewhere].flatMap(({ scope, cwd }) => {
      const where = { ...environment, cwd }
      const section = client.section(where, scope)
      return client.files(where, scope).map((file): Place => ({ client, scope, cwd, file, section }))
    })
    // A file that was named with --file or by an agent of the configuration.
    const named = journalled
      .filter((journal) => journal.client === client.name)
      .flatMap(({ scope, project, files }) =>
        files.flatMap(({ path: file, entryPath }): Place[] =>
          entryPath === undefined
            ? []
            : [{ client, scope, cwd: project ?? environment.cwd, file, section: entryPath.slice(0, -1) }],
        ),
      )
    return [...usual, ...named]
  })
}

const scopes: readonly SetupScope[] = ['user', 'project', 'local']

function entriesAt(
  { client, scope, cwd, file, section }: Place,
  journals: JournalStore,
  program: Program,
  environment: Environment,
): FoundEntry[] {
  const read = readDocumentFile(file)
  if (read.kind === 'missing') return []
  const node = nodeAt(parseFile(read, client.format).root, section)
  if (node?.kind !== 'object') return []
  return node.members.flatMap(({ key: name, value }): FoundEntry[] => {
    const written = client.shape.read(toLoose(value))
    if (written === undefined) return []
    const server = expandedServer(written, client, environment)
    const entryPath = [...section, name]
    const record = recordOf(journals, journalKey(client.name, scope, { cwd }), read.path, entryPath)
    const isJournalled = record !== undefined
    const isOurs = isJournalled || startsUs([server.command ?? '', ...(server.args ?? [])], program)
    if (!isOurs && name !== entryName) return []
    const isTrusted = isOurs && (scope !== 'project' || record?.after === read.sha256)
    return [{ client, scope, cwd, file: read.path, entryPath, name, server, isJournalled, isOurs, isTrusted }]
  })
}

function isSameEntry(left: FoundEntry, right: FoundEntry): boolean {
  const key = ({ client, file, entryPath }: FoundEntry) => JSON.stringify([client.name, file, entryPath])
  return key(left) === key(right)
}

function recordOf(journals: JournalStore, key: JournalKey, file: string, entryPath: Path): FileRecord | undefined {
  const files = journals.read(key)?.files ?? []
  return files.find((record) => record.path === file && JSON.stringify(record.entryPath) === JSON.stringify(entryPath))
}

/** A bundle beside a package.json that has our name. */
function isCopy(word: string, packageName: string): boolean {
  if (!path.isAbsolute(word) || path.basename(word) !== 'main.js') return false
  try {
    const file = path.join(path.dirname(word), '..', 'package.json')
    return (
      existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown } | null)?.name === packageName
    )
  } catch {
    return false
  }
}
