// How to take what is ours out of a file that its user has changed since. Pure.
import { type Edit } from '../../documents/edit.ts'
import { nodeAt, type ObjectNode, type Path, hasValue, showPath, type TreeNode } from '../../documents/tree.ts'
import { type Claim, isWithin } from './claims.ts'

/** What undoing comes to. */
export interface UndoEdits {
  edits: Edit[]
  /** Values of ours that the user edited; they stay. */
  left: string[]
  /** What the user added inside of our entry and what goes with it. */
  lost: string[]
}

/** What is known about a file of ours. */
export interface Owned {
  claims: readonly Claim[]
  /** Where the server entry is, when this file holds it. */
  entryPath?: Path
}

/**
 * The edits that remove what is ours. An entry that we made goes as a whole, because a part of one would keep the client
 * from starting; when the user edited a value of ours in it, it stays as a whole. `force` removes edited values too.
 */
export function undoEdits(root: ObjectNode, { claims, entryPath }: Owned, force: boolean): UndoEdits {
  const isOurEntry = entryPath !== undefined && claims.some((claim) => isContainerAt(claim, entryPath))
  const inside = isOurEntry ? claims.filter((claim) => isWithin(claim.path, entryPath)) : []
  const outside = claims.filter((claim) => !inside.includes(claim))
  const entry = isOurEntry ? undoEntry(root, entryPath, inside, force) : { edits: [], left: [], lost: [] }
  const edited = outside.filter((claim) => isEdited(root, claim))
  const removed = outside.filter((claim) => force || !edited.includes(claim))
  const values = removed.flatMap((claim) => (claim.kind === 'container' ? [] : toEdits(root, claim)))
  const containers = removed
    .filter((claim) => claim.kind === 'container')
    .toSorted((left, right) => right.path.length - left.path.length)
    .map((claim): Edit => ({ kind: 'remove', path: claim.path, ifEmpty: true }))
  return {
    edits: [...entry.edits, ...values, ...containers],
    left: [...entry.left, ...(force ? [] : edited.map((claim) => showPath(claim.path)))],
    lost: entry.lost,
  }
}

function undoEntry(root: ObjectNode, entryPath: Path, claims: readonly Claim[], force: boolean): UndoEdits {
  const entry = nodeAt(root, entryPath)
  if (entry === undefined) return { edits: [], left: [], lost: [] }
  const edited = claims.filter((claim) => isEdited(root, claim))
  if (edited.length > 0 && !force) return { edits: [], left: edited.map((claim) => showPath(claim.path)), lost: [] }
  const known = new Set(claims.map((claim) => JSON.stringify(claim.path)))
  const lost = leaves(entry, entryPath).filter((path) => !known.has(JSON.stringify(path)))
  return { edits: [{ kind: 'remove', path: entryPath }], left: [], lost: lost.map(showPath) }
}

/** True when something else stands where our value stood; what the user removed is not edited. */
function isEdited(root: ObjectNode, claim: Claim): boolean {
  if (claim.kind !== 'value') return false
  const node = nodeAt(root, claim.path)
  return node !== undefined && !hasValue(node, claim.value)
}

function toEdits(root: ObjectNode, claim: Exclude<Claim, { kind: 'container' }>): Edit[] {
  if (claim.kind === 'item') return [{ kind: 'take', path: claim.path, items: [claim.item] }]
  if (nodeAt(root, claim.path) === undefined) return []
  const { path, former } = claim
  if (former === undefined) return [{ kind: 'remove', path }]
  return [{ kind: 'merge', path: path.slice(0, -1), members: { [path.at(-1) as string]: former } }]
}

function isContainerAt(claim: Claim, path: Path): boolean {
  return claim.kind === 'container' && JSON.stringify(claim.path) === JSON.stringify(path)
}

function leaves(node: TreeNode, path: Path): Path[] {
  if (node.kind !== 'object') return [path]
  return node.members.flatMap((member) => leaves(member.value, [...path, member.key]))
}
