// Says what the text of one message is. Pure.
import { inspectParams, noFindings, type Findings } from '../json/findings.ts'
import { isObject } from '../json/read.ts'
import { rawMember, skipValue, walkMembers } from '../json/scan.ts'
import type { Incoming, IncomingRequest } from './incoming.ts'

/** What is no message at all. */
export const unreadable: Incoming = { kind: 'error', rawId: 'null', code: -32700, message: 'Parse error' }

/** Tells the text of one message apart; throws on none. */
export function readMessage(text: string): Incoming {
  const value = valueOfText(text)
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
  const { rawId, findings, repeatsMember } = scan(text)
  if (!isProper) return invalidRequest(rawId)
  const progressToken = progressTokenOf(text, params)
  return { kind: 'request', rawId, id, method, params, findings, progressToken, repeatsMember }
}

/** The value of a text; undefined where it is no JSON. */
export function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Answers a message with this id that is no proper request. */
export function invalidRequest(rawId: string): Incoming {
  return { kind: 'error', rawId, code: -32600, message: 'Invalid Request' }
}

/** One pass over a valid object: the raw id, and what is inside `params`. The last of equal keys wins. */
function scan(text: string): Pick<IncomingRequest, 'rawId' | 'findings' | 'repeatsMember'> {
  const names = new Set<string>()
  let rawId = 'null'
  let repeatsMember = false
  let findings: Findings | undefined
  walkMembers(text, (key, start) => {
    if (names.has(key)) repeatsMember = true
    names.add(key)
    if (key === 'params') {
      const inspected = inspectParams(text, start)
      findings = findings === undefined ? inspected.findings : { ...inspected.findings, duplicateKey: true }
      return inspected.end
    }
    const end = skipValue(text, start)
    if (key === 'id') rawId = ownText(text.slice(start, end))
    return end
  })
  return { rawId, findings: findings ?? noFindings, repeatsMember }
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
