// Hides the secrets of a whole file before a part of it is shown: it is parsed, so that a value is judged by what it is
// for and not by how its line looks. Pure.
import { type DocumentFormat } from '../../documents/format.ts'
import { applySplices, type Splice } from '../../documents/splice.ts'
import { type ListNode, type ScalarNode, type TreeNode } from '../../documents/tree.ts'
import { entryVariables } from '../entry/server-entry.ts'
import { isInnocent, isSecretName, mask, maskArguments, maskUrls } from './mask.ts'

/** Objects whose values are nobody's business but the server's. */
const privateObjects = new Set(['env', 'environment', 'headers', 'http_headers', 'requestInit'])

/** The text with secrets replaced and every line where it was. A text that cannot be parsed comes back as it is. */
export function maskDocument(format: DocumentFormat, text: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  try {
    const document = format.parse(text.slice(mark.length))
    return mark + applySplices(document.text, secretsIn(document.text, document.root, '', false))
  } catch {
    return text
  }
}

function secretsIn(text: string, node: TreeNode, key: string, isPrivate: boolean): Splice[] {
  switch (node.kind) {
    case 'scalar':
      return maskScalar(text, node, key, isPrivate)
    case 'list':
      return maskList(text, node, key, isPrivate)
    case 'object':
      return node.members.flatMap((member) =>
        secretsIn(text, member.value, member.key, isPrivate || privateObjects.has(member.key)),
      )
  }
}

function maskScalar(text: string, node: ScalarNode, key: string, isPrivate: boolean): Splice[] {
  if (typeof node.value !== 'string') return isPrivate ? [hidden(text, node)] : []
  const isOurs = (entryVariables as readonly string[]).includes(key)
  const isSecret = isPrivate ? !isOurs : isSecretName(key) && !isInnocent(node.value)
  if (isSecret) return [hidden(text, node)]
  const shown = maskUrls(node.source)
  return shown === node.source ? [] : [{ start: node.start, end: node.end, text: shown }]
}

/** Lists of texts are argument lists, or pairs of name and value. */
function maskList(text: string, list: ListNode, key: string, isPrivate: boolean): Splice[] {
  const texts = list.items.map((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? item.value : ''))
  const shown = maskArguments(texts)
  return list.items.flatMap((item, index) => {
    if (item.kind !== 'scalar') return secretsIn(text, item, key, isPrivate)
    const name = texts[index]!.split('=')[0]!
    const isPair = isPrivate && !(entryVariables as readonly string[]).includes(name)
    if (isPair) return [hidden(text, item, `${name}=${mask}`)]
    return shown[index] === texts[index] ? [] : [hidden(text, item, shown[index])]
  })
}

/** A value that keeps its quotes and its number of lines. */
function hidden(text: string, node: ScalarNode, shown = mask): Splice {
  const written = text.slice(node.start, node.end)
  const quote = /^(?:"""|'''|"|')/.exec(written)?.[0] ?? ''
  return { start: node.start, end: node.end, text: quote + shown + quote + written.replaceAll(/[^\n]/g, '') }
}
