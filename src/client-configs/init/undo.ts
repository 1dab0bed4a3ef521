// Takes back what `init` wrote for one client.
import { type Client, type Scope } from '../clients/client.ts'
import { editText } from '../../documents/edit-text.ts'
import { json, jsonc } from '../../documents/json.ts'
import { toml } from '../../documents/toml.ts'
import { type DocumentFormat, type FormatName } from '../../documents/format.ts'
import { yaml } from '../../documents/yaml.ts'
import { alwaysChanged, DocumentError, namingFile } from '../../documents/document-error.ts'
import { type Environment } from '../environment.ts'
import { backupName } from '../../documents/backup-name.ts'
import { type PresentFile, readDocumentFile, sha256 } from '../../documents/document-file.ts'
import { parseFile } from '../files/file-plan.ts'
import { removeFile, replaceFile } from '../../documents/replace-file.ts'
import { type FileRecord, journalKey, type JournalStore } from '../journal/journal.ts'
import { undoEdits } from '../journal/undo-edits.ts'
import { goBack, type WriteContext } from './write.ts'

/** What is to be undone. */
export interface UndoRequest {
  client: Client
  scope: Scope
  /** Remove values of ours that the user edited, too. */
  force: boolean
  environment: Environment
  journals: JournalStore
}

/** What became of one file. */
export type UndoneFile =
  | { kind: 'restored'; path: string }
  | { kind: 'removed'; path: string }
  /** It had changed: our part is gone, except for what is named as left. */
  | { kind: 'edited'; path: string; left: string[]; lost: string[]; backup?: string }
  | { kind: 'gone'; path: string }

/**
 * Undoes the last set-up of a client, the entry first. A file that is as we left it gets the exact bytes it had; of another
 * one only our part is removed. An empty list means that there is nothing to undo.
 */
export function undoInit(request: UndoRequest, context: WriteContext): UndoneFile[] {
  const { client, scope, environment, journals, force } = request
  const key = journalKey(client.name, scope, environment)
  const journal = journals.read(key)
  if (journal === undefined) return []
  const undone: UndoneFile[] = []
  let rest = journal.files
  for (const record of journal.files.toReversed()) {
    const done = undoFile(record, { force, platform: environment.platform, ...context })
    undone.push(done)
    const isLeft = done.kind === 'edited' && done.left.length > 0
    rest = rest.flatMap((each) => (each !== record ? [each] : isLeft ? [{ ...record, back: null }] : []))
    if (rest.length === 0) journals.remove(key)
    else journals.write({ ...journal, files: rest })
  }
  return undone
}

interface UndoContext extends WriteContext {
  force: boolean
  platform: NodeJS.Platform
}

function undoFile(record: FileRecord, context: UndoContext): UndoneFile {
  const { path } = record
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = readDocumentFile(path)
    if (file.kind === 'missing') return { kind: 'gone', path }
    const isUntouched = record.back !== null && file.sha256 === record.after
    const done = isUntouched ? restore(record, file, context) : takeOut(record, file, context)
    if (done !== undefined) return done
  }
  throw alwaysChanged(path)
}

/** Undefined when the file changed meanwhile. */
function restore(record: FileRecord, file: PresentFile, context: UndoContext): UndoneFile | undefined {
  const { path } = record
  if (record.created) return removeFile(file, record.createdFolders) ? { kind: 'removed', path } : undefined
  const text = goBack(file.text, record.back!.rounds)
  if (sha256(text) !== record.back!.sha256) {
    throw new DocumentError('proof_failed', `${path}: the recorded changes do not lead back; nothing was written`)
  }
  return replaceFile(file, text, context).kind === 'written' ? { kind: 'restored', path } : undefined
}

function takeOut(record: FileRecord, file: PresentFile, context: UndoContext): UndoneFile | undefined {
  const { path } = record
  if (record.format === 'whole') return takeWhole(record, file, context)
  const format = formats[record.format]
  const { edits, left, lost } = undoEdits(parseFile(file, format).root, record, context.force)
  const { text, changes } = namingFile(path, () => editText(format, file.text, edits))
  if (changes.length === 0) return { kind: 'edited', path, left, lost }
  const backup = backupName(path, context.now)
  const options = { ...context, backup: { path: backup, mode: file.mode & 0o600 } }
  return replaceFile(file, text, options).kind === 'written' ? { kind: 'edited', path, left, lost, backup } : undefined
}

/** A file that was ours alone and that the user edited stays, unless it is forced. */
function takeWhole(record: FileRecord, file: PresentFile, { force }: UndoContext): UndoneFile | undefined {
  const { path } = record
  if (!force) return { kind: 'edited', path, left: ['the whole file'], lost: [] }
  return removeFile(file, record.createdFolders) ? { kind: 'removed', path } : undefined
}

const formats: Record<FormatName, DocumentFormat> = { json, jsonc, toml, yaml }
