// What the modern era puts on every result, in front of what it says. The text of a result is not parsed for it: it may be large.
import { skipValue, walkMembers } from '../json/scan.ts'
import { metaKeys } from './modern.ts'

/** How a result may be kept by a client. */
export interface CachingHint {
  /** How long it may be used without asking again, unless the result says so itself; in milliseconds, at most an hour. */
  ttlMs: number
  /** The result's own hint counts no more: it answers a question that only this request asked. */
  isFixed?: boolean
}

const longestTtlMs = 3_600_000

/**
 * The text of a result with its type, the server's name in `_meta` and, where it may be cached, for how long. A type that it has is
 * kept, everything else of `_meta` too, and all other members as they are written.
 */
export function toModernResult(json: string, serverInfo: object, caching: CachingHint | undefined): string {
  const found = new Map<string, string>()
  const kept: string[] = []
  walkMembers(json, (name, start) => {
    const end = skipValue(json, start)
    const value = () => json.slice(start, end)
    if (ownMembers.has(name)) found.set(name, value())
    else kept.push(`${JSON.stringify(name)}:${value()}`)
    return end
  })
  const type = found.get('resultType') ?? '"complete"'
  const isComplete = type === '"complete"'
  const members = [`"resultType":${type}`, ...kept]
  if (caching !== undefined && isComplete)
    members.push(`"ttlMs":${ttlOf(found.get('ttlMs'), caching)}`, '"cacheScope":"private"')
  members.push(`"_meta":${withServer(found.get('_meta'), serverInfo)}`)
  return `{${members.join(',')}}`
}

const ownMembers: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope', '_meta'])

function ttlOf(own: string | undefined, { ttlMs, isFixed = false }: CachingHint): number {
  const said = own === undefined || isFixed ? Number.NaN : Number(own)
  return Number.isFinite(said) && said >= 0 ? Math.min(Math.floor(said), longestTtlMs) : ttlMs
}

/** Our name in the place of a mounted server's; a `_meta` that is no object says nothing. */
function withServer(meta: string | undefined, serverInfo: object): string {
  const members = [`${JSON.stringify(metaKeys.server)}:${JSON.stringify(serverInfo)}`]
  if (meta !== undefined)
    walkMembers(meta, (name, start) => {
      const end = skipValue(meta, start)
      if (name !== metaKeys.server) members.push(`${JSON.stringify(name)}:${meta.slice(start, end)}`)
      return end
    })
  return `{${members.join(',')}}`
}
