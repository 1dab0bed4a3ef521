// Reads YAML into the engine's tree. Aliases stay what they are: an alias is a scalar whose source is its name, so no edit
// can change what another place says without the proof noticing.
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Pair } from 'yaml'
import { parseAllDocuments, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { DocumentError } from './document-error.ts'
import { type ParsedDocument } from './format.ts'
import { lineStart } from './layout.ts'
import { brokenAt, showPlace } from './place.ts'
import { type ListNode, type Member, type ObjectNode, type ScalarNode, type TreeNode } from './tree.ts'

/** How a map or sequence is written. */
export type YamlForm =
  | { kind: 'flow' }
  /** One member or item per line, at this indentation. */
  | { kind: 'block'; indent: string }
  /** Nothing at all: an empty file, or a key without value. `after` is where its line's content ends. */
  | { kind: 'nothing'; after: number; explicit?: { start: number; end: number } }

/** The form of a map or sequence of a YAML tree. */
export function yamlForm(node: ObjectNode | ListNode): YamlForm {
  return node.form as YamlForm
}

/** Parses one YAML 1.2 document. Throws `file_broken`; a second document is `file_refused`. */
export function parseYaml(text: string): ParsedDocument {
  const lineCounter = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter, intAsBigInt: true, uniqueKeys: true, logLevel: 'silent' })
  if (!Array.isArray(documents) || documents.length === 0) return { text, root: nothing(text.length) }
  const [document, second] = documents
  const error = document!.errors[0]
  if (error !== undefined) throw brokenAt(text, error.pos[0], firstLine(error.message), error)
  if (second !== undefined) {
    throw new DocumentError('file_refused', `${showPlace(text, second.range[0])}: a second YAML document begins here`)
  }
  const contents = document!.contents as unknown
  if (contents === null || (isScalar(contents) && contents.source === '')) return { text, root: nothing(text.length) }
  const root = toNode({ text, document: document! }, contents)
  if (root.kind !== 'object') throw brokenAt(text, root.start, 'the file must hold a map')
  return { text, root }
}

/** A key without value counts as an empty map; an explicit `null` or `~` gives way to the first member. */
export function emptyMap(text: string, node: ScalarNode): ObjectNode | undefined {
  if (node.value !== null) return undefined
  const explicit =
    node.start === node.end ? undefined : { start: text.slice(0, node.start).trimEnd().length, end: node.end }
  const form: YamlForm = { kind: 'nothing', after: node.end, explicit }
  return { kind: 'object', start: node.start, end: node.end, members: [], form }
}

function nothing(after: number): ObjectNode {
  return { kind: 'object', start: after, end: after, members: [], form: { kind: 'nothing', after } satisfies YamlForm }
}

interface Source {
  text: string
  document: Document
}

function toNode(source: Source, node: unknown): TreeNode {
  if (isMap(node)) return toObject(source, node)
  if (isSeq(node)) return toList(source, node)
  const [start, end] = rangeOf(node)
  const written = source.text.slice(start, end)
  if (isAlias(node)) return { kind: 'scalar', start, end, source: written + aliased(source, node), value: undefined }
  if (!isScalar(node)) return { kind: 'scalar', start, end, source: written, value: null }
  const props = `${node.anchor === undefined ? '' : `&${node.anchor} `}${node.tag ?? ''}`
  return { kind: 'scalar', start, end, source: props + meaningful(node, written), value: scalarOf(node.value) }
}

/** A block scalar is compared by its header and its text: the line end behind it may belong to it or not. */
function meaningful(node: Scalar, written: string): string {
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
  return isBlock ? `${written.split('\n')[0]!.trim()} ${JSON.stringify(node.value)}` : written
}

/** An alias says what its anchor says: an edit inside of a shared map would change this place too, and must be seen to. */
function aliased({ text, document }: Source, node: Alias): string {
  const target = node.resolve(document)
  if (target === undefined) return ''
  const [start, end] = rangeOf(target)
  return ' is ' + text.slice(start, end)
}

function toObject(source: Source, map: YAMLMap): ObjectNode {
  const [start, valueEnd] = rangeOf(map)
  const members = map.items.map((pair) => toMember(source, pair))
  const end = map.flow ? valueEnd : Math.max(start, ...members.map((member) => member.end))
  return { kind: 'object', start, end, members, form: collectionForm(source.text, map, start) }
}

function toList(source: Source, seq: YAMLSeq): ListNode {
  const [start, valueEnd] = rangeOf(seq)
  const items = seq.items.map((item) => toNode(source, item))
  const end = seq.flow ? valueEnd : Math.max(start, ...items.map((item) => item.end))
  return { kind: 'list', start, end, items, form: collectionForm(source.text, seq, start) }
}

function toMember(source: Source, pair: Pair): Member {
  const { text } = source
  const [start, keyEnd] = rangeOf(pair.key)
  const key = isScalar(pair.key) ? String(pair.key.value) : text.slice(start, keyEnd)
  if (pair.value === null) {
    return { key, start, end: keyEnd, value: { kind: 'scalar', start: keyEnd, end: keyEnd, source: '', value: null } }
  }
  const value = toNode(source, pair.value)
  const isEmpty = value.kind === 'scalar' && value.start === value.end
  const colon = isEmpty ? text.indexOf(':', keyEnd) + 1 : keyEnd
  return { key, start, end: Math.max(colon, isEmpty ? colon : value.end), value }
}

function collectionForm(text: string, node: YAMLMap | YAMLSeq, start: number): YamlForm {
  if (node.flow) return { kind: 'flow' }
  return { kind: 'block', indent: text.slice(lineStart(text, start), start).replaceAll(/[^\t]/g, ' ') }
}

function scalarOf(value: unknown): unknown {
  if (typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER)
    return Number(value)
  return value
}

function rangeOf(node: unknown): [number, number] {
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  if (range === undefined || range === null) throw new TypeError('the YAML parser gave a node without place')
  return [range[0], range[1]]
}

function firstLine(message: string): string {
  return message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')
}
