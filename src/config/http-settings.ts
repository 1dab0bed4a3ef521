// How MCP is served over HTTP and who may call: flags over environment over file over defaults.
import type { GatewayConfig } from '#generated/types/config.js'
import { addressWords, isLoopback, parseListenAddress, writeAddress, type Address } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import { environmentVariables as names, isBlank } from './environment.ts'
import { parseBodyLimit, parseSpan, wrongWithPublicUrl } from './http-rules.ts'
import type { Place } from './paths.ts'

/** How the endpoint is served. All of it counts from the start of a process to its end. */
export interface HttpSettings {
  readonly listen: Address
  readonly path: string
  /** Undefined until the port is known, where the system chooses it. */
  readonly publicUrl: string | undefined
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly bodyLimitBytes: number
  readonly headerTimeoutMs: number
  readonly bodyTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly maxConnections: number
  readonly maxInFlight: number
  readonly maxSubscriptions: number
  readonly drainDelayMs: number
  readonly drainTimeoutMs: number
  readonly questionTimeoutMs: number
  readonly requestStateKeyFile: string | undefined
  readonly metrics: 'off' | 'token' | Address
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
}

/** Whose JWTs are taken, and what is read from them. */
export interface JwtSettings {
  readonly issuer: string
  readonly audience: string
  readonly jwksUri: string | undefined
  readonly algorithms: readonly string[]
  readonly clockSkewMs: number
  readonly subjectClaim: string
  readonly scopeClaim: string | undefined
  readonly agentClaim: string | undefined
  readonly agent: string | undefined
}

/** Who may call. Both may be there. */
export interface AuthSettings {
  readonly tokens: string | undefined
  readonly jwt: JwtSettings | undefined
}

/** What the command line says of HTTP. */
export interface HttpFlags {
  /** `--http`; empty: where the configuration says. */
  http?: string
  /** `--token-file F`. */
  tokenFile?: string
  /** `--new-token`. */
  newToken?: boolean
}

const defaultAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA']
const defaultBodyBytes = 4 * 1024 * 1024

/** Reads a variable of the environment. */
type Read = (name: string) => string | undefined

/** What is configured. The file has been checked. Throws ConfigError. */
export function readHttpSettings(
  read: Read,
  flags: HttpFlags,
  place: Pick<Place, 'home'>,
  { http: file = {} }: GatewayConfig = {},
): HttpSettings {
  const ms = (text: string | undefined, absent: number) => parseSpan(text ?? '') ?? absent
  const path = file.path ?? '/mcp'
  const listen = readListen(flags.http, read(names.http), file.listen ?? '127.0.0.1:7420')
  const { tls } = file
  return {
    listen,
    path,
    publicUrl: readPublicUrl(read, file.public_url, path),
    allowedHosts: file.allowed_hosts ?? [],
    allowedOrigins: file.allowed_origins ?? [],
    bodyLimitBytes: parseBodyLimit(String(file.body_limit ?? '')) ?? defaultBodyBytes,
    headerTimeoutMs: ms(file.header_timeout, 10_000),
    bodyTimeoutMs: ms(file.body_timeout, 30_000),
    idleTimeoutMs: ms(file.idle_timeout, 75_000),
    maxConnections: file.max_connections ?? 1024,
    maxInFlight: file.max_in_flight ?? 64,
    maxSubscriptions: file.max_subscriptions ?? 16,
    drainDelayMs: ms(file.drain_delay, 0),
    drainTimeoutMs: ms(file.drain_timeout, 30_000),
    questionTimeoutMs: ms(file.question_timeout, 600_000),
    requestStateKeyFile: fileOf(read(names.requestStateKeyFile) ?? file.request_state_key_file, place),
    metrics:
      file.metrics === undefined || file.metrics === 'off' || file.metrics === 'token'
        ? (file.metrics ?? 'off')
        : parseListenAddress(file.metrics)!,
    tls: tls && { certFile: fileOf(tls.cert_file, place)!, keyFile: fileOf(tls.key_file, place)! },
  }
}

/** Who may call, as the file says; undefined: whoever has the start token. */
export function readAuthSettings(
  place: Pick<Place, 'home'>,
  publicUrl: string | undefined,
  { auth }: GatewayConfig = {},
): AuthSettings | undefined {
  if (auth === undefined) return undefined
  const { tokens, jwt } = auth
  return {
    tokens: fileOf(tokens, place),
    jwt: jwt && {
      issuer: jwt.issuer,
      audience: jwt.audience ?? publicUrl ?? '',
      jwksUri: jwt.jwks_uri,
      algorithms: jwt.algorithms ?? defaultAlgorithms,
      clockSkewMs: parseSpan(jwt.clock_skew ?? '') ?? 30_000,
      subjectClaim: jwt.subject_claim ?? 'sub',
      scopeClaim: jwt.scope_claim,
      agentClaim: jwt.agent_claim,
      agent: jwt.agent,
    },
  }
}

/** An address that others can reach is never served with the start token alone. Throws ConfigError. */
export function requireAuth({ listen }: HttpSettings, auth: AuthSettings | undefined): void {
  if (auth !== undefined || isLoopback(listen.host)) return
  throw new ConfigError(
    `${writeAddress(listen)} can be reached from other machines, so who may call has to be configured: add auth: with tokens or jwt to the config file`,
  )
}

function readListen(flag: string | undefined, variable: string | undefined, file: string): Address {
  const given = [flag, variable].find((text) => !isBlank(text) && text !== '1')
  const found = parseListenAddress(given ?? file)
  if (found === undefined) throw new ConfigError(`--http (${names.http}) must be ${addressWords}`)
  return found
}

function readPublicUrl(read: Read, file: string | undefined, path: string): string | undefined {
  const given = read(names.publicUrl)
  if (isBlank(given)) return file
  const why = wrongWithPublicUrl(given, path)
  if (why !== undefined) throw new ConfigError(`${names.publicUrl} ${why}`)
  return given
}

/** `~/` is the user's home, as everywhere in the file. */
function fileOf(file: string | undefined, { home }: Pick<Place, 'home'>): string | undefined {
  return file?.startsWith('~/') ? `${home}${file.slice(1)}` : file
}
