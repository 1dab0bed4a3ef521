// `init` without a client: which clients there are and how they stand. Only reads.
import { isRefusal } from '../client-config-error.ts'
import { type ApprovalClass, type Client } from '../clients/client.ts'
import { clients } from '../clients/client-list.ts'
import { nodeAt, type Path, toLoose } from '../../documents/tree.ts'
import { entryName, type Program } from '../entry/server-entry.ts'
import { type Environment, fromHome } from '../environment.ts'
import { type Appearance, wrap } from '../../terminal/appearance.ts'
import { explain } from '../../terminal/explain.ts'
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
export function clientsText(rows: readonly ClientRow[], look: Appearance, environment: Environment): string {
  if (look.isTerminal) return clientsTable(rows, look, environment)
  const widths = [Math.max(...rows.map((row) => row.name.length)), Math.max(...rows.map((row) => row.state.length))]
  const shown = rows.map((row) => {
    const line = `${row.name.padEnd(widths[0]!)}  ${row.state.padEnd(widths[1]!)}  ${row.class.padEnd(16)}  ${row.file}`
    return row.detail === undefined ? line : `${line}\n${''.padEnd(widths[0]! + 2)}${row.detail}`
  })
  return shown.join('\n') + '\n'
}

/** The same under a head, with the words explained, and within the width. */
function clientsTable(rows: readonly ClientRow[], look: Appearance, environment: Environment): string {
  const { paint, width } = look
  const head = ['CLIENT', 'STATE', 'ASKS'] as const
  const columns = rows.map(({ name, state, class: asks }) => [name, state, asks])
  const widths = head.map((title, at) => Math.max(title.length, ...columns.map((row) => row[at]!.length)))
  const pad = (cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')
  const room = Math.max(12, width - widths.reduce((sum, each) => sum + each + 2, 0))
  const paints = { current: paint.green, outdated: paint.yellow, foreign: paint.yellow, broken: paint.red }
  const lines = rows.map(({ state, file, detail }, index) => {
    const [name, , asks] = columns[index]!
    const path = fromHome(file, environment)
    const shown = path.length > room ? `…${path.slice(path.length - room + 1)}` : path
    const colour = state in paints ? paints[state as keyof typeof paints] : paint.dim
    const line = [name!.padEnd(widths[0]!), colour(state.padEnd(widths[1]!)), asks!.padEnd(widths[2]!), shown].join(
      '  ',
    )
    return detail === undefined ? line : `${line}\n  ${wrap(detail, width, 2)}`
  })
  const words = Object.entries(explained).filter(([word]) => columns.some((row) => row.includes(word)))
  return [`${paint.bold(pad(head))}  ${paint.bold('FILE')}`, ...lines].join('\n') + '\n' + explain(words, look)
}

/** The words of the list, for who does not know them. */
const explained: Record<string, string> = {
  current: 'our entry is there and starts this program',
  outdated: 'our entry is there and starts another copy of this program; init CLIENT --write updates it',
  foreign: 'an entry hubu is there that init did not write; init CLIENT --force takes it over',
  broken: 'the file cannot be read; the place is named',
  absent: 'the file is there, our entry is not',
  'no file': 'the client has no such file yet; it may not be installed',
  pinned: 'init writes for each protected tool that the client asks a person, so that it can be held to it',
  native: 'the client asks by itself; nothing that init writes holds it to that',
  cannot: 'nothing makes it ask, so it is never trusted with protected tools',
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
