// Routes: how one is declared, and what its work is given.
import type { Hubu } from './hubu.ts'
import type { JsonObject } from './json/value.ts'
import type { Writable } from './json/write.ts'
import type { User } from './users/users.ts'

/** What a human presents beside the bearer, and no agent has. */
export type Capability = 'approval' | 'reconciliation'

/** One authenticated request, acting for the current owner. */
export interface Call {
  hubu: Hubu
  owner: User
  query: Query
  /** The body as text; strictly valid UTF-8. */
  bodyText: string
  /** The body as one JSON object. Throws a 400. */
  body(): JsonObject
  /** Throws a 400 unless the request carries the capability's header with its value. */
  demand(capability: Capability): void
}

/** Raw, undecoded query parameters. */
export interface Query {
  get(name: string): string | undefined
  /** True for exactly `1`, `true` and `yes`. */
  flag(name: string): boolean
  /** As it came, for routes that decode. */
  raw: string
}

/**
 * A protected route. `prepare` reads the request and may leave changes that stay even if the request is refused later
 * (expired holds); they must be its last step. What `perform` changes happens whole or not at all.
 */
export interface Route<Prepared = unknown> {
  method: 'GET' | 'POST'
  path: string
  prepare?(call: Call): Prepared
  perform(call: Call, prepared: Prepared): Writable
}

/** Names a route and ties the types of its two steps together. */
export function route<Prepared>(
  method: Route['method'],
  path: string,
  steps: { prepare(call: Call): Prepared; perform(call: Call, prepared: Prepared): Writable },
): Route {
  return {
    method,
    path,
    prepare: steps.prepare,
    perform: (call, prepared) => steps.perform(call, prepared as Prepared),
  }
}

/** A route that only looks. */
export function read(path: string, perform: (call: Call) => Writable): Route {
  return { method: 'GET', path, perform }
}

/** A route that reads its body and changes state in one step. */
export function change(path: string, perform: (call: Call) => Writable): Route {
  return { method: 'POST', path, perform }
}

/** Splits a query string at `&` and the first `=`; the last of a repeated key wins. */
export function parseQuery(raw: string): Query {
  const found = new Map<string, string>()
  for (const part of raw.split('&')) {
    if (part === '') continue
    const [key = '', ...value] = part.split('=')
    found.set(key, value.join('='))
  }
  const get = (name: string) => found.get(name)
  return { raw, get, flag: (name) => ['1', 'true', 'yes'].includes(get(name) ?? '') }
}
