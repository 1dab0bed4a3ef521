// The port between the splice engine and a file format. A format locates and renders; it never writes a whole file.
import { type Cut } from './excerpt.ts'
import { type Splice } from './splice.ts'
import { type ListNode, type ObjectNode, type Plain, type PlainObject, type ScalarNode, type TreeNode } from './tree.ts'

/** Names of the formats that clients use. `json` allows neither comments nor trailing commas. */
export type FormatName = 'json' | 'jsonc' | 'toml' | 'yaml'

/** A parsed file: its text without byte order mark, and what it says. */
export interface ParsedDocument {
  /** Without what was left out of a large one. */
  text: string
  root: ObjectNode
  /** What was left out: each such value is a text of three dots in the tree. */
  cuts?: readonly Cut[]
}

/**
 * A format as the engine edits it. All splices refer to the text of the document given; inserted members come last in
 * their object.
 */
export interface DocumentFormat {
  name: FormatName
  /** Parses strictly. Throws `file_broken` with line and column, or `file_refused` for forms that we do not edit. */
  parse(text: string): ParsedDocument
  /** The same for a text that is too large for a whole tree; only formats that have this take such texts. */
  parseLarge?(text: string): ParsedDocument
  /** The empty object that a null stands for, where the format counts it as one (YAML). */
  asEmptyObject?(document: ParsedDocument, node: ScalarNode): ObjectNode | undefined
  /**
   * Inserts members into the object at `inside` steps below `object`, which do not exist yet (usually none). `path` leads
   * from the root to `object`.
   */
  insertMembers(document: ParsedDocument, at: Insertion, members: PlainObject): Splice[]
  /** Appends items to a list at `path`. */
  insertItems(document: ParsedDocument, list: ListNode, path: readonly string[], items: readonly Plain[]): Splice[]
  /** Replaces the text of one value. */
  replaceValue(document: ParsedDocument, node: TreeNode, value: Plain): Splice[]
  /** Removes one member of an object. */
  removeMember(document: ParsedDocument, object: ObjectNode, index: number): Splice[]
  /** Removes items of one list. */
  removeItems(document: ParsedDocument, list: ListNode, indexes: readonly number[]): Splice[]
  /**
   * Reads the text with a second, independent parser, or with the same one under other rules. Throws when it refuses.
   * Undefined for formats whose parser is the only one (JSON with comments).
   */
  readAgain?(text: string): unknown
}

/** Where members go. */
export interface Insertion {
  /** The deepest object that exists. */
  object: ObjectNode
  /** Keys from the root to it. Lists on the way, reached by name, are not part of it. */
  path: readonly string[]
  /** Keys of the objects still to be made below it. */
  missing: readonly string[]
}

/** Members wrapped in the objects that are still missing: `nest(['a', 'b'], m)` is `{a: {b: m}}`. */
export function nest(missing: readonly string[], members: PlainObject): PlainObject {
  return missing.reduceRight<PlainObject>((inner, key) => ({ [key]: inner }), members)
}
