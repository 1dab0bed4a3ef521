// Pure: which tools of a server can be shown, and how.
import { createHash } from 'node:crypto'
import { planFragments, publicName } from '../names/fragment.ts'
import type { ListedTool } from './offer.ts'

/** One tool of a mounted server. */
export interface MountedTool {
  server: string
  wireName: string
  fragment: string
  publicName: string
  /** As the server listed it. */
  listed: ListedTool
  /** As `tools/list` shows it, or why it cannot be shown; it can be called either way. */
  shown: { kind: 'definition'; definition: ListedTool } | { kind: 'left_out'; reason: string }
}

/** Hosts accept only such names. */
const hostName = /^[a-zA-Z0-9_-]{1,64}$/
/** A longer wire name is no name that anybody meant. */
const nameLimit = 1024

/** The tools of one server under their public names; of two with one wire name the first counts. */
export function mountTools(server: string, tools: readonly ListedTool[]): MountedTool[] {
  const usable = new Map<string, ListedTool>()
  for (const tool of tools)
    if (tool.name !== '' && tool.name.length <= nameLimit && !usable.has(tool.name)) usable.set(tool.name, tool)
  const plan = planFragments(server, [...usable.keys()])
  return [...usable].map(([wireName, listed]) => {
    const part = plan.get(wireName) ?? wireName
    const name = toHostName(publicName(server, part))
    return { server, wireName, fragment: part, publicName: name, listed, shown: show(name, server, listed) }
  })
}

/**
 * A complete copy in which only the name and the description change; an output schema also allows the receipt, and nothing says
 * that the tool runs as a task, since we offer no tasks.
 */
function show(name: string, server: string, listed: ListedTool): MountedTool['shown'] {
  const inputSchema = listed.inputSchema
  if (!isObjectSchema(inputSchema))
    return { kind: 'left_out', reason: 'its input schema is missing or not of type object' }
  const { execution: _ours, ...members } = listed
  const { outputSchema } = members
  if (outputSchema !== undefined && !isObjectSchema(outputSchema))
    return { kind: 'left_out', reason: 'its output schema is not of type object' }
  const description = `[${server}] ${typeof listed.description === 'string' ? listed.description : ''}`
  const definition: ListedTool = { ...members, name, description }
  if (outputSchema !== undefined) definition.outputSchema = orReceipt(outputSchema)
  return { kind: 'definition', definition }
}

/**
 * The public name in the letters that hosts accept. A name that has to be changed or cut ends in a digest of the whole, so that
 * two of them stay different.
 */
function toHostName(name: string): string {
  if (hostName.test(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${digest}`
}

/**
 * The official client refuses whatever differs from the tool's own schema: a receipt, and what a server says of an
 * error. So the schema tells what to expect and refuses no object.
 */
function orReceipt(own: Record<string, unknown>): Record<string, unknown> {
  // What a reference of the form `#/$defs/…` points at stays at the root.
  const { $schema, $id, $defs, definitions, ...schema } = own
  const roots = Object.fromEntries(
    Object.entries({ $schema, $id, $defs, definitions }).filter(([, value]) => value !== undefined),
  )
  const receipt = {
    type: 'object',
    properties: { status: { const: 'stored' }, callId: { type: 'string' } },
    required: ['status', 'callId'],
  }
  const failure = { type: 'object', description: 'What is said of an error, when isError is true.' }
  return { ...roots, type: 'object', anyOf: [schema, receipt, failure] }
}

function isObjectSchema(schema: unknown): schema is Record<string, unknown> {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    !Array.isArray(schema) &&
    (schema as { type?: unknown }).type === 'object'
  )
}
