// Reads single settings of a client's file. A value of an odd kind elsewhere in the file never hides what is asked for.
import { type DocumentFormat, type ParsedDocument } from '../../documents/format.ts'
import { type Member, nodeAt, type Path, type TreeNode } from '../../documents/tree.ts'
import { type Look } from './client.ts'
import { type OpenedFile } from './obstacle.ts'

/** Those of some files that exist, opened. */
export function openFiles(paths: readonly string[], format: DocumentFormat, look: Look): OpenedFile[] {
  return paths.flatMap((path) => {
    const document = look(path, format)
    return document === undefined ? [] : [{ path, document }]
  })
}

/** The text, number, boolean or null at a path; undefined for anything else. */
export function scalarAt(document: ParsedDocument | undefined, path: Path): unknown {
  const node = document && nodeAt(document.root, path)
  return node?.kind === 'scalar' ? node.value : undefined
}

/** The texts of the list at a path, other items left out; empty when there is no list. */
export function textsAt(document: ParsedDocument | undefined, path: Path): string[] {
  return itemsAt(document, path).flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : [],
  )
}

/** The items of the list at a path; empty when there is no list. */
export function itemsAt(document: ParsedDocument | undefined, path: Path): TreeNode[] {
  const node = document && nodeAt(document.root, path)
  return node?.kind === 'list' ? node.items : []
}

/** The members of the object at a path; empty when there is no object. */
export function membersAt(document: ParsedDocument | undefined, path: Path): Member[] {
  const node = document && nodeAt(document.root, path)
  return node?.kind === 'object' ? node.members : []
}

/** The scalar under a key of a node; undefined for anything else. */
export function scalarIn(node: TreeNode, key: string): unknown {
  const found = nodeAt(node, [key])
  return found?.kind === 'scalar' ? found.value : undefined
}
