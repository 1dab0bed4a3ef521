// Pure: what the schema cannot say about the keys for HTTP.
import type { AuthConfig, GatewayConfig, HttpConfig, JwtConfig } from '#generated/types/config.js'
import { addressWords, isLoopback, parseListenAddress } from './addresses.ts'
import { parseDuration } from './durations.ts'
import { parseSize } from './sizes.ts'

/** Takes one problem down. */
type Report = (pointer: string, message: string) => void

/** The least and the most of each duration, in milliseconds. */
const durations = {
  header_timeout: [1000, 600_000, '1s to 10m'],
  body_timeout: [1000, 600_000, '1s to 10m'],
  idle_timeout: [1000, 600_000, '1s to 10m'],
  drain_delay: [0, 300_000, '0s to 5m'],
  drain_timeout: [0, 300_000, '0s to 5m'],
  question_timeout: [1000, 1_800_000, '1s to 30m'],
} as const satisfies Partial<Record<keyof HttpConfig, readonly [number, number, string]>>

const leastBodyBytes = 64 * 1024
const mostBodyBytes = 16 * 1024 * 1024
const longestSkewMs = 300_000

/** A duration that may also be none; undefined for what is no duration. */
export function parseSpan(text: string): number | undefined {
  return /^0(s|ms)$/.test(text) ? 0 : parseDuration(text)
}

/** The bytes of a body limit; undefined for what is not allowed. */
export function parseBodyLimit(text: string): number | undefined {
  const bytes = parseSize(text)
  return bytes !== undefined && bytes >= leastBodyBytes && bytes <= mostBodyBytes ? bytes : undefined
}

/** A path that is compared as it comes: absolute, and spelled in one way only. */
export function isEndpointPath(path: string): boolean {
  return /^\/[A-Za-z0-9._~/-]*$/.test(path) && !path.includes('//') && !/\/\.{1,2}(\/|$)/.test(path)
}

/** Everything that breaks a rule. */
export function brokenHttpRules({ http, auth, agents }: GatewayConfig, report: Report): void {
  if (http !== undefined) checkHttp(http, report)
  if (auth !== undefined) checkAuth(auth, { http, agents: agents ?? {} }, report)
}

function checkHttp(http: HttpConfig, report: Report): void {
  const { listen, path, public_url: publicUrl, metrics, body_limit: bodyLimit } = http
  if (listen !== undefined && parseListenAddress(listen) === undefined)
    report('/http/listen', `must be ${addressWords}`)
  if (path !== undefined && !isEndpointPath(path))
    report('/http/path', 'must begin with / and have no query, no percent signs and no dot segments')
  if (publicUrl !== undefined) {
    const why = wrongWithPublicUrl(publicUrl, path ?? '/mcp')
    if (why !== undefined) report('/http/public_url', why)
  }
  if (bodyLimit !== undefined && parseBodyLimit(String(bodyLimit)) === undefined)
    report('/http/body_limit', 'must be a size from 64KB to 16MB')
  for (const [key, [least, most, words]] of Object.entries(durations)) {
    const text = http[key as keyof typeof durations]
    const ms = text === undefined ? least : parseSpan(text)
    if (ms === undefined || ms < least || ms > most) report(`/http/${key}`, `must be a duration from ${words}`)
  }
  http.allowed_origins?.forEach((origin, index) => {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      report(`/http/allowed_origins/${index}`, 'must be an origin, such as https://studio.example')
  })
  http.allowed_hosts?.forEach((host, index) => {
    if (!/^[A-Za-z0-9._-]+$|^\[[0-9A-Fa-f:.]+\]$/.test(host))
      report(`/http/allowed_hosts/${index}`, 'must be the name of a host, without a port')
  })
  const address = metrics === undefined ? undefined : parseListenAddress(metrics)
  if (metrics !== undefined && metrics !== 'off' && metrics !== 'token' && !(address && isLoopback(address.host)))
    report('/http/metrics', 'must be off, token, or a loopback HOST:PORT')
}

/** The public URL ends in the path that is served, so that what is told of it leads here. */
export function wrongWithPublicUrl(text: string, path: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(text)
  if (!isPlain) return 'must be an http or https URL without user name, query or fragment'
  return url.pathname === path ? undefined : `must end in the path ${path}`
}

function checkAuth(
  { tokens, jwt }: AuthConfig,
  { http, agents }: { http: HttpConfig | undefined; agents: object },
  report: Report,
): void {
  if (tokens === undefined && jwt === undefined) report('/auth', 'needs tokens or jwt')
  if (jwt !== undefined) checkJwt(jwt, agents, report)
  if (jwt === undefined) return
  const publicUrl = http?.public_url
  if (publicUrl === undefined) report('/auth/jwt', 'needs http.public_url, because tokens are made for it')
  else if (!isSafeUrl(publicUrl)) report('/http/public_url', 'must be https for auth.jwt, except on this machine')
}

function checkJwt(jwt: JwtConfig, agents: object, report: Report): void {
  for (const key of ['issuer', 'jwks_uri'] as const)
    if (jwt[key] !== undefined && !isSafeUrl(jwt[key])) report(`/auth/jwt/${key}`, 'must be an https URL')
  const skewMs = jwt.clock_skew === undefined ? 0 : parseSpan(jwt.clock_skew)
  if (skewMs === undefined || skewMs > longestSkewMs) report('/auth/jwt/clock_skew', 'must be a duration from 0s to 5m')
  if (jwt.agent !== undefined && !Object.hasOwn(agents, jwt.agent))
    report('/auth/jwt/agent', 'names no entry of agents')
}

/** https, or http on this machine. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
}
