// Pure: what differs between two policies.
import type { Policy } from './policy.ts'

/** Dotted paths of what differs, ascending; lists are compared whole. */
export function changedPaths(from: Policy, to: Policy): string[] {
  return walk({ ...from }, { ...to }, '')
}

function walk(from: unknown, to: unknown, path: string): string[] {
  if (!isPlainObject(from) || !isPlainObject(to)) return equal(from, to) ? [] : [path]
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()
  return keys.flatMap((key) => {
    const at = path === '' ? key : `${path}.${key}`
    return key in from && key in to ? walk(from[key], to[key], at) : [at]
  })
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function equal(left: unknown, right: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item))
  return text(left) === text(right)
}
