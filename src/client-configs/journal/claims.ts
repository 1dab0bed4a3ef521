// What of a file is ours: the values and list items that we added, so that undoing takes these and nothing else. Pure.
import { isObject } from '../../json/read.ts'
import { type Edit } from '../../documents/edit.ts'
import { nodeAt, type ObjectNode, type Path, type Plain, hasValue, toPlain } from '../../documents/tree.ts'

/** One thing in a file that is there because of us. */
export type Claim =
  /** A value that we set; `former` is what stood there before. */
  | { kind: 'value'; path: Path; value: Plain; former?: Plain }
  /** An item that we added to a list. */
  | { kind: 'item'; path: Path; item: Plain }
  /** An object or list that was not there before. */
  | { kind: 'container'; path: Path }

/** What edits would make ours in a file that says `root` now: what is there already is not ours. */
export function claimsOf(root: ObjectNode, edits: readonly Edit[]): Claim[] {
  return edits.flatMap((edit): Claim[] => {
    if (edit.kind === 'merge') {
      return [...containers(root, edit.path), ...valueClaims(root, edit.path, edit.members, edit.missingOnly === true)]
    }
    if (edit.kind !== 'append') return []
    const list = nodeAt(root, edit.path)
    const items = list?.kind === 'list' ? list.items : []
    const added = edit.items.filter((item) => !items.some((there) => hasValue(there, item)))
    return [...containers(root, edit.path), ...added.map((item): Claim => ({ kind: 'item', path: edit.path, item }))]
  })
}

/** Everything that edits are about, whether it is there already or not. */
export function targetsOf(edits: readonly Edit[]): Set<string> {
  const empty: ObjectNode = { kind: 'object', start: 0, end: 0, members: [], form: undefined }
  return new Set(claimsOf(empty, edits).map(claimKey))
}

/** Two claims with the same key are about the same thing. */
export function claimKey(claim: Claim): string {
  return JSON.stringify([claim.kind, claim.path, claim.kind === 'item' ? claim.item : null])
}

/** Earlier and later claims on one file as one list: the first `former` is what the user had. */
export function mergeClaims(earlier: readonly Claim[], later: readonly Claim[]): Claim[] {
  const merged = new Map(earlier.map((claim) => [claimKey(claim), claim]))
  for (const claim of later) {
    const known = merged.get(claimKey(claim))
    if (known?.kind === 'value' && claim.kind === 'value') merged.set(claimKey(claim), { ...known, value: claim.value })
    else if (known === undefined) merged.set(claimKey(claim), claim)
  }
  return [...merged.values()]
}

/** True when a path lies at or below another. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => JSON.stringify(path[index]) === JSON.stringify(step))
}

function containers(root: ObjectNode, path: Path): Claim[] {
  return path.flatMap((step, index): Claim[] => {
    const outer = path.slice(0, index + 1)
    const node = nodeAt(root, outer)
    const isThere = node !== undefined && !(node.kind === 'scalar' && node.value === null)
    return isThere ? [] : [{ kind: 'container', path: outer }]
  })
}

function valueClaims(root: ObjectNode, path: Path, members: { [key: string]: Plain }, missingOnly: boolean): Claim[] {
  return Object.entries(members).flatMap(([key, value]): Claim[] => {
    const inner = [...path, key]
    const node = nodeAt(root, inner)
    const isFilled = isObject(value) && Object.keys(value).length > 0
    if (isFilled && (node === undefined || node.kind === 'object')) {
      const made: Claim[] = node === undefined ? [{ kind: 'container', path: inner }] : []
      return [...made, ...valueClaims(root, inner, value, missingOnly)]
    }
    if (node !== undefined && (missingOnly || hasValue(node, value))) return []
    const former = node && toPlain(node)
    return [{ kind: 'value', path: inner, value, ...(former === undefined ? {} : { former }) }]
  })
}
