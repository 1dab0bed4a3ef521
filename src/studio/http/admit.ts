// Pure: who gets in. The head of a request goes in, a verdict comes out; the first check that fails answers.
import type { StudioErrorCode } from './error-codes.ts'

/** The head of a request, as it came: `rawHeaders` are names and values in turn, repeats included. */
export interface RequestHead {
  method: string
  target: string
  rawHeaders: readonly string[]
}

/** The one origin of the page, and its host with port. */
export interface OwnAddress {
  origin: string
  host: string
}

/** What is known of a path: nothing, or the methods that it is asked with. */
export interface KnownPath {
  methods: readonly string[]
  kind: 'page' | 'asset' | 'api'
}

/** Let in, as far as its head goes: sessions, queries and bodies are judged by others. */
export interface Admitted {
  kind: 'admitted'
  path: string
  query: string
  /** The single value of a header; undefined where it is absent. */
  header(name: string): string | undefined
}

/** Refused with this answer. */
export interface RefusedRequest {
  kind: 'refused'
  code: StudioErrorCode
  closes: boolean
  allow?: string
}

const longestTarget = 4096
const mostBodyBytes = 64 * 1024
const frames = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe'])
const onlyOnce = ['origin', 'cookie', 'x-studio-token', 'content-type', 'sec-fetch-site', 'last-event-id']

interface Looked {
  head: RequestHead
  own: OwnAddress
  path: string
  known: KnownPath | undefined
  values(name: string): string[]
}

type Check = (looked: Looked) => Omit<RefusedRequest, 'kind'> | undefined

const closing = (code: StudioErrorCode) => ({ code, closes: true })
const open = (code: StudioErrorCode) => ({ code, closes: false })

/** In this order. */
const checks: readonly Check[] = [
  ({ values, own }) => {
    const hosts = values('host')
    if (hosts.length !== 1) return closing('bad_request')
    return hosts[0] === own.host ? undefined : closing('foreign_host')
  },
  ({ values }) => (onlyOnce.some((name) => values(name).length > 1) ? closing('bad_request') : undefined),
  ({ head: { target }, path }) => {
    const isPlain = target.startsWith('/') && target.length <= longestTarget && /^[\x21-\x7e]*$/.test(target)
    const isStraight = !/[%\\]|\/\//.test(path) && !path.split('/').some((part) => part === '.' || part === '..')
    return isPlain && isStraight ? undefined : closing('bad_request')
  },
  ({ values, own }) => (values('origin').some((origin) => origin !== own.origin) ? open('foreign_origin') : undefined),
  ({ values }) => (values('sec-fetch-dest').some((dest) => frames.has(dest)) ? open('framed') : undefined),
  (looked) => (isOwnSite(looked) ? undefined : open('foreign_site')),
  ({ known }) => (known === undefined ? open('not_found') : undefined),
  ({ head, known }) => {
    const methods = known!.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return methods.includes(head.method) ? undefined : { ...open('method_not_allowed'), allow: methods.join(', ') }
  },
  ({ head, values }) => (head.method === 'POST' ? postRefusal(values) : undefined),
  ({ head, values }) => {
    const hasBody = values('transfer-encoding').length > 0 || values('content-length').some((length) => length !== '0')
    return head.method !== 'POST' && hasBody ? closing('bad_request') : undefined
  },
]

/** Judges a head. */
export function admit(head: RequestHead, own: OwnAddress, find: (path: string) => KnownPath | undefined) {
  const mark = head.target.indexOf('?')
  const path = mark < 0 ? head.target : head.target.slice(0, mark)
  const values = (name: string) => valuesOf(head.rawHeaders, name)
  const looked = { head, own, path, values, known: find(path) }
  for (const check of checks) {
    const refusal = check(looked)
    if (refusal !== undefined) return { kind: 'refused', ...refusal } satisfies RefusedRequest
  }
  const query = mark < 0 ? '' : head.target.slice(mark + 1)
  return { kind: 'admitted', path, query, header: (name: string) => values(name)[0] } satisfies Admitted
}

/** Other ports of this address are another site here: their pages are not ours. A link may come from anywhere. */
function isOwnSite({ head, values, known, path }: Looked): boolean {
  const site = values('sec-fetch-site')[0]
  if (site === undefined || site === 'same-origin') return true
  const isPage = path === '/' && (head.method === 'GET' || head.method === 'HEAD')
  if (isPage) return (values('sec-fetch-dest')[0] ?? 'document') === 'document'
  return known?.kind === 'asset' && site === 'none'
}

function postRefusal(values: Looked['values']): ReturnType<Check> {
  if (values('origin').length === 0) return closing('foreign_origin')
  const type = (values('content-type')[0] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json') return closing('json_only')
  const lengths = values('content-length')
  if (lengths.length !== 1 || values('transfer-encoding').length > 0) return closing('length_required')
  if (!/^\d{1,12}$/.test(lengths[0]!)) return closing('bad_request')
  return Number(lengths[0]) > mostBodyBytes ? closing('too_large') : undefined
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const found: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === name) found.push(rawHeaders[at + 1]!)
  return found
}
