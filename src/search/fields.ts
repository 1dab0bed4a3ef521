// One tool's texts as weighted fields. Untrusted: every text is clipped, and what speaks of other tools is left out.
import { isObject } from '../json/read.ts'
import type { ToolDocument } from './document.ts'
import { weights } from './weights.ts'

/** A text and how much a word in it says about the tool. */
export interface Field {
  kind: 'name' | 'title' | 'useWhen' | 'lead' | 'text' | 'input' | 'inputText'
  text: string
  weight: number
  /** Length in words at which the weight stands as it is; longer fields weigh less. */
  pivot: number
}

/** Longest text of one field, in UTF-16 units. */
export const fieldLimit = 4096
const hintLimit = 24
const hintLength = 256
const inputLimit = 64
const inputNameLength = 128
const inputTextLength = 256
const enumLimit = 32

/** The fields of a tool; `isOther` tells whether an identifier in its description names another tool of the catalog. */
export function fieldsOf(document: ToolDocument, isOther: (name: string) => boolean): Field[] {
  const { lead, rest } = sentences(clip(document.description), isOther)
  const input = inputTexts(document.inputSchema)
  const fields: Field[] = [
    field('name', clip(document.shortName)),
    field('title', clip(document.title)),
    ...(document.useWhen ?? []).slice(0, hintLimit).map((hint) => field('useWhen', clip(hint).slice(0, hintLength))),
    field('lead', lead),
    field('text', rest),
    field('input', input.names),
    field('inputText', input.texts),
  ]
  return fields.filter(({ text }) => text !== '')
}

function field(kind: Field['kind'], text: string): Field {
  return { kind, text, weight: weights[kind], pivot: weights[`${kind}Pivot`] }
}

const clip = (text: unknown): string => (typeof text === 'string' ? text.slice(0, fieldLimit) : '')
const identifier = /\b[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+/g

/** The first sentence; and the others without code and without those that send the reader to another tool. */
function sentences(text: string, isOther: (name: string) => boolean): { lead: string; rest: string } {
  const clauses = text.split(/(?<=[.;:!?])\s+|\n+|(?<=[。！？；])/).filter((clause) => /[\p{L}\p{N}]/u.test(clause))
  const rest = clauses.slice(1).filter((clause) => !(clause.match(identifier) ?? []).some(isOther))
  return { lead: clauses[0] ?? '', rest: rest.join('\n').replace(/`[^`]*`/g, ' ') }
}

/** Names of properties, and their descriptions and enum values, to two levels. */
function inputTexts(schema: unknown): { names: string; texts: string } {
  const names: string[] = []
  const texts: string[] = []
  let room = fieldLimit
  const visit = (node: unknown, depth: number): void => {
    const properties = isObject(node) ? node.properties : undefined
    if (!isObject(properties)) return
    for (const name of Object.keys(properties)) {
      if (names.length >= inputLimit) return
      names.push(name.slice(0, inputNameLength))
      const property = properties[name]
      if (!isObject(property)) continue
      const text = aboutProperty(property).slice(0, Math.min(room, inputTextLength))
      room -= text.length
      texts.push(text)
      if (depth < 2) visit(isObject(property.items) ? property.items : property, depth + 1)
    }
  }
  visit(schema, 1)
  return { names: names.join(' ').slice(0, fieldLimit), texts: texts.join('\n').trim() }
}

function aboutProperty(property: Record<string, unknown>): string {
  const values = Array.isArray(property.enum) ? property.enum.slice(0, enumLimit) : []
  return [clip(property.description), ...values.filter((value) => typeof value === 'string').map(clip)].join(' ')
}
