// Pure: what a server lists is made valid for the official clients, as far as nobody loses anything by it.
import { isObject } from '../../json/read.ts'

/** The item as clients may be shown it, with what was left out of it; or where it is wrong. */
export type Mended =
  { kind: 'valid'; item: Record<string, unknown>; leftOut: string[] } | { kind: 'invalid'; at: string }

/** What finds the flaws of a value, the first one first. */
export interface Shape {
  safeParse(value: unknown): { error?: { issues: readonly { path: Path }[] } | undefined }
}

type Path = readonly PropertyKey[]

/** More flaws than this are no slip. */
const mostFlaws = 100

/**
 * Leaves out members that are not as `shape` wants them. Those in `needed` are never left out; inside them only a member that is
 * null goes, and a schema that is only true or false is written as the object that means the same.
 */
export function mend(item: Record<string, unknown>, shape: Shape, needed: readonly string[]): Mended {
  let mended = item
  const leftOut: string[] = []
  for (let round = 0; round < mostFlaws; round++) {
    const flaw = shape.safeParse(mended).error?.issues[0]?.path
    if (flaw === undefined) return { kind: 'valid', item: mended, leftOut }
    if (round === 0) mended = structuredClone(item)
    const isNeeded = needed.includes(String(flaw[0]))
    const gone = isNeeded ? mendNeeded(mended, flaw) : leaveOut(mended, flaw)
    if (gone === undefined) return { kind: 'invalid', at: nameOf(flaw) }
    if (gone !== '') leftOut.push(gone)
  }
  return { kind: 'invalid', at: 'many places' }
}

/** Undefined when it cannot be mended. */
function mendNeeded(item: Record<string, unknown>, path: Path): string | undefined {
  const parent = at(item, path.slice(0, -1))
  const name = String(path.at(-1))
  if (path.length < 2 || !isObject(parent) || !Object.hasOwn(parent, name)) return undefined
  const value = parent[name]
  if (path.at(-2) === 'properties' && (value === null || typeof value === 'boolean')) {
    parent[name] = value === false ? { not: {} } : {}
    return ''
  }
  if (value !== null) return undefined
  delete parent[name]
  return nameOf(path)
}

/** Leaves out the member that is wrong, or what lacks one; of a list all of it. */
function leaveOut(item: Record<string, unknown>, path: Path): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const parent = at(item, path.slice(0, length - 1))
    const name = String(path[length - 1])
    if (!isObject(parent) || !Object.hasOwn(parent, name)) continue
    delete parent[name]
    return nameOf(path.slice(0, length))
  }
  return undefined
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<PropertyKey, unknown> | undefined)?.[name], value)
}

/** A path as people write it; parts that are no names of the protocol are not repeated. */
function nameOf(path: Path): string {
  return path.map((part) => (/^[A-Za-z_]\w{0,31}$/.test(String(part)) ? String(part) : '…')).join('.')
}
