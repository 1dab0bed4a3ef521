// Bodies of requests, read whole and strictly.
import type { IncomingMessage } from 'node:http'
import { inspectValue } from '../../json/findings.ts'
import { isObject, readJson } from '../../json/read.ts'
import { StudioError } from './error-codes.ts'

/** The type of each member of a body; all of them must be there, and no others. */
export type BodyMembers = Readonly<Record<string, 'string' | 'number'>>

/** What such rules give. */
export type BodyOf<Rules extends BodyMembers> = {
  [Name in keyof Rules]: Rules[Name] extends 'string' ? string : number
}

/** The bytes of a body whose announced length was admitted. Rejects when the connection breaks. */
export async function readBodyBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** One JSON object with exactly these members. Throws StudioError. */
export function readStudioBody<Rules extends BodyMembers>(bytes: Buffer, rules: Rules): BodyOf<Rules> {
  const json = readJson(bytes)
  // A byte order mark would be dropped; this page sends none.
  if (json.kind === 'not_json' || bytes[0] === 0xef || !isObject(json.value)) throw new StudioError('bad_request')
  const { value, text } = json
  const { duplicateKey, protoKey } = inspectValue(text, text.search(/\S/)).findings
  const names = Object.keys(value)
  const isWhole =
    names.length === Object.keys(rules).length &&
    names.every((name) => Object.hasOwn(rules, name) && typeof value[name] === rules[name])
  if (duplicateKey || protoKey || !isWhole) throw new StudioError('bad_request')
  return value as BodyOf<Rules>
}
