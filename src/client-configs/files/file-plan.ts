// What is to be done to one file: read, edited and proven in memory, not yet written.
import { namingFile } from '../../documents/document-error.ts'
import { type Edit } from '../../documents/edit.ts'
import { editText, parseText } from '../../documents/edit-text.ts'
import { type DocumentFormat, type ParsedDocument } from '../../documents/format.ts'
import { type Change, invert } from '../../documents/splice.ts'
import { nodeAt, type ObjectNode, type Path, hasValue } from '../../documents/tree.ts'
import { type Claim, claimKey, claimsOf, mergeClaims, targetsOf } from '../journal/claims.ts'
import { type FileRecord } from '../journal/journal.ts'
import { type DocumentFile, sha256 } from '../../documents/document-file.ts'

/** A wish about a file of the client's, or a file of ours alone. */
export type FileWish =
  | { kind: 'edits'; path: string; format: DocumentFormat; edits: Edit[]; entryPath?: Path }
  | { kind: 'whole'; path: string; text: string }

/** A file as it is and as it shall be. No changes means that nothing has to be written. */
export interface FilePlan {
  wish: FileWish
  file: DocumentFile
  /** The text as it is; empty when there is no file. */
  before: string
  after: string
  changes: Change[]
  /** Everything in the file that is ours once it is written. */
  claims: Claim[]
  /** There is no server entry of our name in the file yet. */
  isNewEntry: boolean
}

const parsed = new WeakMap<DocumentFile, ParsedDocument>()

/**
 * Parses what was read of a file, once for each reading and always in the same format; errors name the file. A missing file
 * reads as an empty one.
 */
export function parseFile(file: DocumentFile, format: DocumentFormat): ParsedDocument {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const document = namingFile(file.path, () => parseText(format, textOf(file)))
  parsed.set(file, document)
  return document
}

/** Works out what a wish does to a file. `record` is what we did to it before: what is ours and no longer wanted goes. */
export function planFile(wish: FileWish, file: DocumentFile, record?: FileRecord): FilePlan {
  const before = textOf(file)
  if (wish.kind === 'whole') return planWhole(wish, file, before, record)
  const { format } = wish
  const document = parseFile(file, format)
  const { root } = document
  const { stale, kept } = sortClaims(root, record?.claims ?? [], wish.edits)
  const edits = [...stale.map(removal), ...wish.edits]
  const { text, changes } = namingFile(file.path, () => editText(format, before, edits, document))
  const isNewEntry = wish.entryPath !== undefined && nodeAt(root, wish.entryPath) === undefined
  const claims = mergeClaims(kept, claimsOf(root, wish.edits))
  return { wish, file, before, after: text, changes, claims, isNewEntry }
}

/** The record of a plan that is being written. */
export function recordFor(plan: FilePlan, createdFolders: string[]): FileRecord {
  const { file, wish } = plan
  return {
    path: file.path,
    format: wish.kind === 'whole' ? 'whole' : wish.format.name,
    ...(wish.kind === 'edits' && wish.entryPath !== undefined ? { entryPath: wish.entryPath } : {}),
    created: file.kind === 'missing',
    createdFolders,
    after: sha256(plan.after),
    back: { sha256: sha256(plan.before), rounds: [invert(plan.changes)] },
    claims: plan.claims,
  }
}

function planWhole(
  wish: Extract<FileWish, { kind: 'whole' }>,
  file: DocumentFile,
  before: string,
  record?: FileRecord,
): FilePlan {
  const changes =
    before === wish.text && file.kind === 'present' ? [] : [{ at: 0, removed: before, inserted: wish.text }]
  return { wish, file, before, after: wish.text, changes, claims: record?.claims ?? [], isNewEntry: false }
}

/** Our earlier claims: those that are still wanted, and what nobody wants any more and nobody has edited. */
function sortClaims(
  root: ObjectNode,
  claims: readonly Claim[],
  edits: readonly Edit[],
): { stale: Claim[]; kept: Claim[] } {
  const targets = targetsOf(edits)
  const isStale = (claim: Claim): boolean => !targets.has(claimKey(claim)) && isUnedited(root, claim)
  const stale = claims
    .filter(isStale)
    .toSorted(
      (left, right) => Number(isContainer(left)) - Number(isContainer(right)) || right.path.length - left.path.length,
    )
  return { stale, kept: claims.filter((claim) => !isStale(claim)) }
}

function isContainer(claim: Claim): boolean {
  return claim.kind === 'container'
}

function isUnedited(root: ObjectNode, claim: Claim): boolean {
  if (claim.kind !== 'value') return true
  const node = nodeAt(root, claim.path)
  return node === undefined || hasValue(node, claim.value)
}

function removal(claim: Claim): Edit {
  switch (claim.kind) {
    case 'item':
      return { kind: 'take', path: claim.path, items: [claim.item] }
    case 'value':
      return { kind: 'remove', path: claim.path }
    case 'container':
      return { kind: 'remove', path: claim.path, ifEmpty: true }
  }
}

function textOf(file: DocumentFile): string {
  return file.kind === 'present' ? file.text : ''
}
