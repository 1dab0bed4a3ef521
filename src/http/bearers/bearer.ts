// Pure: the bearer of a request, and what a caller without the right one is told.
import { refusal, type EdgeRefusal } from '../front/refusal.ts'
import type { Right } from '../../wire/request.ts'
import { scopesFor } from './rights.ts'

/** Why a bearer was not taken; for the log, never for the caller. */
export type AuthFailure =
  'unknown' | 'expired' | 'signature' | 'issuer' | 'audience' | 'algorithm' | 'not_yet' | 'malformed' | 'jwks'

/** The address of the metadata, when tokens of an issuer are taken. */
export type Challenge = (error?: 'invalid_token' | 'insufficient_scope', scope?: string) => string

/** The token of the header, or how it is wrong. */
export function readBearerHeader(
  lines: readonly string[] | undefined,
): { token: string } | 'absent' | 'several' | 'malformed' {
  if (lines === undefined) return 'absent'
  if (lines.length > 1) return 'several'
  const [, token] = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(lines[0]!) ?? []
  return token === undefined ? 'malformed' : { token }
}

/** Words the challenges. `metadataUrl` is where a client finds the issuer. */
export function createChallenge(metadataUrl: string | undefined): Challenge {
  return (error, scope = 'hubu:read') => {
    const said = error === undefined ? '' : `, error="${error}"`
    if (metadataUrl !== undefined) return `Bearer resource_metadata="${metadataUrl}", scope="${scope}"${said}`
    const needed = error === 'insufficient_scope' ? `, scope="${scope}"` : ''
    return `Bearer realm="hubu-unified-mcp"${said}${needed}`
  }
}

/** Nobody is known by this bearer. */
export function unauthorized(challenge: Challenge, isAbsent: boolean): EdgeRefusal {
  const header = isAbsent ? challenge() : challenge('invalid_token')
  return refusal(401, 'unauthorized', { headers: { 'WWW-Authenticate': header }, reason: 'unauthorized' })
}

/** The caller is known and may not do this. */
export function rightMissing(challenge: Challenge, right: Right): EdgeRefusal {
  const header = challenge('insufficient_scope', scopesFor(right))
  return refusal(403, 'insufficient_scope', { headers: { 'WWW-Authenticate': header }, reason: 'forbidden' })
}
