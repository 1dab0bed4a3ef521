// Other entries that a client has besides the one that is written: some win over it, some start this program as well.
// Only reads.
import { nodeAt, type Path, toLoose } from '../../documents/tree.ts'
import { isRefusal } from '../client-config-error.ts'
import { type Client, type Look, type SetupScope } from '../clients/client.ts'
import { startsUs } from '../entry/find-entries.ts'
import { entryName, type Program } from '../entry/server-entry.ts'
import { type Environment } from '../environment.ts'

/** Scopes by weight: of entries with one name, a client takes the one of the first scope here. */
const byWeight: readonly SetupScope[] = ['local', 'project', 'user']

/** What is known of the entry that is written. */
export interface Written {
  client: Client
  scope: SetupScope
  file: string
}

/** Sentences about entries of our name in other scopes, saying which one wins, and about entries that start this program. */
export function noteRivals(written: Written, environment: Environment, program: Program, look: Look): string[] {
  const { client, scope, file } = written
  const own = JSON.stringify(client.section(environment, scope))
  return byWeight.flatMap((other) => {
    const section = client.section(environment, other)
    return client.files(environment, other).flatMap((path) => {
      const entries = entriesIn(client, path, section, look)
      // In the home folder a project's file is the user's own.
      const isItself = path === file && JSON.stringify(section) === own
      const same = other !== scope && !isItself && entries.some(({ name }) => name === entryName)
      const twins = (other === scope || !isItself ? entries : []).filter(
        (entry) => entry.name !== entryName && startsUs(entry.words, program),
      )
      return [
        ...(same ? [noteSame(written, other, path)] : []),
        ...twins.map(({ name }) => noteTwin(client, name, path)),
      ]
    })
  })
}

function noteSame({ client: { title }, scope, file }: Written, other: SetupScope, path: string): string {
  const wins = byWeight.indexOf(other) < byWeight.indexOf(scope)
  const winner = wins
    ? `that one wins in this folder; remove it to use the one in ${file}`
    : 'this one wins in this folder'
  return `${path} has an entry ${entryName} too (scope ${other}): ${title} takes one of them, and ${winner}.`
}

function noteTwin({ title }: Client, name: string, path: string): string {
  return `${path} has an entry ${name} that starts this program as well: ${title} would show its tools twice. Remove one.`
}

interface FoundEntry {
  name: string
  words: string[]
}

/** The servers of a section by name; none where the file is not there or cannot be read. */
function entriesIn(client: Client, path: string, section: Path, look: Look): FoundEntry[] {
  try {
    const document = look(path, client.format)
    const node = document && nodeAt(document.root, section)
    if (node?.kind !== 'object') return []
    return node.members.map(({ key, value }) => {
      const server = client.shape.read(toLoose(value))
      return { name: key, words: [server?.command ?? '', ...(server?.args ?? [])] }
    })
  } catch (error) {
    if (isRefusal(error)) return []
    throw error
  }
}
