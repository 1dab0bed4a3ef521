// This room edits the user's own configuration file: only what was asked for, every other byte as it was.
import { editText } from '../../documents/edit-text.ts'
import type { Edit } from '../../documents/edit.ts'
import { yaml } from '../../documents/yaml.ts'
import { backupName } from '../../documents/backup-name.ts'
import { readDocumentFile } from '../../documents/document-file.ts'
import { replaceFile } from '../../documents/replace-file.ts'
import { readConfigBytes } from '../../config/config-file.ts'
import { ConfigError } from '../../config/config-error.ts'

/** The time and platform that the backup and the written file go by. */
export interface EditOptions {
  now: Date
  platform: NodeJS.Platform
}

/**
 * Carries out edits on a configuration file, keeping comments and layout; the old bytes go to a backup beside it. What would not
 * be a valid configuration is not written. Returns false when nothing had to change. Throws ConfigError, and the documents
 * room's error when the file cannot be edited or was changed by somebody else meanwhile.
 */
export function editConfigFile(path: string, edits: readonly Edit[], { now, platform }: EditOptions): boolean {
  const file = readDocumentFile(path)
  if (file.kind === 'missing') throw new ConfigError(`the config file ${path} does not exist`)
  const { text, changes } = editText(yaml, file.text, edits)
  readConfigBytes(path, Buffer.from(text))
  if (changes.length === 0) return false
  const outcome = replaceFile(file, text, { platform, backup: { path: backupName(file.path, now), mode: file.mode } })
  if (outcome.kind === 'changed')
    throw new ConfigError(`the config file ${path} was changed meanwhile; nothing was written, try again`)
  return true
}
