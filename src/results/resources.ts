// Stored results as MCP resources, for clients that prefer those.
import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '../timing/clock.ts'
import { chunkBytes } from './chunker.ts'
import { Pace } from '../timing/pace.ts'
import type { ResultsFile } from './results-file.ts'
import { callIdOf, isCallId, resultUri, resultUriTemplate } from './result-uri.ts'
import type { StoredResult } from './statements.ts'
import { StoreFailure } from './store-failure.ts'
import { readBytes } from './stored-bytes.ts'

/** The file behind the resources, and who may see what in it. */
export interface ResourceOptions {
  file: ResultsFile
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'turn'>
  /** Whose results can be read. */
  principal: string
  /** Whether the client may see results of this tool. */
  isInScope(server: string, tool: string): boolean
}

/** How reading a resource ends. `json` is the whole answer to resources/read as text; by the wall clock it is there so long. */
export type ResourceReading =
  | { kind: 'contents'; json: string; expiresAtMs: number }
  | { kind: 'unknown' }
  | { kind: 'out_of_scope' }
  | { kind: 'too_large' }

/** What resources/list answers. */
export interface ResourceList {
  resources: object[]
  nextCursor?: string
}

/** How many results one list names. */
const listedAtOnce = 100

/** A longer text might not fit into one string once it is escaped. */
const largestReadBytes = 128 * 1024 * 1024

/**
 * The stored results that this client could page, newest first; undefined for a cursor that is none of ours. Rejects with
 * StoreFailure.
 */
export async function listResources(options: ResourceOptions, cursor?: string): Promise<ResourceList | undefined> {
  const { file, clock, principal, isInScope } = options
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  if (cursor !== undefined && after === undefined) return undefined
  const found =
    (await file.read((statements) => statements.list(clock.nowMs(), listedAtOnce, { principal, after }))) ?? []
  const last = found.length === listedAtOnce ? found.at(-1) : undefined
  return {
    resources: found.filter(({ server, tool }) => isInScope(server, tool)).map(toResource),
    ...(last && { nextCursor: `${last.createdAtMs}.${last.callId}` }),
  }
}

/** What resources/templates/list answers. */
export function listResourceTemplates(): object {
  const description = 'The exact JSON text of a tool result that was too large to be sent at once.'
  const template = { uriTemplate: resultUriTemplate, name: 'stored-result', title: 'Stored result' }
  return { resourceTemplates: [{ ...template, description, mimeType: 'application/json' }] }
}

/** Reads a whole stored result. Rejects with StoreFailure. */
export async function readResource(options: ResourceOptions, uri: string): Promise<ResourceReading> {
  const { file, clock, principal, isInScope } = options
  const callId = callIdOf(uri)
  if (callId === undefined) return { kind: 'unknown' }
  const result = await file.read((statements) => statements.find(callId, clock.nowMs(), principal))
  if (result === undefined) return { kind: 'unknown' }
  if (!isInScope(result.server, result.tool)) return { kind: 'out_of_scope' }
  if (result.totalBytes > largestReadBytes) return { kind: 'too_large' }
  const head = `{"contents":[{"uri":${JSON.stringify(uri)},"mimeType":"application/json","text":"`
  const json = `${head}${await escapedText(options, result)}"}]}`
  return { kind: 'contents', json, expiresAtMs: result.expiresAtMs }
}

async function escapedText({ file, clock }: ResourceOptions, result: StoredResult): Promise<string> {
  const decoder = new StringDecoder('utf8')
  const pace = new Pace(clock)
  const parts: string[] = []
  for (let at = 0; at < result.totalBytes; at += chunkBytes) {
    const bytes = await file.read((statements) => readBytes(statements, result, at, chunkBytes))
    if (bytes === undefined) throw new StoreFailure('gone')
    parts.push(JSON.stringify(decoder.write(bytes)).slice(1, -1))
    if (pace.isTurnOver) await pace.rest()
  }
  return parts.join('')
}

function toResource({ callId, server, tool, totalBytes, createdAtMs, expiresAtMs }: StoredResult): object {
  return {
    uri: resultUri(callId),
    name: `result ${callId}`,
    title: `${tool}, ${new Date(createdAtMs).toISOString()}`,
    description: `Result of ${tool} (${server}), ${totalBytes} bytes, kept until ${new Date(expiresAtMs).toISOString()}.`,
    mimeType: 'application/json',
    size: totalBytes,
  }
}

function parseCursor(cursor: string): { createdAtMs: number; callId: string } | undefined {
  const [time = '', callId = '', ...rest] = cursor.split('.')
  if (!/^\d{1,15}$/.test(time) || !isCallId(callId) || rest.length > 0) return undefined
  return { createdAtMs: Number(time), callId }
}
