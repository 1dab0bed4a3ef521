// Compares one client's file with what it shall hold. Reads, writes nothing.
import { isObject } from '../../json/read.ts'
import { type ServerDefinition } from '../clients/client.ts'
import { type Edit } from '../../documents/edit.ts'
import { type ParsedDocument } from '../../documents/format.ts'
import { nameOf, nodeAt, type Path, type PlainObject, toLoose, type TreeNode } from '../../documents/tree.ts'
import { ClientConfigError } from '../client-config-error.ts'
import { entryName } from '../entry/server-entry.ts'
import { type DesiredEntry } from './desired.ts'
import { describeUpdate } from './detail.ts'
import { entryPathOf, type SyncKind } from './kind.ts'

/** One planned change. */
export interface PlannedChange {
  server: string
  action: 'add' | 'update' | 'remove'
  detail?: string
}

/** What is planned for a file. */
export interface AgentPlan {
  /** Sorted by server name. */
  changes: PlannedChange[]
  edits: Edit[]
  /** Names that will be ours: wanted ones, and owned ones that are still there. */
  owned: string[]
  notes: string[]
}

/** What decides about a plan besides the file. */
export interface AgentRequest {
  /** The file's path, for messages. */
  file: string
  kind: SyncKind
  desired: ReadonlyMap<string, DesiredEntry>
  /** Names recorded at the last write. */
  owned: readonly string[]
  /** Those of them that go when they are not desired. */
  removable: readonly string[]
  /** An entry of our name that somebody else made may be taken over. */
  force: boolean
  /** Our entry in this file was made by `init`. */
  isOurs: boolean
}

/** Plans a file that is parsed. Throws `foreign_entry` for an entry of our name that is not ours. */
export function planAgent(document: ParsedDocument, request: AgentRequest): AgentPlan {
  const { kind, desired, owned, removable } = request
  const names = [...new Set([...desired.keys(), ...removable])].toSorted()
  const plan: AgentPlan = { changes: [], edits: [], owned: [], notes: [] }
  for (const name of names) {
    const node = nodeAt(document.root, entryPathOf(kind, name))
    const wanted = desired.get(name)
    const current = node && kind.shape.read(toLoose(node))
    if (wanted !== undefined) planWanted(plan, request, { name, wanted, node, current })
    else if (current !== undefined) {
      plan.changes.push({ server: name, action: 'remove' })
      plan.edits.push({ kind: 'remove', path: entryPathOf(kind, name) })
    } else if (node !== undefined) plan.owned.push(name)
  }
  plan.owned.push(...owned.filter((name) => !names.includes(name)))
  return plan
}

/** Every server in a file, by name; entries that cannot be read are left out. */
export function serversIn(
  document: ParsedDocument,
  kind: SyncKind,
): Map<string, { server: ServerDefinition; node: TreeNode }> {
  const section = nodeAt(document.root, kind.section)
  const found: [string, TreeNode][] =
    section?.kind === 'object'
      ? section.members.map(({ key, value }) => [key, value])
      : section?.kind === 'list'
        ? section.items.map((item) => [nameOf(item) ?? '', item])
        : []
  return new Map(
    found.flatMap(([name, node]) => {
      const server = kind.shape.read(toLoose(node))
      return server === undefined || name === '' ? [] : [[name, { server, node }]]
    }),
  )
}

interface Wanted {
  name: string
  wanted: DesiredEntry
  node: TreeNode | undefined
  current: ServerDefinition | undefined
}

function planWanted(plan: AgentPlan, request: AgentRequest, { name, wanted, node, current }: Wanted): void {
  const { file, kind, owned, force, isOurs } = request
  plan.notes.push(...wanted.notes)
  if (node !== undefined && current === undefined) {
    plan.notes.push(`the entry ${name} cannot be read and is left alone`)
    return
  }
  plan.owned.push(name)
  const path = entryPathOf(kind, name)
  const members = kind.shape.write(wanted.server)
  if (current === undefined) {
    plan.changes.push({ server: name, action: 'add' })
    plan.edits.push({ kind: 'merge', path, members }, ...defaultsOf(kind, name, path))
    return
  }
  const before = comparable(current, wanted)
  const after = comparable(kind.shape.read(members)!, wanted)
  const detail = describeUpdate(before, after)
  if (detail === '') return
  if (name === entryName && !owned.includes(name) && !isOurs && !force) {
    throw new ClientConfigError(
      'foreign_entry',
      `${file}: it has an entry ${entryName} that this program did not write; --force takes it over`,
    )
  }
  plan.changes.push({ server: name, action: 'update', detail })
  plan.edits.push(...staleEdits(kind, node!, path, members, wanted), { kind: 'merge', path, members })
}

function defaultsOf(kind: SyncKind, name: string, path: Path): Edit[] {
  const { entryDefaults: members } = kind
  return name === entryName && members !== undefined ? [{ kind: 'merge', path, members, missingOnly: true }] : []
}

/** A server as it is compared: of variables only those that are ours to set. */
function comparable(server: ServerDefinition, { variables }: DesiredEntry): ServerDefinition {
  if (variables === undefined || server.env === undefined) return server
  const env = Object.fromEntries(Object.entries(server.env).filter(([name]) => variables.includes(name)))
  return { ...server, env }
}

/** Modelled keys, and variables of ours, that the new entry has no more. */
function staleEdits(kind: SyncKind, node: TreeNode, path: Path, members: PlainObject, wanted: DesiredEntry): Edit[] {
  const keys = kind.shape.modelled.filter((key) => !(key in members) && nodeAt(node, [key]) !== undefined)
  const variables = ['env', 'environment'].flatMap((key): Path[] => {
    const env = nodeAt(node, [key])
    const kept = members[key]
    if (env?.kind !== 'object' || kept === undefined || !isObject(kept)) return []
    const isStale = (name: string): boolean => !(name in kept) && (wanted.variables?.includes(name) ?? true)
    return env.members.filter((member) => isStale(member.key)).map((member) => [...path, key, member.key])
  })
  return [...keys.map((key): Path => [...path, key]), ...variables].map((gone): Edit => ({
    kind: 'remove',
    path: gone,
  }))
}
