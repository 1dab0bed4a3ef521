// Which of several files holds, or shall hold, the server entry.
import { ClientConfigError } from '../client-config-error.ts'
import { type Client, type SetupScope } from '../clients/client.ts'
import { nodeAt, type Path } from '../../documents/tree.ts'
import { type Environment } from '../environment.ts'
import { type DocumentFile, readDocumentFile } from '../../documents/document-file.ts'
import { parseFile } from '../files/file-plan.ts'

/** The file with our entry, else the only one with the section, else the only one there is, else the preferred one. */
export function chooseFile(
  client: Client,
  scope: SetupScope,
  environment: Environment,
  entryPath: Path,
  named?: string,
): DocumentFile {
  if (named !== undefined) return readDocumentFile(named)
  const candidates = client.files(environment, scope)
  const first = candidates[0]
  if (first === undefined) throw new ClientConfigError('usage', `${client.title} has no file for scope "${scope}"`)
  const present = candidates.map(readDocumentFile).filter((file) => file.kind === 'present')
  if (present.length <= 1) return present[0] ?? readDocumentFile(first)
  const withEntry = present.filter((file) => holds(client, file, entryPath))
  if (withEntry.length === 1) return withEntry[0]!
  const withSection = present.filter((file) => holds(client, file, entryPath.slice(0, -1)))
  if (withEntry.length === 0 && withSection.length === 1) return withSection[0]!
  const names = present.map((file) => file.path).join(' and ')
  throw new ClientConfigError('file_ambiguous', `${names} could both be meant; name one with --file`)
}

function holds(client: Client, file: DocumentFile, path: Path): boolean {
  return nodeAt(parseFile(file, client.format).root, path) !== undefined
}
