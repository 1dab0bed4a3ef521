// What we wrote into clients' files, kept in our data folder so that it can be taken back. A record is written
// as pending before its file is replaced, so that a crash in between leaves no entry that nobody owns.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type SetupScope } from '../clients/client.ts'
import { type FormatName } from '../../documents/format.ts'
import { type Change } from '../../documents/splice.ts'
import { type Path } from '../../documents/tree.ts'
import { type Environment } from '../environment.ts'
import { sha256, sha256OfFile } from '../../documents/document-file.ts'
import { readPrivateJson, writePrivateFile } from '../../documents/private-file.ts'
import { type Claim } from './claims.ts'

/** One file that we changed. */
export interface FileRecord {
  /** The file itself, links resolved. */
  path: string
  /** `whole` for a file that is ours alone. */
  format: FormatName | 'whole'
  /** Where our server entry is in it, if it is. */
  entryPath?: Path
  /** The file was not there before. */
  created: boolean
  /** Folders that we made for it, the outermost first. */
  createdFolders: string[]
  /** SHA-256 of the bytes that we left, in lowercase hex. */
  after: string
  /** SHA-256 of the bytes we found, and the changes that lead back to them, in the order in which to apply them. */
  back: { sha256: string; rounds: Change[][] } | null
  /** Everything in the file that is ours, from this and earlier changes. */
  claims: Claim[]
}

/** A file whose permission bits we changed, and nothing else. */
export interface ModeRecord {
  path: string
  before: number
  after: number
}

/** What was set up for one client in one scope. */
export interface SetupJournal {
  version: 1
  planId: string
  client: string
  scope: SetupScope
  /** The project's folder; null in user scope. */
  project: string | null
  programVersion: string
  writtenAt: string
  files: FileRecord[]
  /** Files of secrets that were made private, with the permission bits that they had. */
  modes?: ModeRecord[]
  /** Written before a file is replaced; judged by that file's bytes when it is read. */
  pending: FileRecord[]
}

/** Which journal is meant. */
export type JournalKey = Pick<SetupJournal, 'client' | 'scope' | 'project'>

/** The journals of one data folder. */
export interface JournalStore {
  read(key: JournalKey): SetupJournal | undefined
  write(journal: SetupJournal): void
  remove(key: JournalKey): void
  /** Every journal, in the order of their file names. */
  all(): SetupJournal[]
  /** The record of a file in any journal; the path is the resolved one. */
  recordOf(file: string, entryPath?: Path): FileRecord | undefined
}

/** The key of a client in a scope. */
export function journalKey(client: string, scope: SetupScope, { cwd }: Pick<Environment, 'cwd'>): JournalKey {
  return { client, scope, project: scope === 'user' ? null : cwd }
}

/** Opens the journals. A journal that cannot be read counts as missing only when it does not exist. */
export function openJournals(dataFolder: string): JournalStore {
  const folder = path.join(dataFolder, 'clients')
  const fileOf = ({ client, scope, project }: JournalKey): string => {
    const suffix = project === null ? '' : `-${scope}-${sha256(project).slice(0, 16)}`
    return path.join(folder, `${client}${suffix}.json`)
  }
  const load = (file: string): SetupJournal | undefined => {
    const found = readPrivateJson(file)
    return found === undefined ? undefined : settle(found as SetupJournal)
  }
  const all = (): SetupJournal[] => listNames(folder).flatMap((name) => load(path.join(folder, name)) ?? [])
  return {
    read: (key) => load(fileOf(key)),
    write: (journal) => writePrivateFile(fileOf(journal), JSON.stringify(journal, null, 2) + '\n'),
    remove: (key) => rmSync(fileOf(key), { force: true }),
    all,
    recordOf(file, entryPath) {
      for (const journal of all()) {
        const record = journal.files.find(
          (each) => each.path === file && (entryPath === undefined || same(each.entryPath, entryPath)),
        )
        if (record !== undefined) return record
      }
      return undefined
    },
  }
}

/** A journal with a record added; a second change of the same file continues the first. */
export function withRecord(journal: SetupJournal, record: FileRecord): SetupJournal {
  const known = journal.files.find((each) => each.path === record.path)
  const files = journal.files.filter((each) => each !== known)
  return { ...journal, files: [...files, known === undefined ? record : chain(known, record)], pending: [] }
}

/** Two changes in a row lead back in one go only when nobody changed the file between them. */
function chain(earlier: FileRecord, later: FileRecord): FileRecord {
  const isUnbroken = earlier.back !== null && later.back !== null && later.back.sha256 === earlier.after
  return {
    ...later,
    entryPath: later.entryPath ?? earlier.entryPath,
    created: earlier.created,
    createdFolders: earlier.createdFolders,
    back: isUnbroken
      ? { sha256: earlier.back!.sha256, rounds: [...later.back!.rounds, ...earlier.back!.rounds] }
      : null,
  }
}

/** A pending record counts when its file has the bytes that were to be written, and is forgotten otherwise. */
function settle(journal: SetupJournal): SetupJournal {
  return journal.pending.reduce(
    (settled, record) => (sha256OfFile(record.path) === record.after ? withRecord(settled, record) : settled),
    { ...journal, pending: [] as FileRecord[] },
  )
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
  } catch {
    return []
  }
}

function same(left: Path | undefined, right: Path): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
