import type { ToolEntry } from '../catalog/catalog.ts'
import { invalidParams } from '../answers/refusals.ts'
import type { Findings } from '../json/findings.ts'
import { isObject } from '../json/read.ts'

/** One tools/call, taken apart; nothing is known of the name yet. */
export interface Envelope {
  name: string
  args: Record<string, unknown>
  /** Any value; spend tools read their identity from it, mounted servers get the rest of it. */
  meta: unknown
  findings: Findings
}

/** One tools/call of a tool in the ownership table. */
export interface IncomingCall extends Omit<Envelope, 'name'> {
  entry: ToolEntry
}

const members = new Set(['name', 'arguments', '_meta'])

/** Takes the parameters of tools/call apart. Throws `params_invalid` for a wrong shape, before any probe or traffic. */
export function readEnvelope(params: unknown, findings: Findings): Envelope {
  if (!isObject(params)) throw invalidParams('params must be an object with a tool name')
  const extra = Object.keys(params).find((name) => !members.has(name))
  if (extra !== undefined) throw invalidParams('params may only have the members name, arguments and _meta')
  const { name } = params
  if (typeof name !== 'string') throw invalidParams('name must be a text')
  const args = Object.hasOwn(params, 'arguments') ? params.arguments : {}
  if (!isObject(args)) throw invalidParams('arguments must be an object')
  return { name, args, meta: params._meta, findings }
}
