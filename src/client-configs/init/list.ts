// `init` without a client: which clients there are and how they stand. Only reads.
import { isRefusal } from '../client-config-error.ts'
import { type ApprovalClass, type Client } from '../clients/client.ts'
import { clients } from '../clients/client-list.ts'
import { nodeAt, type Path, toLoose } from '../../documents/tree.ts'
import { entryName, type Program } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'
import { type PresentFile } from '../../documents/document-file.ts'
import { parseFile } from '../files/file-plan.ts'
import { type JournalStore } from '../journal/journal.ts'
import { chooseFile } from './choose-file.ts'

/** How a client stands. `absent`: a file without our entry; `outdated`: our entry starts another program than this one. */
export type ClientState = 'no file' | 'absent' | 'foreign' | 'current' | 'outdated' | 'broken'

/** One row of the list. */
export interface ClientRow {
  name: string
  title: string
  file: string
  state: ClientState
  /** What is wrong with a broken file, its place included. */
  detail?: string
  class: ApprovalClass
}

/** The rows of all clients in user scope. */
export function listClients(environment: Environment, journals: JournalStore, program: Program): ClientRow[] {
  return clients.map((client) => {
    const row = { name: client.name, title: client.title, class: client.approval.class }
    const entryPath = [...client.section(environment, 'user'), entryName]
    try {
      const file = chooseFile(client, 'user', environment, entryPath)
      const state = file.kind === 'missing' ? 'no file' : stateOf(client, file, entryPath, journals, program)
      return { ...row, file: file.path, state }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { ...row, file: client.files(environment, 'user')[0] ?? '', state: 'broken', detail: error.message }
    }
  })
}

/** The list as a table for people. */
export function clientsText(rows: readonly ClientRow[]): string {
  const widths = [Math.max(...rows.map((row) => row.name.length)), Math.max(...rows.map((row) => row.state.length))]
  const shown = rows.map((row) => {
    const line = `${row.name.padEnd(widths[0]!)}  ${row.state.padEnd(widths[1]!)}  ${row.class.padEnd(16)}  ${row.file}`
    return row.detail === undefined ? line : `${line}\n${''.padEnd(widths[0]! + 2)}${row.detail}`
  })
  return shown.join('\n') + '\n'
}

function stateOf(
  client: Client,
  file: PresentFile,
  entryPath: Path,
  journals: JournalStore,
  program: Program,
): ClientState {
  const entry = nodeAt(parseFile(file, client.format).root, entryPath)
  if (entry === undefined) return 'absent'
  if (journals.recordOf(file.path, entryPath) === undefined) return 'foreign'
  const server = client.shape.read(toLoose(entry))
  const words = [server?.command, ...(server?.args ?? [])]
  const isThis = words.includes(program.bundlePath) || words.includes(`${program.packageName}@${program.version}`)
  return isThis ? 'current' : 'outdated'
}
