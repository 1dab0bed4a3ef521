// What a caller may do, and what a request needs.
import { metaToolName } from '../../catalog/meta-tool-name.ts'
import { rightOfTool } from '../../calls/rights.ts'
import { member } from '../../json/read.ts'
import { splitName } from '../../names/short-name.ts'
import type { Right } from '../../wire/request.ts'

/** All of them, in the order in which they are told. */
export const allRights: readonly Right[] = ['read', 'spend', 'protected']

/** The rights with what they include: whoever may buy or administer may also read. */
export function withIncluded(rights: Iterable<Right>): ReadonlySet<Right> {
  const all = new Set(rights)
  if (all.size > 0) all.add('read')
  return all
}

/** The scope of OAuth that means a right. */
export const scopeOf = (right: Right): string => `hubu:${right}`

/** Everything that a request which needs this right needs, as a challenge says it. */
export function scopesFor(right: Right): string {
  return right === 'read' ? scopeOf('read') : `${scopeOf('read')} ${scopeOf(right)}`
}

/** What a request needs besides a bearer. */
export function rightFor(method: string, params: unknown): Right {
  if (method !== 'tools/call') return 'read'
  const name = member(params, 'name')
  if (typeof name !== 'string') return 'read'
  if (metaToolName(name) !== 'call_tool') return rightOfTool(name)
  const args = member(params, 'arguments')
  const [server, tool] = [member(args, 'server'), member(args, 'tool')]
  if (typeof tool !== 'string') return 'read'
  // A protected tool is never called through another: that refusal says what to do instead.
  const named = splitName(typeof server === 'string' ? server : '', tool)
  const inner = rightOfTool(named.server === '' ? named.tool : `${named.server}__${named.tool}`)
  return inner === 'protected' ? 'read' : inner
}
