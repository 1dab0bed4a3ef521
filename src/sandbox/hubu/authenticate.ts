// Who may ask. Secrets are compared as digests in constant time and never appear in answers.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '../http/listen.ts'
import { Refusal } from './refusal.ts'
import type { Capability } from './route.ts'

/** The secrets of the server; pairwise different. */
export interface Secrets {
  api: string
  approval: string
  reconciliation: string
  admin?: string
}

/** Compares what a request presents with a secret. */
export type Check = (presented: string) => boolean

/** One check for each secret that requests to Hubu itself present. */
export type Checks = Record<'api' | Capability, Check>

const headerOfCapability: Readonly<Record<Capability, string>> = {
  approval: 'x-hubu-approval-capability',
  reconciliation: 'x-hubu-reconciliation-capability',
}

/** Prepares the checks. Throws an Error when a secret is empty or two are equal. */
export function prepareChecks(secrets: Secrets): Checks {
  const values = Object.values(secrets).filter((value) => value !== undefined)
  if (values.some((value) => value === '')) throw new Error('a token is empty')
  if (new Set(values).size !== values.length) throw new Error('the tokens must be pairwise different')
  return {
    api: checkOf(secrets.api),
    approval: checkOf(secrets.approval),
    reconciliation: checkOf(secrets.reconciliation),
  }
}

/** Runs the five checks in order. Throws a 401. */
export function authenticate(request: HttpRequest, checks: Checks): void {
  if (request.header('origin') !== undefined) throw new Refusal('browser-origin requests are not accepted', 401)
  if (request.method === 'POST') {
    const type = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
    if (type !== 'application/json') throw new Refusal('POST requires Content-Type: application/json', 401)
  }
  const host = request.header('host')
  if (host !== undefined && !/^(?:(?:localhost|127\.0\.0\.1|\[::1\])(?::.*)?|::1)$/.test(host))
    throw new Refusal('the Host header must name a loopback address', 401)
  const authorization = request.header('authorization')
  if (authorization === undefined) throw new Refusal('missing authorization bearer token', 401)
  const [, scheme, token] = /^(\S+)\s+(.*)$/.exec(authorization) ?? []
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || token === '' || !checks.api(token))
    throw new Refusal('invalid authorization bearer token', 401)
}

/** Throws a 400 unless the request presents a capability. */
export function demandCapability(request: HttpRequest, checks: Checks, capability: Capability): void {
  const presented = request.header(headerOfCapability[capability])?.trim() ?? ''
  if (presented === '') throw new Refusal(`missing human ${capability} capability`)
  if (!checks[capability](presented)) throw new Refusal(`invalid human ${capability} capability`)
}

function checkOf(secret: string): Check {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = digest(secret)
  return (presented) => timingSafeEqual(digest(presented), wanted)
}
