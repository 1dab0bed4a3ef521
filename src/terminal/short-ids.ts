// Pure: ids as people read and type them.
import { label } from './foreign-text.ts'

/** A short id never has fewer characters, so that one new request more seldom makes it mean two. */
const fewest = 8

/** Each id's beginning that none of the others has, in their order. */
export function shortIds(ids: readonly string[]): string[] {
  const sorted = ids.toSorted((left, right) => (left < right ? -1 : 1))
  const short = new Map(sorted.map((id, at) => [id, shortId(id, [sorted[at - 1], sorted[at + 1]])]))
  return ids.map((id) => short.get(id)!)
}

/** The beginning of an id that none of its neighbours in sorted order has, so that no other one has it either. */
export function shortId(id: string, neighbours: readonly (string | undefined)[]): string {
  const inCommon = neighbours.map((other) => (other === undefined ? 0 : lengthInCommon(id, other)))
  return id.slice(0, Math.max(fewest, Math.max(...inCommon) + 1))
}

function lengthInCommon(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return length
}

/** What a typed id stands for among those that wait. */
export type FoundId = { kind: 'one'; id: string } | { kind: 'none' } | { kind: 'several'; ids: string[] }

/** Looks a beginning up; case and blanks around it do not matter. */
export function findId(typed: string, ids: readonly string[]): FoundId {
  const start = typed.trim().toLowerCase()
  const found = start === '' ? [] : ids.filter((id) => id.toLowerCase().startsWith(start))
  const [first, ...more] = found
  if (first === undefined) return { kind: 'none' }
  return more.length === 0
    ? { kind: 'one', id: first }
    : { kind: 'several', ids: shortIds(found).map((id) => label(id)) }
}

/** Whether it is a whole id of Hubu's, which can be asked for without a list. */
export function isWholeId(typed: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed.trim())
}
