// Pure: ids of requests as people read and type them. Hubu knows whole ids only.
import { label } from '../terminal/foreign-text.ts'

/** A short id never has fewer characters, so that one new request more seldom makes it mean two. */
const fewest = 8

/** Each id's beginning that none of the others has, in their order. */
export function shortIds(ids: readonly string[]): string[] {
  return ids.map((id) => {
    for (let length = fewest; length < id.length; length++) {
      const start = id.slice(0, length)
      if (ids.filter((other) => other.startsWith(start)).length === 1) return start
    }
    return id
  })
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
