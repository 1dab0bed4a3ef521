import type { MetaToolName } from '#generated/meta-tools.js'
import { findTool, type ToolEntry } from '../catalog/catalog.ts'
import type { TextFindings } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import { metaToolName } from './meta-tool-name.ts'

/** One tools/call of a tool in the ownership table, taken apart (R 2.5). */
export interface IncomingCall {
  kind: 'tool'
  entry: ToolEntry
  args: Record<string, unknown>
  /** Any value; only spend tools read it. */
  meta: unknown
  findings: TextFindings
}

/** One tools/call of the router's own tools beside the table (M 3.1). */
export interface IncomingMetaCall {
  kind: 'meta'
  name: MetaToolName
  args: Record<string, unknown>
  findings: TextFindings
}

const members = new Set(['name', 'arguments', '_meta'])

/**
 * Takes the parameters of tools/call apart. Throws `params_invalid` for a wrong shape and `tool_unknown` for a name outside
 * the tables, before any probe or traffic.
 */
export function readEnvelope(params: unknown, findings: TextFindings): IncomingCall | IncomingMetaCall {
  if (!isObject(params)) throw malformed('params must be an object with a tool name')
  const extra = Object.keys(params).find((name) => !members.has(name))
  if (extra !== undefined) throw malformed('params may only have the members name, arguments and _meta')
  if (typeof params.name !== 'string') throw malformed('name must be a text')
  const args = Object.hasOwn(params, 'arguments') ? params.arguments : {}
  if (!isObject(args)) throw malformed('arguments must be an object')
  const entry = findTool(params.name)
  if (entry !== undefined) return { kind: 'tool', entry, args, meta: params._meta, findings }
  const name = metaToolName(params.name)
  if (name !== undefined) return { kind: 'meta', name, args, findings }
  throw new RouterError('tool_unknown', 'Unknown tool. tools/list names the tools that exist.')
}

function malformed(what: string): RouterError {
  return new RouterError('params_invalid', `Invalid params: ${what}.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
