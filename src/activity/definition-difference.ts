// Pure: how two versions of a tool's definition differ.
import { isObject } from '../json/read.ts'
import type { ChangedTool } from './tool-definitions.ts'

/** One member that differs: where it stands, and its JSON texts; undefined where there is none. */
export interface MemberChange {
  member: string
  accepted: string | undefined
  present: string | undefined
}

/** The members that differ, in the order of the present version, those that are gone behind them. */
export function definitionDifference({ accepted, present }: Pick<ChangedTool, 'accepted' | 'present'>): MemberChange[] {
  const [before, now] = [leavesOf(accepted), leavesOf(present)]
  return [...new Set([...now.keys(), ...before.keys()])]
    .map((member) => ({ member, accepted: before.get(member), present: now.get(member) }))
    .filter((change) => change.accepted !== change.present)
}

/** The values that hold no others, by their places. */
function leavesOf(definition: string): Map<string, string> {
  const leaves = new Map<string, string>()
  const collect = (value: unknown, at: string) => {
    const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
    if (members.length === 0) leaves.set(at, JSON.stringify(value))
    for (const [name, member] of members) collect(member, at === '' ? String(name) : `${at}.${name}`)
  }
  try {
    collect(JSON.parse(definition), '')
  } catch {
    // Only the beginning of a very long one is kept.
    leaves.set('', definition)
  }
  return leaves
}

/** So much of what is equal is shown before the first difference, and so much from there on; characters. */
const context = 40
const shown = 400

/** Both texts from shortly before the place where they begin to differ, with `…` for what is left out. */
export function aroundDifference(one: string, other: string): [string, string] {
  let equal = 0
  while (equal < one.length && equal < other.length && one[equal] === other[equal]) equal++
  const start = Math.max(0, equal - context)
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + context + shown)}${text.length > start + context + shown ? '…' : ''}`
  return [cut(one), cut(other)]
}
