// Pure: the arguments of a meta-tool as weaker models write them, read as what they mean.
import { metaToolDefinitions, type MetaToolName } from '#generated/meta-tools.js'
import type { Envelope } from '../calls/envelope.ts'
import { inspectValue } from '../json/findings.ts'
import { isObject } from '../json/read.ts'
import { skipSpace } from '../json/scan.ts'

/** A call as it was meant, and whether the inner arguments came as a text. */
export interface MeantCall {
  envelope: Envelope
  isText: boolean
}

/** A null that stands for an optional argument is left out; `arguments` that are the JSON text of an object are that object. */
export function readForgetful(name: MetaToolName, envelope: Envelope): MeantCall {
  const schema = metaToolDefinitions.find((tool) => tool.name === name)?.inputSchema
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: readonly string[] }
  const isAbsent = (member: string, value: unknown) =>
    value === null && Object.hasOwn(properties, member) && !required.includes(member)
  const given = Object.entries(envelope.args)
  const kept = given.filter(([member, value]) => !isAbsent(member, value))
  const meant = kept.length === given.length ? envelope : { ...envelope, args: Object.fromEntries(kept) }
  const text = name === 'call_tool' ? meant.args.arguments : undefined
  const inner = typeof text === 'string' ? objectIn(text) : undefined
  if (typeof text !== 'string' || inner === undefined) return { envelope: meant, isText: false }
  const { findings } = inspectValue(text, skipSpace(text, 0))
  const isTwice = findings.duplicateKey || meant.findings.duplicateKey
  const read = { ...findings, depth: findings.depth + 1, duplicateKey: isTwice }
  return { envelope: { ...meant, args: { ...meant.args, arguments: inner }, findings: read }, isText: true }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
