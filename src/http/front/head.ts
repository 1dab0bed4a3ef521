// Pure: what the head of a request allows, before anybody asks who sent it.
import { badFraming, notFound, refusal, type EdgeRefusal } from './refusal.ts'

/** A head as Node's parser gives it, which has refused what is no HTTP/1.x. */
export interface Head {
  readonly method: string
  readonly target: string
  /** `1.1` or `1.0`; others are refused. */
  readonly version: string
  /** Lower-case names; one entry for each line. */
  readonly fields: Readonly<Record<string, readonly string[] | undefined>>
  readonly fieldCount: number
}

/** What is allowed here. */
export interface FrontRules {
  readonly path: string
  readonly isSecure: boolean
  /** Lower case, without ports. */
  readonly hosts: ReadonlySet<string>
  /** Of the public URL. */
  readonly ownOrigin: string
  readonly allowedOrigins: ReadonlySet<string>
  readonly hasMetrics: boolean
  /** With its path, when tokens of an issuer are taken. */
  readonly metadataPath: string | undefined
}

/** Where a request goes. */
export type Destination =
  | { readonly kind: 'livez' | 'readyz' | 'metrics' | 'metadata' }
  /** A page asks whether it may. */
  | { readonly kind: 'preflight'; readonly origin: string }
  | { readonly kind: 'mcp'; readonly method: 'POST' | 'GET' | 'DELETE'; readonly origin: string | undefined }

const mostFields = 100

/** Judges framing, host, path and method, and origin, in this order. */
export function judgeHead(head: Head, rules: FrontRules): Destination | EdgeRefusal {
  const framing = judgeFraming(head)
  if (framing !== undefined) return framing
  const path = head.target.split('?', 1)[0]!
  const isGet = head.method === 'GET' || head.method === 'HEAD'
  if (path === '/livez' || path === '/readyz')
    return isGet
      ? { kind: path === '/livez' ? 'livez' : 'readyz' }
      : refusal(405, 'method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
  if (!rules.hosts.has(hostOf(head.fields.host![0]!))) return refusal(403, 'host_not_allowed', { reason: 'host' })
  const found = placeOf(head, path, rules)
  if (found.kind === 'refusal' || found.kind === 'preflight') return found
  const origin = head.fields.origin?.[0]
  if (origin !== undefined && !isAllowedOrigin(head, origin, rules))
    return refusal(403, 'origin_not_allowed', { reason: 'origin' })
  return found
}

/** Whether a page of this origin is told that it may read the answer. */
export function isListedOrigin(origin: string | undefined, { allowedOrigins }: FrontRules): origin is string {
  return origin !== undefined && allowedOrigins.has(origin)
}

function judgeFraming({ method, target, version, fields, fieldCount }: Head): EdgeRefusal | undefined {
  if (version !== '1.1' && version !== '1.0') return badFraming
  if (fieldCount > mostFields) return refusal(431, 'head_too_large', { closes: true, reason: 'framing' })
  const coding = fields['transfer-encoding']
  if (coding !== undefined && (coding.length > 1 || coding[0]!.toLowerCase() !== 'chunked')) return badFraming
  if (method === 'CONNECT' || !target.startsWith('/')) return badFraming
  if (fields.host?.length !== 1) return badFraming
  const [expected] = fields.expect ?? []
  if (expected !== undefined && expected.toLowerCase() !== '100-continue')
    return refusal(417, 'expectation_failed', { closes: true })
  return undefined
}

function placeOf({ method, fields }: Head, path: string, rules: FrontRules): Destination | EdgeRefusal {
  if (path === '/metrics' && rules.hasMetrics && method === 'GET') return { kind: 'metrics' }
  if (path === rules.metadataPath && method === 'GET') return { kind: 'metadata' }
  if (path !== rules.path) return notFound
  const [origin] = fields.origin ?? []
  if (method === 'POST') return { kind: 'mcp', method, origin }
  const hasSession = fields['mcp-session-id'] !== undefined
  if ((method === 'GET' || method === 'DELETE') && hasSession) return { kind: 'mcp', method, origin }
  if (method === 'OPTIONS' && isListedOrigin(origin, rules)) return { kind: 'preflight', origin }
  return refusal(405, 'method_not_allowed', { headers: { Allow: 'POST' } })
}

/** Without the port, in lower case, an address of version 6 in its brackets. */
function hostOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '')
}

function isAllowedOrigin({ fields }: Head, origin: string, rules: FrontRules): boolean {
  const own = `${rules.isSecure ? 'https' : 'http'}://${fields.host![0]!}`
  const count = fields.origin?.length ?? 0
  return count === 1 && (origin === own || origin === rules.ownOrigin || rules.allowedOrigins.has(origin))
}
