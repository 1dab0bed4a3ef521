// YAML: located and proven by the yaml package, edited by splices between its ranges.
import { parseDocument } from 'yaml'
import { DocumentError } from './document-error.ts'
import { hashBracketed, insertInBraces, removeFromBraces } from './braces.ts'
import { type DocumentFormat, nest, type ParsedDocument } from './format.ts'
import { indentAt, indentUnit, isFirstOnLine, lineEnd, lineEndAt, lineStart, nextLine } from './layout.ts'
import { showPlace } from './place.ts'
import { mergeDeletions, type Splice } from './splice.ts'
import { type ListNode, type ObjectNode, type Span, type TreeNode } from './tree.ts'
import {
  type BlockLayout,
  renderYamlFlow,
  renderYamlItems,
  renderYamlMembers,
  renderYamlString,
} from './yaml-render.ts'
import { emptyMap, parseYaml, type YamlForm, yamlForm } from './yaml-tree.ts'

/** One YAML document with a map at its root. */
export const yaml: DocumentFormat = {
  name: 'yaml',
  parse: parseYaml,
  asEmptyObject: (document, node) => emptyMap(document.text, node),
  insertMembers(document, { object, missing }, members) {
    const nested = nest(missing, members)
    const form = yamlForm(object)
    if (form.kind === 'flow') {
      return insertInBraces(hashBracketed(document, object, object.members), () =>
        Object.entries(nested).map(([key, value]) => `${renderYamlString(key)}: ${renderYamlFlow(value)}`),
      )
    }
    return insertLines(document, object, form, (layout) => renderYamlMembers(nested, layout))
  },
  insertItems(document, list, _path, items) {
    const form = yamlForm(list)
    if (form.kind === 'flow') {
      return insertInBraces(hashBracketed(document, list, list.items), () => items.map(renderYamlFlow))
    }
    return insertLines(document, list, form, (layout) => renderYamlItems(items, layout))
  },
  replaceValue(document, node, value) {
    if (node.kind !== 'scalar' && yamlForm(node).kind === 'block') return replaceBlock(document, node, value)
    const lead = node.start === node.end && document.text[node.start - 1] === ':' ? ' ' : ''
    return [{ start: node.start, end: node.end, text: lead + renderYamlFlow(value) }]
  },
  removeMember(document, object, index) {
    if (yamlForm(object).kind === 'flow')
      return removeFromBraces(hashBracketed(document, object, object.members), [index])
    return removeLines(document, object, object.members, [index], '{}')
  },
  removeItems(document, list, indexes) {
    if (yamlForm(list).kind === 'flow') return removeFromBraces(hashBracketed(document, list, list.items), indexes)
    return removeLines(
      document,
      list,
      list.items.map((item) => withDash(document.text, item)),
      indexes,
      '[]',
    )
  },
  readAgain(text) {
    const document = parseDocument(text, { version: '1.1', merge: false, logLevel: 'silent', uniqueKeys: true })
    if (document.errors[0] !== undefined) throw document.errors[0]
    return document.toJS({ maxAliasCount: 1000 }) as unknown
  },
}

/** Inserts lines behind the last line of a block, or in the place of nothing. */
function insertLines(
  document: ParsedDocument,
  node: ObjectNode | ListNode,
  form: Exclude<YamlForm, { kind: 'flow' }>,
  render: (layout: BlockLayout) => string,
): Splice[] {
  const { text } = document
  const unit = unitNear(document, node, form)
  if (form.kind === 'block') return [behind(text, node.end, (eol) => render({ indent: form.indent, unit, eol }))]
  const isRoot = node === document.root
  const indent = isRoot ? '' : indentAt(text, form.after) + unit
  const insertion = behind(text, form.after, (eol) => render({ indent, unit, eol }))
  return form.explicit === undefined ? [insertion] : [{ ...form.explicit, text: '' }, insertion]
}

/** Lines behind the line in which an offset lies. A block scalar ends at a line's begin already. */
function behind(text: string, offset: number, render: (eol: string) => string): Splice {
  const eol = lineEndAt(text, offset)
  const isAtLineStart = offset === 0 || text[offset - 1] === '\n'
  const place = isAtLineStart ? offset : nextLine(text, offset)
  if (isAtLineStart || (place > 0 && text[place - 1] === '\n'))
    return { start: place, end: place, text: render(eol) + eol }
  return { start: place, end: place, text: eol + render(eol) }
}

/** A block value becomes another value: its lines go, the new text stands behind the colon. */
function replaceBlock(
  document: ParsedDocument,
  node: ObjectNode | ListNode,
  value: Parameters<typeof renderYamlFlow>[0],
): Splice[] {
  const { text } = document
  const before = text.slice(0, node.start).trimEnd()
  if (!before.endsWith(':')) throw notEditable(document, node)
  const end = text[node.end - 1] === '\n' ? node.end - (text[node.end - 2] === '\r' ? 2 : 1) : node.end
  return [{ start: before.length, end, text: ' ' + renderYamlFlow(value) }]
}

/** Removes whole lines of a block; when nothing would stay, an empty pair of brackets takes the value's place. */
function removeLines(
  document: ParsedDocument,
  node: ObjectNode | ListNode,
  children: readonly Span[],
  gone: readonly number[],
  empty: string,
): Splice[] {
  const { text } = document
  if (gone.some((index) => !isFirstOnLine(text, children[index]!.start))) throw notEditable(document, node)
  const deletions = gone.map((index): Splice => {
    const child = children[index]!
    const endsLine = text[child.end - 1] === '\n'
    return { start: lineStart(text, child.start), end: endsLine ? child.end : nextLine(text, child.end), text: '' }
  })
  const splices = mergeDeletions(deletions)
  if (gone.length < children.length || node === document.root) return splices
  const colon = text.slice(0, node.start).trimEnd()
  const key = behindKey(text, node.start)
  if (key === undefined) throw notEditable(document, { start: colon.length, end: colon.length })
  return [{ start: key, end: key, text: ` ${empty}` }, ...splices]
}

/** The place behind the colon of the key whose block begins at an offset. */
function behindKey(text: string, offset: number): number | undefined {
  for (let start = lineStart(text, offset); start > 0; start = lineStart(text, start - 1)) {
    const line = text.slice(lineStart(text, start - 1), lineEnd(text, start - 1))
    const isComment = /^\s*(?:#.*)?$/.test(line)
    if (isComment) continue
    const key = /:(?=\s*(?:#.*)?$)/.exec(line)
    return key === null ? undefined : lineStart(text, start - 1) + key.index + 1
  }
  return undefined
}

function withDash(text: string, item: TreeNode): Span {
  const dash = text.lastIndexOf('-', item.start - 1)
  return { start: dash, end: item.end }
}

/** What the siblings of a new member are indented by inside, else what the file is. */
function unitNear(document: ParsedDocument, node: ObjectNode | ListNode, form: YamlForm): string {
  for (const { value } of node.kind === 'object' ? node.members : []) {
    const inner = value.kind === 'object' ? yamlForm(value) : undefined
    if (inner?.kind === 'block' && form.kind === 'block' && inner.indent.startsWith(form.indent)) {
      return inner.indent.slice(form.indent.length)
    }
  }
  return unitOf(document)
}

/** What the root's first nested block is indented by, else two spaces. */
function unitOf({ text, root }: ParsedDocument): string {
  for (const { value } of root.members) {
    if (value.kind !== 'object') continue
    const form = yamlForm(value)
    if (form.kind === 'block' && form.indent !== '') return form.indent
  }
  const unit = indentUnit(text)
  return unit.includes('\t') ? '  ' : unit
}

function notEditable({ text }: ParsedDocument, node: Span): DocumentError {
  return new DocumentError('file_refused', `${showPlace(text, node.start)}: this form of YAML cannot be edited`)
}
