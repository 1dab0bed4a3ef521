// What a request of the modern era says of itself in `_meta`, held against what the revision asks for. Pure.
import { isObject, member } from '../json/read.ts'
import type { IncomingRequest } from './incoming.ts'
import type { ClientView, CoreAnswer } from './request.ts'

/** The modern revisions that are served. */
export const modernRevisions: readonly string[] = ['2026-07-28']

const prefix = 'io.modelcontextprotocol/'

/** Members of `_meta` that the revision gives a meaning. */
export const metaKeys = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  client: `${prefix}clientInfo`,
  logLevel: `${prefix}logLevel`,
  subscription: `${prefix}subscriptionId`,
  server: `${prefix}serverInfo`,
} as const

/** Levels of log messages, from the least to the most urgent. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** The place of a level among them, 0 for the least urgent; -1 for what is none. */
export const rankOf = (level: unknown): number => logLevels.findIndex((known) => known === level)

/** Longer claims are cut before they are repeated. */
const longestClaim = 64

/** What a request turns out to be: one of this client's, or refused. */
export type ModernRequest =
  { readonly kind: 'request'; readonly client: ClientView } | (CoreAnswer & { readonly kind: 'error' })

/** Whether `params` say which revision they are of. */
export function hasClaim(params: unknown): boolean {
  const meta = member(params, '_meta')
  return isObject(meta) && Object.hasOwn(meta, metaKeys.version)
}

/** A claim of a revision that is not served, or of none: what is served, and what was asked for. */
export function unsupportedVersion(requested: unknown): CoreAnswer & { kind: 'error' } {
  const data = { supported: modernRevisions, requested: typeof requested === 'string' ? cut(requested) : '' }
  const message = `Unsupported protocol version. This server speaks ${modernRevisions.join(', ')} here.`
  return { kind: 'error', code: -32022, message, dataJson: JSON.stringify(data) }
}

/** Judges a request in the order that the revision's checks have: its frame, its revision, the rest of its `_meta`. */
export function readModernRequest({ id, params, repeatsMember }: IncomingRequest): ModernRequest {
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return invalid(-32600, 'id must be a text or an integer')
  if (repeatsMember) return invalid(-32600, 'Invalid Request: a member is given twice')
  const meta = member(params, '_meta')
  if (!isObject(meta)) return badMeta(`params._meta with ${metaKeys.version} and ${metaKeys.capabilities} is missing`)
  const [version, capabilities] = [own(meta, metaKeys.version), own(meta, metaKeys.capabilities)]
  if (version === undefined) return badMeta(`${metaKeys.version} is missing`)
  if (typeof version !== 'string') return badMeta(`${metaKeys.version} must be a text`)
  if (!modernRevisions.includes(version)) return unsupportedVersion(version)
  if (capabilities === undefined) return badMeta(`${metaKeys.capabilities} is missing`)
  if (!isObject(capabilities)) return badMeta(`${metaKeys.capabilities} must be an object`)
  const info = own(meta, metaKeys.client)
  const [name, infoVersion] = [member(info, 'name'), member(info, 'version')]
  if (info !== undefined && (typeof name !== 'string' || typeof infoVersion !== 'string'))
    return badMeta(`${metaKeys.client} must be an object with the texts name and version`)
  const logLevel = logLevels.find((level) => level === own(meta, metaKeys.logLevel))
  if (Object.hasOwn(meta, metaKeys.logLevel) && logLevel === undefined)
    return badMeta(`${metaKeys.logLevel} must be one of ${logLevels.join(', ')}`)
  const client: ClientView = {
    era: 'modern',
    revision: version,
    capabilities,
    name: typeof name === 'string' ? name : '',
    ...(logLevel !== undefined && { logLevel }),
  }
  return { kind: 'request', client }
}

const own = (meta: Record<string, unknown>, name: string) => (Object.hasOwn(meta, name) ? meta[name] : undefined)

const cut = (text: string) => text.slice(0, longestClaim).toWellFormed()

const invalid = (code: number, message: string) => ({ kind: 'error' as const, code, message })

const badMeta = (what: string) => invalid(-32602, `Invalid params: ${what}.`)
