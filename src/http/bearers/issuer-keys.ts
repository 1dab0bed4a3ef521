// The keys of an issuer, as they are at the address that it names. Fetched at first need and then rarely, whoever asks.
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { isObject, member } from '../../json/read.ts'
import type { Clock } from '../../timing/clock.ts'

/** The keys could not be had, so nobody can say whether a token is good. */
export class KeysUnavailable extends Error {}

/** Where the keys are. */
export interface IssuerKeysOptions {
  issuer: string
  /** Undefined: the issuer's metadata says. */
  jwksUri: string | undefined
  fetch: typeof fetch
  clock: Pick<Clock, 'monotonicMs'>
}

const keepMs = 600_000
const refetchMs = 30_000
const timeoutMs = 5000
const mostBytes = 512 * 1024

/**
 * Finds keys by the header of a token. Keys are kept for 10 minutes; one that is not among them makes us look again, at most once
 * in 30 seconds. Throws KeysUnavailable, or jose's error for a key that is not there.
 */
export function createIssuerKeys({ issuer, jwksUri, fetch, clock }: IssuerKeysOptions): JWTVerifyGetKey {
  let held: { find: JWTVerifyGetKey; kids: ReadonlySet<unknown>; atMs: number } | undefined
  let lastTryMs = Number.NEGATIVE_INFINITY
  let hasFailed = false
  let fetching: Promise<void> | undefined

  async function load(): Promise<void> {
    lastTryMs = clock.monotonicMs()
    try {
      const set = await fetchKeys()
      held = { find: createLocalJWKSet(set), kids: new Set(set.keys.map(({ kid }) => kid)), atMs: clock.monotonicMs() }
      hasFailed = false
    } catch {
      hasFailed = true
    }
  }

  async function fetchKeys(): Promise<JSONWebKeySet> {
    const uri = jwksUri ?? (await findAddress())
    const set = await fetchJson(fetch, uri)
    if (!isObject(set) || !Array.isArray(set.keys)) throw new KeysUnavailable('no key set')
    return set as unknown as JSONWebKeySet
  }

  /** The two forms of metadata, in the order in which they came into the world of OAuth. */
  async function findAddress(): Promise<string> {
    const { origin, pathname } = new URL(issuer)
    const path = pathname === '/' ? '' : pathname.replace(/\/$/, '')
    const places = [
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]
    for (const place of places) {
      const found = await fetchJson(fetch, place).catch(() => undefined)
      const uri = member(found, 'jwks_uri')
      if (member(found, 'issuer') === issuer && typeof uri === 'string') return uri
    }
    throw new KeysUnavailable('no metadata')
  }

  return async (header, token) => {
    const now = clock.monotonicMs()
    const isKnown = held !== undefined && (header?.kid === undefined || held.kids.has(header.kid))
    const isFresh = isKnown && now - held!.atMs < keepMs
    const mayTry = now - lastTryMs >= (hasFailed && held === undefined ? 1000 : refetchMs)
    if (!isFresh && (mayTry || fetching !== undefined)) {
      fetching ??= load().finally(() => void (fetching = undefined))
      await fetching
    }
    if (held === undefined) throw new KeysUnavailable('no keys')
    // A key that is not among the old ones may be among those that could not be fetched.
    if (hasFailed && !(header?.kid === undefined || held.kids.has(header.kid))) throw new KeysUnavailable('old keys')
    return held.find(header, token)
  }
}

/** A JSON document that is not too large, from exactly this address. */
async function fetchJson(fetch: typeof globalThis.fetch, url: string): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200 || response.body === null) throw new KeysUnavailable(`status ${response.status}`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body) {
    bytes += part.length
    if (bytes > mostBytes) throw new KeysUnavailable('too large')
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
}
