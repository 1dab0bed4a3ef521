// Says what one line is. Pure.
import { inspectParams, noFindings, type Findings } from '../json/findings.ts'
import { isObject } from '../json/read.ts'
import type { Frame } from './frame-reader.ts'
import { rawMember, skipValue, walkMembers } from '../json/scan.ts'

/** What one frame asks of us. `rawId` is the exact text of its id. */
export type Incoming =
  | IncomingRequest
  /** A well-formed line without an id. */
  | { kind: 'notification'; method: string; params: unknown; rawRequestId: string | undefined }
  /** An answer to a request of ours, if its id is one. Never answered, whatever is wrong with it. */
  | { kind: 'response'; answer: { id: unknown; result?: unknown; error?: unknown } }
  /** No JSON-RPC message, or no proper request: answered with this error. */
  | { kind: 'error'; rawId: string; code: number; message: string }
  /** It has no id that an answer could carry: no reply, whatever is wrong with it. */
  | { kind: 'silent' }

/** A request for the SDK, with what its parsed form no longer shows. */
export interface IncomingRequest {
  kind: 'request'
  rawId: string
  id: unknown
  method: string
  params: unknown
  findings: Findings
  /** The raw text of `params._meta.progressToken`, when that is a string or an integer. */
  progressToken: string | undefined
}

const answerTooLong = { code: -32600, message: 'the answer is too long' }
const unreadable: Incoming = { kind: 'error', rawId: 'null', code: -32700, message: 'Parse error' }

/** Classifies a frame; throws on none. Lines over the limit are `-32600`. */
export function classify(frame: Frame): Incoming {
  switch (frame.kind) {
    case 'unreadable':
      return unreadable
    case 'too_long':
      if (!frame.isResponse) return invalidRequest(frame.id ?? 'null')
      return { kind: 'response', answer: { id: parse(frame.id ?? 'null'), error: answerTooLong } }
    case 'line':
      return classifyLine(frame.text)
  }
}

function classifyLine(text: string): Incoming {
  const value = parse(text)
  if (!isObject(value)) return unreadable
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  const hasId = id !== undefined && id !== null
  if (hasId && method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')))
    return { kind: 'response', answer: { ...value, id } }
  if (method !== undefined && typeof method !== 'string') return unreadable
  if (jsonrpc !== undefined && jsonrpc !== null && typeof jsonrpc !== 'string') return unreadable
  const isProper = jsonrpc === '2.0' && method !== undefined && method !== ''
  if (!hasId) {
    // A null id is no request and, other than an absent one, no notification that anybody acts on.
    if (!isProper || id === null) return { kind: 'silent' }
    return { kind: 'notification', method, params, rawRequestId: rawRequestIdOf(text, method, params) }
  }
  const { rawId, findings } = scan(text)
  if (!isProper) return invalidRequest(rawId)
  return { kind: 'request', rawId, id, method, params, findings, progressToken: progressTokenOf(text, params) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function invalidRequest(rawId: string): Incoming {
  return { kind: 'error', rawId, code: -32600, message: 'Invalid Request' }
}

/** One pass over a valid object: the raw id, and what is inside `params`. The last of equal keys wins. */
function scan(text: string): { rawId: string; findings: Findings } {
  let rawId = 'null'
  let findings: Findings | undefined
  walkMembers(text, (key, start) => {
    if (key === 'params') {
      const inspected = inspectParams(text, start)
      findings = findings === undefined ? inspected.findings : { ...inspected.findings, duplicateKey: true }
      return inspected.end
    }
    const end = skipValue(text, start)
    if (key === 'id') rawId = ownText(text.slice(start, end))
    return end
  })
  return { rawId, findings: findings ?? noFindings }
}

/**
 * A copy that does not keep the whole line in memory, as a slice would. A carriage return can only be white space inside
 * an id that is an object; it goes, because some readers end a line there.
 */
function ownText(slice: string): string {
  return Buffer.from(slice).toString().replaceAll('\r', ' ')
}

function rawRequestIdOf(text: string, method: string, params: unknown): string | undefined {
  if (method !== 'notifications/cancelled' || typeof params !== 'object' || params === null) return undefined
  return rawMember(rawMember(text, 'params') ?? '', 'requestId')
}

function progressTokenOf(text: string, params: unknown): string | undefined {
  const token = (params as { _meta?: { progressToken?: unknown } | null } | null | undefined)?._meta?.progressToken
  if (typeof token !== 'string' && !Number.isInteger(token)) return undefined
  const rawMeta = rawMember(rawMember(text, 'params') ?? '', '_meta')
  const raw = rawMeta === undefined ? undefined : rawMember(rawMeta, 'progressToken')
  return raw === undefined ? undefined : ownText(raw)
}
