// A setting with which a client may run protected tools without asking a person. Pure.
import { type ParsedDocument } from '../../documents/format.ts'
import { lineOf } from '../../documents/place.ts'
import { nodeAt, type Path, type TreeNode } from '../../documents/tree.ts'
import { matches } from './manual.ts'

/** Why protected tools cannot be trusted to a client as it is set up now. */
export interface TrustObstacle {
  file: string
  /** Counts from one; missing where the file as a whole is the reason. */
  line?: number
  /** What the file says and what comes of it: the end of a sentence that begins with file and line. */
  what: string
  /** What to do about it, as a sentence. */
  remedy: string
}

/** A file that was read, with its path. */
export interface OpenedFile {
  path: string
  document: ParsedDocument
}

/** The obstacle that stands at a node of a file. */
export function obstacleAt(
  { path, document }: OpenedFile,
  node: TreeNode,
  what: string,
  remedy: string,
): TrustObstacle {
  return { file: path, line: lineOf(document.text, node.start), what, remedy }
}

/** The obstacle of a setting that has one of the values given; none when it says something else. */
export function settingObstacles(
  file: OpenedFile,
  setting: Path,
  isBad: (value: unknown) => boolean,
  say: (source: string) => { what: string; remedy: string },
): TrustObstacle[] {
  const node = nodeAt(file.document.root, setting)
  if (node?.kind !== 'scalar' || !isBad(node.value)) return []
  const { what, remedy } = say(node.source)
  return [obstacleAt(file, node, what, remedy)]
}

/** Obstacles as sentences, each with file, line and way out. */
export function showObstacles(obstacles: readonly TrustObstacle[]): string {
  return obstacles
    .map(({ file, line, what, remedy }) => `${file}${line === undefined ? '' : ` line ${line}`} ${what}. ${remedy}`)
    .join(' ')
}

/** The obstacles in a list of tools that run without a question: each text or wildcard that covers one which must ask. */
export function listObstacles(file: OpenedFile, list: Path, asked: readonly string[], title: string): TrustObstacle[] {
  const node = nodeAt(file.document.root, list)
  if (node?.kind !== 'list') return []
  return node.items.flatMap((item) => {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') return []
    const text = item.value
    if (!asked.some((tool) => matches(text, tool))) return []
    const what = `allows ${text}, so ${title} would run protected tools without asking`
    return [obstacleAt(file, item, what, 'Remove it there, or run init without --trust-client-approval.')]
  })
}
