// The session id of a legacy client: everything that a later request needs, sealed, so that nothing has to be stored and any
// process with the key can open it.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { isObject } from '../../json/read.ts'

/** What a session id holds. */
export interface Session {
  /** The revision that was agreed on. */
  readonly revision: string
  /** What the client can be asked, reduced to what anybody asks. */
  readonly capabilities: Readonly<Record<string, object>>
  /** Its own name, for the log. */
  readonly clientName: string
  readonly principal: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  /** The first digits of a hash over tools, prompts and resources as they were; empty for a list that is not there. */
  readonly lists: readonly [tools: string, prompts: string, resources: string]
}

/** Why an id does not open; for the log only. */
export type SessionRefusal = 'damaged' | 'principal' | 'age'

const prefix = 'hs1.'
const boundTo = Buffer.from('hubu-session:v1')
const mostCharacters = 2048
const mostNameCharacters = 64
const [nonceBytes, tagBytes] = [12, 16]
const lifeSeconds = 30 * 24 * 3600
/** Clocks of replicas differ. */
const aheadSeconds = 300

/** Seals a session; undefined for one that would be too long. `key` has 32 bytes, `nonce` 12 random ones. */
export function sealSession(session: Session, key: Buffer, nonce: Buffer): string | undefined {
  const { revision: v, capabilities: c, clientName, principal: p, issuedAt: t, lists: l } = session
  const n = [...clientName.toWellFormed()].slice(0, mostNameCharacters).join('')
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo)
  const sealed = [nonce, cipher.update(JSON.stringify({ v, c, n, p, t, l })), cipher.final(), cipher.getAuthTag()]
  const id = prefix + Buffer.concat(sealed).toString('base64url')
  return id.length > mostCharacters ? undefined : id
}

/** Opens the id of a session of this principal at this time. One spelling only: the same bytes written otherwise do not open. */
export function unsealSession(
  id: string,
  { key, principal, now }: { key: Buffer; principal: string; now: number },
): Session | SessionRefusal {
  const session = unseal(id, key)
  if (session === undefined) return 'damaged'
  if (session.principal !== principal) return 'principal'
  const age = now - session.issuedAt
  return age >= -aheadSeconds && age <= lifeSeconds ? session : 'age'
}

/** What a client can be asked of what it says it can. */
export function reducedCapabilities(capabilities: unknown): Session['capabilities'] {
  const asked = { elicitation: ['form', 'url'], sampling: ['context', 'tools'], roots: ['listChanged'] }
  const parts = Object.entries(asked).flatMap(([name, members]) => {
    const given = isObject(capabilities) ? capabilities[name] : undefined
    if (!isObject(given)) return []
    const kept = members.flatMap((part) => {
      const value = given[part]
      if (typeof value === 'boolean') return [[part, value] as const]
      return isObject(value) ? [[part, {}] as const] : []
    })
    return [[name, Object.fromEntries(kept)] as const]
  })
  return Object.fromEntries(parts)
}

function unseal(id: string, key: Buffer): Session | undefined {
  if (!id.startsWith(prefix) || id.length > mostCharacters) return undefined
  const bytes = Buffer.from(id.slice(prefix.length), 'base64url')
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== id.slice(prefix.length)) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes)).setAAD(boundTo)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    return readSession(
      Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8'),
    )
  } catch {
    return undefined
  }
}

/** What was sealed here has this form; a later version may seal something else with the same key. */
function readSession(text: string): Session | undefined {
  const { v, c, n, p, t, l } = JSON.parse(text) as Record<string, unknown>
  if (typeof v !== 'string' || !isObject(c) || typeof n !== 'string' || typeof p !== 'string') return undefined
  if (typeof t !== 'number' || !Array.isArray(l) || l.length !== 3) return undefined
  const lists = l as unknown as Session['lists']
  return { revision: v, capabilities: c as Session['capabilities'], clientName: n, principal: p, issuedAt: t, lists }
}
