// Reads TOML into the engine's tree. A TOML table may be spread over the file (headers, sub-headers, dotted keys), so
// every table remembers its sites: the pieces of text that define it.
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import { DocumentError } from './document-error.ts'
import { type ParsedDocument } from './format.ts'
import { brokenAt, showPlace } from './place.ts'
import { type ListNode, memberOf, type ObjectNode, type Span, type TreeNode } from './tree.ts'

/** A piece of text that defines a table or something in it: a header in brackets, or a key with its value. */
export interface Site extends Span {
  kind: 'header' | 'keyvalue'
}

/** A table that is written with headers and dotted keys, and may go on at several places. */
export interface TablesForm {
  kind: 'tables'
  /** Everything that belongs to the table, sub-tables included, in the order of the text. */
  sites: Site[]
  /** The span of its own header and of the keys below it. Missing for implicit and for dotted tables. */
  header?: Span
  /** The last dotted key that goes through it (`a.b.c = 1` for the table `a.b`), and the text of its own part (`a.b`). */
  dotted?: Span & { prefix: string }
}

/** How a table or list is written. Keys dotted inside of an inline table cannot be edited. */
export type TomlForm = TablesForm | { kind: 'braces' } | { kind: 'dotted-inline' }

/** The form of an object or list of a TOML tree. */
export function formOf(node: ObjectNode | ListNode): TomlForm {
  return node.form as TomlForm
}

/** Parses TOML 1.1 (a superset of what clients read); what we write is TOML 1.0. Throws `file_broken`. */
export function parseToml(text: string): ParsedDocument {
  const ast = parse(text)
  const root = table(0, text.length)
  let current: ObjectNode = root
  for (const node of ast.body[0].body) {
    if (node.type === 'TOMLKeyValue') addKeyValue(text, [root], node)
    else current = addTable(text, root, node)
    if (node.type === 'TOMLTable') for (const pair of node.body) addKeyValue(text, trail(root, current), pair)
  }
  return { text, root }
}

/** The comments of a TOML file, in order. */
export function commentsOf(text: string): (Span & { value: string })[] {
  return parse(text).comments.map(({ range, value }) => ({ start: range[0], end: range[1], value: value.trim() }))
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: '1.1' })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    // A missing value is noticed where the next line begins; the place to look at is the end of the line before.
    const isMissing = error.message.startsWith('Unspecified')
    const offset = isMissing ? text.slice(0, error.index).trimEnd().length : error.index
    throw brokenAt(text, offset, isMissing ? 'a value is missing here' : error.message.replace(/\.$/, ''), error)
  }
}

const parents = new WeakMap<ObjectNode, ObjectNode>()

/** The tables from the root down to one, whose sites all grow when it gets another key. */
function trail(root: ObjectNode, node: ObjectNode): ObjectNode[] {
  const found = [node]
  for (let at = node; at !== root;) found.unshift((at = parents.get(at)!))
  return found
}

function table(start: number, end: number): ObjectNode {
  return { kind: 'object', start, end, members: [], form: { kind: 'tables', sites: [] } satisfies TablesForm }
}

function addTable(text: string, root: ObjectNode, node: AST.TOMLTable): ObjectNode {
  const keys = keysOf(node.key)
  const closing = text.indexOf(']', node.key.range[1]) + (node.kind === 'array' ? 2 : 1)
  const site: Site = { kind: 'header', start: node.range[0], end: closing }
  const through = [root]
  for (const [index, key] of keys.entries()) {
    const isItem = node.kind === 'array' && index === keys.length - 1
    through.push(isItem ? addItem(text, through.at(-1)!, key, site) : enter(text, through.at(-1)!, key, site))
  }
  for (const table of through) tablesForm(table).sites.push(site)
  const own = through.at(-1)!
  const end = Math.max(closing, node.body.at(-1)?.range[1] ?? closing)
  tablesForm(own).header = { start: site.start, end }
  return own
}

function addItem(text: string, parent: ObjectNode, key: string, site: Site): ObjectNode {
  const existing = memberOf(parent, key)?.value
  if (existing !== undefined && (existing.kind !== 'list' || formOf(existing).kind !== 'tables'))
    throw twice(text, site, key)
  const list: ListNode = existing ?? { kind: 'list', start: site.start, end: site.end, items: [], form: tablesOf([]) }
  if (existing === undefined) parent.members.push({ key, start: site.start, end: site.end, value: list })
  const item = table(site.start, site.end)
  list.items.push(item)
  parents.set(item, parent)
  return item
}

function addKeyValue(text: string, through: ObjectNode[], pair: AST.TOMLKeyValue): void {
  const keys = keysOf(pair.key)
  const site: Site = { kind: 'keyvalue', start: pair.range[0], end: pair.range[1] }
  const all = [...through]
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const next = enter(text, all.at(-1)!, key, site)
    const prefix = text.slice(pair.key.range[0], pair.key.keys[index]!.range[1])
    tablesForm(next).dotted = { start: site.start, end: site.end, prefix }
    all.push(next)
  }
  for (const table of all) tablesForm(table).sites.push(site)
  all.at(-1)!.members.push({ key: keys.at(-1)!, start: site.start, end: site.end, value: toNode(text, pair.value) })
}

/** The table of that name, made when it is mentioned for the first time. Within a list of tables, its last item. */
function enter(text: string, parent: ObjectNode, key: string, site: Span): ObjectNode {
  const existing = memberOf(parent, key)?.value
  const found = existing?.kind === 'list' ? existing.items.at(-1) : existing
  if (found?.kind === 'object' && formOf(found).kind === 'tables') return found
  if (existing !== undefined) throw twice(text, site, key)
  const made = table(site.start, site.end)
  parent.members.push({ key, start: site.start, end: site.end, value: made })
  parents.set(made, parent)
  return made
}

function toNode(text: string, node: AST.TOMLContentNode): TreeNode {
  const [start, end] = node.range
  switch (node.type) {
    case 'TOMLArray':
      return {
        kind: 'list',
        start,
        end,
        items: node.elements.map((item) => toNode(text, item)),
        form: { kind: 'braces' },
      }
    case 'TOMLInlineTable':
      return inlineTable(text, node)
    case 'TOMLValue':
      return { kind: 'scalar', start, end, source: text.slice(start, end), value: scalarOf(node) }
  }
}

function inlineTable(text: string, node: AST.TOMLInlineTable): ObjectNode {
  const [start, end] = node.range
  const object: ObjectNode = { kind: 'object', start, end, members: [], form: { kind: 'braces' } }
  for (const pair of node.body) {
    const keys = keysOf(pair.key)
    let parent = object
    const span = { start: pair.range[0], end: pair.range[1] }
    for (const key of keys.slice(0, -1)) {
      const existing = memberOf(parent, key)?.value
      const next: ObjectNode =
        existing?.kind === 'object'
          ? existing
          : { kind: 'object', ...span, members: [], form: { kind: 'dotted-inline' } }
      if (existing === undefined) parent.members.push({ key, ...span, value: next })
      parent = next
    }
    parent.members.push({ key: keys.at(-1)!, ...span, value: toNode(text, pair.value) })
  }
  return object
}

function keysOf(key: AST.TOMLKey): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

function scalarOf(node: AST.TOMLValue): unknown {
  if (node.kind === 'string' || node.kind === 'boolean' || node.kind === 'float') return node.value
  if (node.kind === 'integer') return Number.isSafeInteger(Number(node.bigint)) ? Number(node.bigint) : node.bigint
  return undefined
}

function tablesForm(object: ObjectNode): TablesForm {
  return object.form as TablesForm
}

function tablesOf(sites: Site[]): TablesForm {
  return { kind: 'tables', sites }
}

function twice(text: string, site: Span, key: string): DocumentError {
  return new DocumentError('file_broken', `${showPlace(text, site.start)}: \`${key}\` is defined twice`)
}
