// The block that the reference `hubu init codex` wrote: ours to take over, its marker comments stay.
import { nodeAt, type Path } from '../../documents/tree.ts'
import { parseToml, commentsOf, formOf } from '../../documents/toml-tree.ts'

const beginMarker = '>>> hubu managed codex mcp'
const endMarker = '<<< hubu managed codex mcp'

/** True when the whole entry stands between the reference's two marker comments. */
export function isReferenceBlock(text: string, entryPath: Path): boolean {
  const comments = commentsOf(text)
  const begin = comments.find((comment) => comment.value === beginMarker)
  const end = begin && comments.find((comment) => comment.value === endMarker && comment.start > begin.end)
  const entry = nodeAt(parseToml(text).root, entryPath)
  if (begin === undefined || end === undefined || entry?.kind !== 'object') return false
  const form = formOf(entry)
  const sites = form.kind === 'tables' ? form.sites : [entry]
  return sites.every((site) => site.start > begin.end && site.end < end.start)
}
