// What a server lists, as clients of both generations take it. One item that they would not take costs their whole list.
import { PromptSchema, ResourceSchema, ResourceTemplateSchema, ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../../json/read.ts'
import { cleanTexts } from './clean-text.ts'
import { mend, type Shape } from './mend.ts'
import { orReceipt } from './output-schema.ts'

/** A tool as a server lists it, whole. */
export interface ListedTool {
  name: string
  [member: string]: unknown
}

/** A tool that a server lists, held against what clients take. */
export interface AdmittedTool {
  /** As the server listed it. */
  listed: ListedTool
  /** As clients may be shown it, still under its own name, or why they cannot be; it can be called either way. */
  shown: { kind: 'definition'; definition: ListedTool } | { kind: 'left_out'; reason: string }
  /** Members that were left out of the definition. */
  leftOut: readonly string[]
  /** It is not shown and not called for now; `listed` holds its name alone. */
  held?: 'changed' | 'unread'
}

/** Compiles a schema, as the official clients do. */
export type CanCompile = (schema: Record<string, unknown>) => boolean

/** Larger output schemas are left out unread. */
const schemaLimit = 256 * 1024
/** After so many tools everything else that is ready has its turn. */
const slice = 20

/** Admits tools in slices, `turn` between them: compiling is slow, and calls go on meanwhile. */
export async function admitTools(
  tools: readonly ListedTool[],
  loadCompiler: () => Promise<CanCompile>,
  turn: () => Promise<void>,
): Promise<AdmittedTool[]> {
  const admitted: AdmittedTool[] = []
  let canCompile: CanCompile = () => false
  for (const [index, tool] of tools.entries()) {
    if (index % slice === slice - 1) await turn()
    const { outputSchema } = tool
    if (isObject(outputSchema) && admitted.every(({ listed }) => !isObject(listed.outputSchema)))
      canCompile = await loadCompiler()
    admitted.push(admitTool(tool, canCompile))
  }
  return admitted
}

/** Admits one tool. Nothing says that it runs as a task, since we offer no tasks. */
export function admitTool(listed: ListedTool, canCompile: CanCompile): AdmittedTool {
  const { execution: _ours, outputSchema, ...members } = listed
  const leftOut: string[] = []
  const no = (reason: string): AdmittedTool => ({ listed, shown: { kind: 'left_out', reason }, leftOut: [] })
  if (!isObjectSchema(listed.inputSchema)) return no('its input schema is missing or not of type object')
  if (outputSchema !== undefined && outputSchema !== null && !isObjectSchema(outputSchema))
    return no('its output schema is not of type object')
  const mended = mend(members, ToolSchema as Shape, ['name', 'inputSchema'])
  if (mended.kind === 'invalid') return no(`no client would take it (${mended.at} is not valid)`)
  const definition: ListedTool = { ...cleanTexts(mended.item), name: listed.name }
  const admittedSchema = isObjectSchema(outputSchema) ? admitOutputSchema(outputSchema, canCompile) : undefined
  if (admittedSchema !== undefined) definition.outputSchema = admittedSchema
  else if (outputSchema !== undefined) leftOut.push('outputSchema')
  return { listed, shown: { kind: 'definition', definition }, leftOut: [...mended.leftOut, ...leftOut] }
}

function admitOutputSchema(own: Record<string, unknown>, canCompile: CanCompile): Record<string, unknown> | undefined {
  if (JSON.stringify(own).length > schemaLimit) return undefined
  const present = Object.fromEntries(Object.entries(own).filter(([, member]) => member !== null))
  const schema = orReceipt(cleanTexts(present))
  return schema !== undefined && canCompile(schema) ? schema : undefined
}

/** Something that a server lists and clients would not take as it is. */
export interface Note {
  what: string
  /** What was done about it, without a text of the server. */
  done: string
}

/** Items of one list that is not of tools, and what was done about those that are not valid. */
export interface AdmittedItems {
  items: Record<string, unknown>[]
  notes: Note[]
}

const kinds = {
  resources: { shape: ResourceSchema as Shape, needed: ['name', 'uri'], what: 'resource' },
  resourceTemplates: {
    shape: ResourceTemplateSchema as Shape,
    needed: ['name', 'uriTemplate'],
    what: 'resource template',
  },
  prompts: { shape: PromptSchema as Shape, needed: ['name'], what: 'prompt' },
}

/** Admits resources, templates or prompts. A resource without a name is named by its address. */
export function admitItems(kind: keyof typeof kinds, listed: readonly Record<string, unknown>[]): AdmittedItems {
  const { shape, needed, what } = kinds[kind]
  const notes: Note[] = []
  const items = listed.flatMap((item, index) => {
    const address = kind === 'resources' ? item.uri : kind === 'resourceTemplates' ? item.uriTemplate : undefined
    const named = typeof item.name !== 'string' && typeof address === 'string' ? { ...item, name: address } : item
    const mended = mend(named, shape, needed)
    const numbered = `${what} number ${index + 1}`
    if (mended.kind === 'invalid') {
      notes.push({ what: numbered, done: `is not shown: no client would take it (${mended.at} is not valid)` })
      return []
    }
    const leftOut = [...(named === item ? [] : ['name']), ...mended.leftOut]
    if (leftOut.length > 0) notes.push({ what: numbered, done: shownWithout(leftOut) })
    return [cleanTexts(mended.item)]
  })
  return { items, notes }
}

function isObjectSchema(schema: unknown): schema is Record<string, unknown> {
  return isObject(schema) && schema.type === 'object'
}

/** What was done about an item by leaving members out. */
export const shownWithout = (leftOut: readonly string[]): string =>
  `is shown without ${leftOut.join(', ')}, which no client would take as listed`
