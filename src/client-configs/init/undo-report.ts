// What `init --undo` and `--clean-backups` tell a person, and the same as JSON. Pure.
import { difference } from '../files/difference.ts'
import { type Backup } from './backups.ts'
import { type UndoneFile } from './undo.ts'

/** What undoing came to, or, before it is written, would come to. */
export function undoneText(undone: readonly UndoneFile[], wasWritten: boolean, backups: readonly string[]): string {
  if (undone.length === 0) return 'nothing to undo\n'
  const lines = undone.flatMap((file) => [
    ...(wasWritten ? done(file) : planned(file)),
    ...('change' in file && file.change !== undefined ? [difference(file.change).trimEnd()] : []),
  ])
  return [...lines, ...(wasWritten ? backups : ['nothing written; add --write'])].join('\n') + '\n'
}

/** The same as data. */
export function undoneJson(undone: readonly UndoneFile[], wasWritten: boolean): object {
  const shown = undone.map((file) => {
    if (!('change' in file) || file.change === undefined) return file
    const { change, ...rest } = file
    return { ...rest, difference: difference(change) }
  })
  return wasWritten ? { undone: shown } : { would_undo: shown }
}

/** Which backups are, or would be, removed. */
export function cleanedText(backups: readonly Backup[], wasWritten: boolean): string {
  if (backups.length === 0) return 'no backup is needless: each holds bytes that the journal does not\n'
  const head = `${wasWritten ? 'removed' : 'would remove'} ${backups.length} of our backups; the journal holds what is in them`
  const end = wasWritten ? [] : ['nothing removed; add --write']
  return [head, ...backups.map(({ path }) => `  ${path}`), ...end].join('\n') + '\n'
}

function done(file: UndoneFile): string[] {
  switch (file.kind) {
    case 'restored':
      return [`${file.path} has its former bytes again`]
    case 'removed':
      return [`${file.path} was made by init and is removed`]
    case 'gone':
      return [`${file.path} is not there any more`]
    case 'mode':
      return [`${file.path} has mode ${file.mode} again`]
    case 'edited':
      return [
        `${file.path} had changed since init; our part of it is removed${exception(file.left)}`,
        ...(file.backup === undefined ? [] : [`  backup ${file.backup}`]),
        ...file.left.map((path) => `  left: ${path} (you edited it; --force removes it)`),
        ...file.lost.map((path) => `  removed with our entry: ${path}`),
      ]
  }
}

function planned(file: UndoneFile): string[] {
  switch (file.kind) {
    case 'restored':
      return [`${file.path} would get its former bytes again`]
    case 'removed':
      return [`${file.path} was made by init and would be removed`]
    case 'gone':
      return [`${file.path} is not there any more`]
    case 'mode':
      return [`${file.path} would have mode ${file.mode} again`]
    case 'edited':
      return [
        `${file.path} has changed since init; our part of it would be removed${exception(file.left)}`,
        ...file.left.map((path) => `  would stay: ${path} (you edited it; --force removes it)`),
        ...file.lost.map((path) => `  would go with our entry: ${path}`),
      ]
  }
}

function exception(left: readonly string[]): string {
  return left.length > 0 ? ' except for what you edited' : ''
}
