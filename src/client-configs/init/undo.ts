// Takes back what `init` wrote for one client, or shows what that would change.
import { chmodSync, statSync } from 'node:fs'
import { editText } from '../../documents/edit-text.ts'
import { json, jsonc } from '../../documents/json.ts'
import { toml } from '../../documents/toml.ts'
import { type DocumentFormat, type FormatName } from '../../documents/format.ts'
import { yaml } from '../../documents/yaml.ts'
import { alwaysChanged, DocumentError, namingFile } from '../../documents/document-error.ts'
import { backupName } from '../../documents/backup-name.ts'
import { type PresentFile, readDocumentFile, sha256 } from '../../documents/document-file.ts'
import { parseFile } from '../files/file-plan.ts'
import { removeFile, replaceFile, type WriteStep } from '../../documents/replace-file.ts'
import { octal } from '../entry/token-file.ts'
import { type FileRecord, type JournalKey, type JournalStore, type ModeRecord } from '../journal/journal.ts'
import { undoEdits } from '../journal/undo-edits.ts'
import { type FileChange } from '../files/difference.ts'
import { goBack } from './write.ts'

/** How to undo. */
export interface UndoOptions {
  /** Remove values of ours that the user edited, too. */
  force: boolean
  /** Without it nothing is changed, and the outcome says what would be. */
  write: boolean
  platform: NodeJS.Platform
  now: Date
  onStep?: (step: WriteStep, file: string) => void
}

/** What becomes of one file. */
export type UndoneFile =
  | { kind: 'restored'; path: string; change?: FileChange }
  | { kind: 'removed'; path: string }
  /** It had changed: our part is gone, except for what is named as left. */
  | { kind: 'edited'; path: string; left: string[]; lost: string[]; backup?: string; change?: FileChange }
  | { kind: 'gone'; path: string }
  /** Only its permission bits were ours. */
  | { kind: 'mode'; path: string; mode: string }

/**
 * Undoes one set-up of a client, the entry first. A file that is as we left it gets the exact bytes it had; of another
 * one only our part is removed. An empty list means that there is nothing to undo.
 */
export function undoInit(key: JournalKey, journals: JournalStore, options: UndoOptions): UndoneFile[] {
  const journal = journals.read(key)
  if (journal === undefined) return []
  const undone: UndoneFile[] = []
  let rest = journal.files
  for (const record of journal.files.toReversed()) {
    const done = undoFile(record, options)
    undone.push(done)
    if (!options.write) continue
    const isLeft = done.kind === 'edited' && done.left.length > 0
    rest = rest.flatMap((each) => (each !== record ? [each] : isLeft ? [{ ...record, back: null }] : []))
    if (rest.length === 0 && journal.modes === undefined) journals.remove(key)
    else journals.write({ ...journal, files: rest })
  }
  undone.push(...undoModes(journal.modes ?? [], options))
  if (options.write && journal.modes !== undefined) {
    const { modes: _, ...others } = journal
    if (rest.length === 0) journals.remove(key)
    else journals.write({ ...others, files: rest })
  }
  return undone
}

/** Gives files the permission bits that they had; one whose bits were changed since keeps them. */
function undoModes(modes: readonly ModeRecord[], { write }: UndoOptions): UndoneFile[] {
  return modes.flatMap(({ path, before, after }): UndoneFile[] => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || (stats.mode & 0o777) !== after) return []
    if (write) chmodSync(path, before)
    return [{ kind: 'mode', path, mode: octal(before) }]
  })
}

function undoFile(record: FileRecord, options: UndoOptions): UndoneFile {
  const { path } = record
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = readDocumentFile(path)
    if (file.kind === 'missing') return { kind: 'gone', path }
    const isUntouched = record.back !== null && file.sha256 === record.after
    const done = isUntouched ? restore(record, file, options) : takeOut(record, file, options)
    if (done !== undefined) return done
  }
  throw alwaysChanged(path)
}

/** Undefined when the file changed meanwhile. */
function restore(record: FileRecord, file: PresentFile, options: UndoOptions): UndoneFile | undefined {
  const { path } = record
  if (record.created) return remove(record, file, options)
  const text = goBack(file.text, record.back!.rounds)
  if (sha256(text) !== record.back!.sha256) {
    throw new DocumentError('proof_failed', `${path}: the recorded changes do not lead back; nothing was written`)
  }
  if (!options.write) return { kind: 'restored', path, change: changeOf(record, file, text) }
  return replaceFile(file, text, options).kind === 'written' ? { kind: 'restored', path } : undefined
}

function remove(record: FileRecord, file: PresentFile, { write }: UndoOptions): UndoneFile | undefined {
  return !write || removeFile(file, record.createdFolders) ? { kind: 'removed', path: record.path } : undefined
}

function takeOut(record: FileRecord, file: PresentFile, options: UndoOptions): UndoneFile | undefined {
  const { path } = record
  if (record.format === 'whole') {
    // A file that was ours alone and that the user edited stays, unless it is forced.
    if (options.force) return remove(record, file, options)
    return { kind: 'edited', path, left: ['the whole file'], lost: [] }
  }
  const format = formats[record.format]
  const { edits, left, lost } = undoEdits(parseFile(file, format).root, record, options.force)
  const { text, changes } = namingFile(path, () => editText(format, file.text, edits))
  if (changes.length === 0) return { kind: 'edited', path, left, lost }
  if (!options.write) return { kind: 'edited', path, left, lost, change: changeOf(record, file, text) }
  const backup = backupName(path, options.now)
  const outcome = replaceFile(file, text, { ...options, backup: { path: backup, mode: file.mode & 0o600 } })
  return outcome.kind === 'written' ? { kind: 'edited', path, left, lost, backup } : undefined
}

function changeOf(record: FileRecord, { path, text: before }: PresentFile, after: string): FileChange {
  const format = record.format === 'whole' ? undefined : formats[record.format]
  const changes = [{ at: 0, removed: before, inserted: after }]
  return { path, before, after, changes, isNew: false, format }
}

const formats: Record<FormatName, DocumentFormat> = { json, jsonc, toml, yaml }
