// Tokens of an issuer: who they name and what they allow. Loaded only where such tokens are taken.
import { errors, jwtVerify, type JWTPayload } from 'jose'
import type { JwtSettings } from '../../config/http-settings.ts'
import type { Clock } from '../../timing/clock.ts'
import type { AuthFailure } from './bearer.ts'
import { createIssuerKeys, KeysUnavailable } from './issuer-keys.ts'
import { allRights, scopeOf, withIncluded } from './rights.ts'
import type { Right } from '../../wire/request.ts'

/** What came of a token. */
export type JwtVerdict =
  | { kind: 'good'; principal: string; rights: ReadonlySet<Right>; agent: string | undefined; untilMs: number }
  | { kind: 'refused'; reason: AuthFailure }
  /** The keys could not be had: nobody knows. */
  | { kind: 'unknown' }

/** Judges one compact token; never rejects. */
export type JudgeJwt = (token: string) => Promise<JwtVerdict>

export interface JudgeJwtOptions {
  settings: JwtSettings
  fetch: typeof fetch
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
}

const mostSubjectBytes = 250

export function createJudgeJwt({ settings, fetch, clock }: JudgeJwtOptions): JudgeJwt {
  const keys = createIssuerKeys({ ...settings, fetch, clock })
  const { issuer, audience, algorithms, clockSkewMs } = settings
  const clockTolerance = clockSkewMs / 1000
  return async (token) => {
    try {
      const nowMs = clock.nowMs()
      const options = { issuer, audience, algorithms: [...algorithms], clockTolerance, currentDate: new Date(nowMs) }
      const { payload } = await jwtVerify(token, keys, { ...options, requiredClaims: ['exp'] })
      if (payload.iat !== undefined && payload.iat * 1000 > nowMs + clockSkewMs) return refused('not_yet')
      const subject = payload[settings.subjectClaim]
      if (!isSubject(subject)) return refused('malformed')
      return {
        kind: 'good',
        principal: `jwt:${subject}`,
        rights: rightsOf(payload, settings),
        agent: agentOf(payload, settings),
        untilMs: payload.exp! * 1000 + clockSkewMs,
      }
    } catch (error) {
      return error instanceof KeysUnavailable ? { kind: 'unknown' } : refused(reasonOf(error))
    }
  }
}

const refused = (reason: AuthFailure): JwtVerdict => ({ kind: 'refused', reason })

/** Bounded, visible text: it enters keys and rows. */
function isSubject(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > mostSubjectBytes) return false
  return value.isWellFormed() && value.trim() === value && !/\p{Cc}/u.test(value)
}

function rightsOf(payload: JWTPayload, { scopeClaim }: JwtSettings): ReadonlySet<Right> {
  const claim = scopeClaim === undefined ? (payload.scope ?? payload.scp) : payload[scopeClaim]
  const words = typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : []
  return withIncluded(allRights.filter((right) => words.includes(scopeOf(right))))
}

/** A claim that names no text names no agent that anybody has. */
function agentOf(payload: JWTPayload, { agentClaim, agent }: JwtSettings): string | undefined {
  const claim = agentClaim === undefined ? undefined : payload[agentClaim]
  if (claim === undefined) return agent
  return typeof claim === 'string' ? claim : ''
}

function reasonOf(error: unknown): AuthFailure {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return 'issuer'
    if (error.claim === 'aud') return 'audience'
    return error.claim === 'nbf' ? 'not_yet' : 'malformed'
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'algorithm'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
    ? 'jwks'
    : 'malformed'
}
