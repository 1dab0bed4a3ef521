// What may be asked of a file, and the splices that do it. Every edit is located by parsing and written as splices.
import { isObject } from '../json/read.ts'
import { DocumentError } from './document-error.ts'
import { type DocumentFormat, type Insertion, type ParsedDocument } from './format.ts'
import { showPlace } from './place.ts'
import { type Splice } from './splice.ts'
import { memberOf, nameOf, nodeAt, hasValue, showPath, stepInto } from './tree.ts'
import { type ObjectNode, type Path, type Plain, type PlainObject, type Step, type TreeNode } from './tree.ts'

/** One wish about a file. */
export type Edit =
  /**
   * The object at `path` shall have these members; objects in them are merged, other values replaced when they differ.
   * `missingOnly` leaves members that are there as they are. The object and those above it are made when missing.
   */
  | { kind: 'merge'; path: Path; members: PlainObject; missingOnly?: boolean }
  /** There shall be nothing at the path; with `ifEmpty`, only when what is there is empty. The objects above it stay. */
  | { kind: 'remove'; path: Path; ifEmpty?: boolean }
  /** The list at `path` shall hold these items; those that it holds are not added twice. The list is made when missing. */
  | { kind: 'append'; path: Path; items: Plain[] }
  /** The list at `path` shall not hold these items. */
  | { kind: 'take'; path: Path; items: Plain[] }

/** The splices that fulfil one edit; none when the file says so already. Throws `file_refused` with the place. */
export function splicesFor(format: DocumentFormat, document: ParsedDocument, edit: Edit): Splice[] {
  switch (edit.kind) {
    case 'merge':
      return merge(format, document, edit)
    case 'remove':
      return edit.ifEmpty === true && !isEmpty(nodeAt(document.root, edit.path))
        ? []
        : remove(format, document, edit.path)
    case 'append':
      return append(format, document, edit)
    case 'take': {
      const list = nodeAt(document.root, edit.path)
      if (list?.kind !== 'list') return []
      const indexes = list.items.flatMap((item, index) =>
        edit.items.some((gone) => hasValue(item, gone)) ? [index] : [],
      )
      return indexes.length === 0 ? [] : format.removeItems(document, list, indexes)
    }
  }
}

/** Refuses keys that occur twice where an edit has to choose one; names both places. */
function refuseDuplicates(document: ParsedDocument, path: Path): void {
  let node: TreeNode | undefined = document.root
  for (const [index, step] of path.entries()) {
    if (node?.kind === 'object' && typeof step === 'string') {
      const same = node.members.filter((member) => member.key === step)
      if (same.length > 1) {
        const places = same.map((member) => showPlace(document.text, member.start)).join(' and ')
        throw new DocumentError('file_broken', `${showPath(path.slice(0, index + 1))} stands twice: ${places}`)
      }
    }
    node = node === undefined ? undefined : stepInto(node, step)
  }
}

function merge(format: DocumentFormat, document: ParsedDocument, edit: Extract<Edit, { kind: 'merge' }>): Splice[] {
  const found = locate(format, document, edit.path)
  if (found.missing.length === 0) return mergeInto(format, document, found, edit.members, edit.missingOnly === true)
  const [first, ...rest] = found.missing
  if (typeof first === 'object') {
    const list = found.list!
    if (rest.length > 0) throw new DocumentError('proof_failed', `there is nothing at ${showPath(edit.path)}`)
    return format.insertItems(document, list, found.path, [{ name: first.name, ...edit.members }])
  }
  if (found.missing.some((step) => typeof step === 'object')) return insertNamed(format, document, found, edit)
  return format.insertMembers(document, { ...found, missing: found.missing as string[] }, edit.members)
}

/** A list of named items that does not exist yet comes with its first item. */
function insertNamed(
  format: DocumentFormat,
  document: ParsedDocument,
  found: Located,
  edit: Extract<Edit, { kind: 'merge' }>,
): Splice[] {
  const keys = found.missing.filter((step) => typeof step === 'string')
  const item = found.missing.at(-1)
  if (typeof item !== 'object' || keys.length !== found.missing.length - 1) {
    throw new DocumentError('proof_failed', `there is nothing at ${showPath(edit.path)}`)
  }
  const list = [{ name: item.name, ...edit.members }]
  const empty = nodeAt(document.root, edit.path.slice(0, -1))
  if (empty !== undefined) return format.replaceValue(document, empty, list)
  return format.insertMembers(document, { ...found, missing: keys.slice(0, -1) }, { [keys.at(-1)!]: list })
}

function mergeInto(
  format: DocumentFormat,
  document: ParsedDocument,
  { object, path }: Located,
  members: PlainObject,
  missingOnly: boolean,
): Splice[] {
  const splices: Splice[] = []
  const absent: PlainObject = {}
  for (const [key, value] of Object.entries(members)) {
    refuseDuplicates(document, [...path, key])
    const existing = memberOf(object, key)?.value
    const inner = existing && asObject(format, document, existing)
    if (existing === undefined) absent[key] = value
    else if (inner !== undefined && isObject(value)) {
      const at = { object: inner, path: [...path, key], missing: [] }
      splices.push(...mergeInto(format, document, at, value, missingOnly))
    } else if (!missingOnly && !hasValue(existing, value))
      splices.push(...format.replaceValue(document, existing, value))
  }
  if (Object.keys(absent).length > 0)
    splices.push(...format.insertMembers(document, { object, path, missing: [] }, absent))
  return splices
}

function remove(format: DocumentFormat, document: ParsedDocument, path: Path): Splice[] {
  const parent = nodeAt(document.root, path.slice(0, -1))
  const last = path.at(-1)!
  if (parent?.kind === 'object' && typeof last === 'string') {
    const index = parent.members.findIndex((member) => member.key === last)
    if (index === -1) return []
    refuseDuplicates(document, path)
    return format.removeMember(document, parent, index)
  }
  if (parent?.kind !== 'list' || typeof last === 'string') return []
  const indexes = parent.items.flatMap((item, index) => (nameOf(item) === last.name ? [index] : []))
  return indexes.length === 0 ? [] : format.removeItems(document, parent, indexes)
}

function isEmpty(node: TreeNode | undefined): boolean {
  if (node?.kind === 'object') return node.members.length === 0
  return node?.kind === 'list' && node.items.length === 0
}

function append(format: DocumentFormat, document: ParsedDocument, edit: Extract<Edit, { kind: 'append' }>): Splice[] {
  const { path } = edit
  refuseDuplicates(document, path)
  const keys = path.filter((step) => typeof step === 'string')
  const list = nodeAt(document.root, path)
  if (list?.kind === 'list') {
    const absent = edit.items.filter((item) => !list.items.some((there) => hasValue(there, item)))
    return absent.length === 0 ? [] : format.insertItems(document, list, keys, absent)
  }
  if (list !== undefined && asObject(format, document, list)?.members.length !== 0)
    throw notA(document, list, 'list', path)
  if (edit.items.length === 0) return []
  if (list !== undefined) return format.replaceValue(document, list, edit.items)
  const found = locate(format, document, path.slice(0, -1))
  return format.insertMembers(
    document,
    { ...found, missing: found.missing as string[] },
    { [keys.at(-1)!]: edit.items },
  )
}

interface Located extends Omit<Insertion, 'missing'> {
  path: string[]
  missing: Step[]
  /** The list in which the first missing step, a name, would be an item. */
  list?: Extract<TreeNode, { kind: 'list' }>
}

/** The deepest object on the path, and the steps that do not exist yet. */
function locate(format: DocumentFormat, document: ParsedDocument, path: Path): Located {
  refuseDuplicates(document, path)
  let object = document.root
  let node: TreeNode = document.root
  const keys: string[] = []
  for (const [index, step] of path.entries()) {
    const next = stepInto(node, step)
    if (next === undefined) {
      const missing = path.slice(index)
      return { object, path: keys, missing, ...(node.kind === 'list' ? { list: node } : {}) }
    }
    const isLast = index === path.length - 1
    const wantsList = !isLast && typeof path[index + 1] === 'object'
    const inner = wantsList && next.kind === 'list' ? next : asObject(format, document, next)
    if (inner === undefined)
      throw notA(document, next, wantsList ? 'list' : 'table or object', path.slice(0, index + 1))
    if (wantsList && inner.kind === 'object') return { object, path: keys, missing: path.slice(index) }
    node = inner
    if (inner.kind === 'object') object = inner
    if (typeof step === 'string') keys.push(step)
  }
  return { object, path: keys, missing: [] }
}

function asObject(format: DocumentFormat, document: ParsedDocument, node: TreeNode): ObjectNode | undefined {
  if (node.kind === 'object') return node
  return node.kind === 'scalar' ? format.asEmptyObject?.(document, node) : undefined
}

function notA(document: ParsedDocument, node: TreeNode, wanted: string, path: Path): DocumentError {
  const place = showPlace(document.text, node.start)
  return new DocumentError('file_refused', `${place}: ${showPath(path)} is not a ${wanted}`)
}
