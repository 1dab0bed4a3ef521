// From an HTTP request to an HTTP answer. What a request changes, it changes in one immediate transaction.
import { decodeUtf8 } from '../http/head.ts'
import type { HttpAnswer, HttpRequest } from '../http/listen.ts'
import { authenticate, demandCapability, type Checks } from './authenticate.ts'
import type { Hubu } from './hubu.ts'
import { parseBody } from './json/fields.ts'
import { writeJson, type Writable } from './json/write.ts'
import { Refusal } from './refusal.ts'
import { parseQuery, type Call, type Route } from './route.ts'
import { protectedRoutes, publicRoutes } from './routes.ts'
import { currentOwner } from './users/users.ts'

/** Answers one request. Refusals become answers; anything else that is thrown is a fault and stays one. */
export function dispatch(hubu: Hubu, checks: Checks, request: HttpRequest): HttpAnswer {
  try {
    if (request.bodyTooLarge) throw new Refusal('the request body is too large', 413)
    const bodyText = decodeUtf8(request.body)
    if (bodyText === undefined) throw new Refusal('the request body is not UTF-8')
    const name = `${request.method} ${request.path}`
    const open = publicRoutes.get(name)
    if (open !== undefined) return { status: 200, body: writeJson(open(hubu)) }
    authenticate(request, checks)
    const route = protectedRoutes.get(name)
    if (route === undefined) throw new Refusal(`no such route: ${name.slice(0, 200)}`)
    const outcome = hubu.rows.immediately(() => perform(hubu, route, callOf(hubu, checks, request, bodyText)))
    if (outcome instanceof Refusal) throw outcome
    return { status: 200, body: outcome }
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}

/** The answer to a refusal. */
export function refused({ status, message, guidance }: Refusal): HttpAnswer {
  const body: Writable =
    status === 401 ? { error: message } : { error: message, retry_guidance: guidance && { ...guidance } }
  return { status, body: writeJson(body) }
}

/**
 * Runs both steps of a route. A refusal of the second takes back what the second changed and is returned, so that the
 * transaction around keeps what the first changed.
 */
function perform(hubu: Hubu, route: Route, call: Call): string | Refusal {
  const prepared = route.prepare?.(call)
  try {
    return hubu.rows.atomically(() => writeJson(route.perform(call, prepared)))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function callOf(hubu: Hubu, checks: Checks, request: HttpRequest, bodyText: string): Call {
  return {
    hubu,
    owner: currentOwner(hubu.rows),
    query: parseQuery(request.query),
    bodyText,
    body: () => parseBody(bodyText),
    demand: (capability) => demandCapability(request, checks, capability),
  }
}
