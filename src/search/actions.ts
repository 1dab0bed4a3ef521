// Whether a tool or a request reads, makes, changes or removes something: the one distinction that single words blur.
import { stem } from './stem.ts'

/** What is done to the thing. Doing something else, such as clicking, has no class. */
export type ActionClass = 'read' | 'create' | 'update' | 'delete'

const list = (text: string) => text.trim().split(/\s+/)

const members: Record<ActionClass, string[]> = {
  read: list(`list get show read view search find describe fetch retrieve query count display check inspect see lookup browse
    explain compare diff look download enumerate whoami status history`),
  create: list(`create add new insert register generate make draft open write post send draw enroll append
    comment reply respond answer report propose schedule book grant start launch upload attach clone fork copy remember note install`),
  update: list(
    `update edit modify rename replace change patch set adjust raise increase lower move switch amend apply rewrite`,
  ),
  delete: list(`delete remove drop revoke cancel uninstall erase discard withdraw clear purge`),
}

const commands = new Map<string, ActionClass>(
  (Object.keys(members) as ActionClass[]).flatMap((name) => members[name].map((word) => [word, name] as const)),
)
const byStem = new Map([...commands].map(([word, name]) => [stem(word), name]))

/** The class of a stemmed word, whatever its form was. */
export function actionClassOf(stemmed: string): ActionClass | null {
  return byStem.get(stemmed) ?? null
}

/** The class of a folded word in the form of a command: `create`, but not `created` or `creating`. */
export function commandClassOf(word: string): ActionClass | null {
  return commands.get(word) ?? null
}

/** The class of the first stem that has one. */
export function firstActionClass(stems: Iterable<string>): ActionClass | null {
  for (const key of stems) {
    const found = byStem.get(key)
    if (found !== undefined) return found
  }
  return null
}
