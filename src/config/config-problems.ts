// Pure: what a schema found wrong, in words and without values.
import type {
  AgentConfig,
  AuthConfig,
  GatewayConfig,
  HttpConfig,
  JwtConfig,
  ServerConfig,
} from '#generated/types/config.js'
import type { Issue } from '#generated/validators/config.js'
import { nearest } from '../names/nearest.ts'
import { budgetWords, sizeWords } from './sizes.ts'
import type { Problem } from './yaml-file.ts'

const topKeys = Object.keys({
  ...{ version: 0, expose: 0, pin: 0, response_budget: 0, verbatim: 0, image_budget: 0 },
  ...{ connect_timeout: 0, call_timeout: 0, journal: 0, servers: 0, groups: 0, agents: 0 },
  ...{ http: 0, auth: 0 },
} satisfies Record<keyof GatewayConfig, 0>)

const serverKeys = Object.keys({
  ...{ command: 0, args: 0, env: 0, env_file: 0, pass_env: 0, cwd: 0 },
  ...{ url: 0, transport: 0, headers: 0, headers_file: 0, connect_timeout: 0, on_change: 0 },
  ...{ prefix: 0, era: 0, enabled: 0, description: 0, tags: 0, use_when: 0, tool_use_when: 0 },
} satisfies Record<keyof ServerConfig, 0>)

const agentKeys = Object.keys({
  ...{ type: 0, path: 0, mode: 0, disabled: 0, servers: 0, tools: 0, pin: 0, tool_schema_budget: 0 },
  ...{ identity: 0, principal: 0, twin_guard: 0, twin_window: 0 },
} satisfies Record<keyof AgentConfig, 0>)

const httpKeys = Object.keys({
  ...{ listen: 0, path: 0, public_url: 0, allowed_hosts: 0, allowed_origins: 0, body_limit: 0, header_timeout: 0 },
  ...{ body_timeout: 0, idle_timeout: 0, max_connections: 0, max_in_flight: 0, max_subscriptions: 0, drain_delay: 0 },
  ...{ drain_timeout: 0, request_state_key_file: 0, question_timeout: 0, metrics: 0, tls: 0 },
} satisfies Record<keyof HttpConfig, 0>)

const authKeys = Object.keys({ tokens: 0, jwt: 0 } satisfies Record<keyof AuthConfig, 0>)

const jwtKeys = Object.keys({
  ...{ issuer: 0, audience: 0, jwks_uri: 0, algorithms: 0, clock_skew: 0, subject_claim: 0, display_claim: 0 },
  ...{ scope_claim: 0, agent_claim: 0, agent: 0 },
} satisfies Record<keyof JwtConfig, 0>)

/** What stands below a place of the file. */
function keysBelow(parent: string): readonly string[] {
  if (parent === '') return topKeys
  if (parent.startsWith('/servers/')) return serverKeys
  const known: Readonly<Record<string, readonly string[]>> = {
    '/http': httpKeys,
    '/http/tls': ['cert_file', 'key_file'],
    '/auth': authKeys,
    '/auth/jwt': jwtKeys,
  }
  return known[parent] ?? agentKeys
}

/** Keys of other gateways that are refused for a reason of their own. */
const hints: Readonly<Record<string, string>> = {
  listen: 'is not a key here: the address for HTTP is http.listen, and only serve --http listens',
  vault: 'is not supported: give the server its secrets in its environment, and remove the key',
}

/** The problems behind a validator's issues, one for each member. */
export function problemsOf(issues: readonly Issue[]): Problem[] {
  const found = new Map<string, Problem>()
  for (const issue of issues) {
    const extra = issue.keyword === 'additionalProperties' ? String(issue.params.additionalProperty) : undefined
    const pointer = extra === undefined ? issue.instancePath : `${issue.instancePath}/${escapePointer(extra)}`
    // A choice of types reports each of them, and last the choice itself.
    if (issue.keyword === 'anyOf' || !found.has(pointer)) {
      found.set(pointer, {
        pointer,
        message: extra === undefined ? issueWords(issue) : unknownKey(issue.instancePath, extra),
      })
    }
  }
  return [...found.values()]
}

/** A member's name as part of a pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unknownKey(parent: string, name: string): string {
  const hint = name.startsWith('vault') ? 'vault' : parent === '' ? name : ''
  if (Object.hasOwn(hints, hint)) return hints[hint]!
  const known = keysBelow(parent)
  const meant = nearest(name, known)
  return meant === undefined
    ? `is not a key here; allowed are ${known.join(', ')}`
    : `is not a key here; did you mean ${meant}?`
}

function issueWords({ instancePath, keyword, params, message }: Issue): string {
  switch (keyword) {
    case 'anyOf':
      if (instancePath === '/http/body_limit') return 'must be a size from 64KB to 16MB'
      return `must be ${instancePath === '/response_budget' ? budgetWords : `${sizeWords}, or 0`}`
    case 'enum':
      return `must be ${(params.allowedValues as unknown[]).join(' or ')}`
    case 'const':
      return `must be ${params.allowedValue === '' ? "the empty text ''" : String(params.allowedValue)}`
    case 'required':
      return `needs the key ${String(params.missingProperty)}`
    case 'type':
      return `must be ${typeWords[String(params.type)] ?? String(params.type)}`
    case 'minimum':
      return `must be at least ${String(params.limit)}`
    case 'maximum':
      return `must be at most ${String(params.limit)}`
    case 'minItems':
      return 'must not be empty'
    case 'minLength':
      return 'must not be empty'
    case 'pattern':
      return 'must be 1 to 64 of A-Z a-z 0-9 . _ -'
    case 'maxLength':
      return `must have at most ${String(params.limit)} characters`
    case 'maxItems':
      return `must have at most ${String(params.limit)} entries`
    case 'maxProperties':
      return `must have at most ${String(params.limit)} keys`
    default:
      return message ?? 'is not valid'
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text; put it in quotes if it looks like a number or a switch',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list',
  object: 'a map',
}
