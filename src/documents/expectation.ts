// What a file must say after its edits, worked out on the tree alone. It knows nothing of splices, so that comparing it
// with the tree of the new text proves them. Pure.
import { isObject } from '../json/read.ts'
import { type Edit } from './edit.ts'
import { nameOf, type Path, type Plain, type PlainObject, hasValue, type Step, type TreeNode } from './tree.ts'

/** A tree whose old values are known by their source text and whose new ones by their meaning. */
export type Expected =
  | { kind: 'old'; source: string; isNull: boolean }
  | { kind: 'new'; value: Plain }
  | { kind: 'object'; members: { key: string; value: Expected }[]; emptied?: boolean }
  | { kind: 'list'; items: { value: Expected; plain: (item: Plain) => boolean; name?: string }[]; emptied?: boolean }

/** The tree of the old text, ready to be edited. */
export function expectOld(node: TreeNode): Expected {
  switch (node.kind) {
    case 'scalar':
      return { kind: 'old', source: node.source, isNull: node.value === null }
    case 'object':
      return { kind: 'object', members: node.members.map(({ key, value }) => ({ key, value: expectOld(value) })) }
    case 'list':
      return {
        kind: 'list',
        items: node.items.map((item) => ({
          value: expectOld(item),
          plain: (value) => hasValue(item, value),
          name: nameOf(item),
        })),
      }
  }
}

/** Applies one edit to the expectation, in place. The root is always an object. */
export function expectEdit(root: Expected, edit: Edit): void {
  switch (edit.kind) {
    case 'merge':
      mergeMembers(reach(root, edit.path), edit.members, edit.missingOnly === true)
      return
    case 'append': {
      const parent = reach(root, edit.path.slice(0, -1))
      const key = edit.path.at(-1) as string
      const found = find(parent, key)
      const list = found?.kind === 'list' ? found : ({ kind: 'list', items: [] } as Extract<Expected, { kind: 'list' }>)
      const absent = edit.items.filter((item) => !list.items.some((there) => there.plain(item)))
      list.items.push(...absent.map(newItem))
      if (list.items.length > 0) put(parent, key, list)
      return
    }
    case 'remove': {
      if (edit.ifEmpty === true && !isEmpty(look(root, edit.path))) return
      const parent = look(root, edit.path.slice(0, -1))
      const last = edit.path.at(-1)!
      if (parent?.kind === 'object') drop(parent, parent.members, (member) => member.key !== last)
      if (parent?.kind === 'list' && typeof last === 'object')
        drop(parent, parent.items, (item) => item.name !== last.name)
      return
    }
    case 'take': {
      const list = look(root, edit.path)
      if (list?.kind === 'list') drop(list, list.items, (item) => !edit.items.some((gone) => item.plain(gone)))
    }
  }
}

/** True when a tree says what is expected; `anyOrder` for formats in which the order of members means nothing. */
export function agrees(expected: Expected, node: TreeNode | undefined, anyOrder: boolean): boolean {
  // A table that lost its last key is gone in formats where it stood only by that key.
  if (node === undefined) return (expected.kind === 'object' || expected.kind === 'list') && expected.emptied === true
  switch (expected.kind) {
    case 'old':
      return node.kind === 'scalar' && node.source === expected.source
    case 'new':
      return hasValue(node, expected.value)
    case 'list':
      return (
        node.kind === 'list' &&
        node.items.length === expected.items.length &&
        expected.items.every((item, index) => agrees(item.value, node.items[index], anyOrder))
      )
    case 'object':
      return node.kind === 'object' && membersAgree(expected.members, node.members, anyOrder)
  }
}

type ExpectedMember = { key: string; value: Expected }
type Present = { key: string; value: TreeNode }

function membersAgree(expected: ExpectedMember[], present: Present[], anyOrder: boolean): boolean {
  const found = anyOrder ? byKey(present) : present
  const wanted = anyOrder ? byKey(expected) : expected
  let index = 0
  for (const member of wanted) {
    const next = found[index]
    if (next?.key === member.key && agrees(member.value, next.value, anyOrder)) index++
    else if (!agrees(member.value, undefined, anyOrder)) return false
  }
  return index === found.length
}

function byKey<T extends { key: string }>(members: T[]): T[] {
  return members.toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
}

function mergeMembers(object: Expected, members: PlainObject, missingOnly: boolean): void {
  for (const [key, value] of Object.entries(members)) {
    const existing = find(object, key)
    if (existing === undefined) put(object, key, { kind: 'new', value })
    else if (isObject(value) && (existing.kind === 'object' || isNullMap(existing))) {
      mergeMembers(reach(object, [key]), value, missingOnly)
    } else if (!missingOnly) put(object, key, { kind: 'new', value })
  }
}

/** The object at a path, made where it is missing; a null becomes one. */
function reach(root: Expected, path: Path): Expected {
  let at = root
  for (const [index, step] of path.entries()) {
    let next = find(at, step)
    const wantsList = typeof path[index + 1] === 'object'
    if (next === undefined || isNullMap(next)) {
      next = wantsList ? { kind: 'list', items: [] } : { kind: 'object', members: [] }
      if (typeof step === 'object') mergeMembers(next, { name: step.name }, false)
      put(at, step, next)
    }
    at = next
  }
  return at
}

function look(root: Expected, path: Path): Expected | undefined {
  return path.reduce<Expected | undefined>((at, step) => at && find(at, step), root)
}

function find(node: Expected, step: Step): Expected | undefined {
  if (typeof step === 'object')
    return node.kind === 'list' ? node.items.find((item) => item.name === step.name)?.value : undefined
  return node.kind === 'object' ? node.members.findLast((member) => member.key === step)?.value : undefined
}

function put(node: Expected, step: Step, value: Expected): void {
  if (typeof step === 'object') {
    if (node.kind === 'list') node.items.push({ value, plain: () => false, name: step.name })
    return
  }
  if (node.kind !== 'object') return
  const member = node.members.findLast(({ key }) => key === step)
  if (member === undefined) node.members.push({ key: step, value })
  else member.value = value
}

function drop<T>(node: Expected, members: T[], keep: (member: T) => boolean): void {
  const kept = members.filter(keep)
  if (kept.length < members.length && kept.length === 0 && node.kind !== 'old' && node.kind !== 'new')
    node.emptied = true
  members.splice(0, members.length, ...kept)
}

function newItem(item: Plain): Extract<Expected, { kind: 'list' }>['items'][number] {
  return { value: { kind: 'new', value: item }, plain: (value) => JSON.stringify(value) === JSON.stringify(item) }
}

function isEmpty(node: Expected | undefined): boolean {
  if (node?.kind === 'object') return node.members.length === 0
  if (node?.kind === 'list') return node.items.length === 0
  return (
    node?.kind === 'new' &&
    node.value !== null &&
    typeof node.value === 'object' &&
    Object.keys(node.value).length === 0
  )
}

function isNullMap(node: Expected): boolean {
  return node.kind === 'old' && node.isNull
}
