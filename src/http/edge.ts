// The order in which a request is judged: framing, host, path, origin, draining, who calls, how much they have under way, media,
// body. Whatever is refused here has cost nobody behind it anything.
import type { HttpSettings } from '../config/http-settings.ts'
import { readBearerHeader, rightMissing, unauthorized, type AuthFailure, type Challenge } from './bearers/bearer.ts'
import type { Admission, Bearer, Doorkeeper } from './bearers/doorkeeper.ts'
import type { AnswerExchange, HttpExchange } from './front/exchange.ts'
import { isListedOrigin, judgeHead, type FrontRules, type Destination } from './front/head.ts'
import { badFraming, comeLater, refusal, type EdgeRefusal } from './front/refusal.ts'
import type { Places } from './limits.ts'
import { corsHeaders, preflightHeaders } from './front/cors.ts'

/** What a request is judged by, and who answers it then. */
export interface EdgeOptions {
  settings: Pick<HttpSettings, 'metrics'>
  front: FrontRules
  doorkeeper: Doorkeeper
  /** Whether callers may be bound to this entry of `agents:` here. */
  servesAgent(name: string): Promise<boolean>
  places: Places
  /** `ready`, or why not. */
  readiness(): 'ready' | 'starting' | 'draining' | 'registry'
  isRefusing(): boolean
  challenge: Challenge
  /** The document about this resource. */
  metadata(): object
  metrics(): Promise<string>
  answerPost(exchange: HttpExchange, bearer: Bearer): Promise<void>
  answerGet(exchange: HttpExchange, bearer: Bearer): Promise<void>
  answerDelete(exchange: HttpExchange, bearer: Bearer): void
  onRefused(refusal: EdgeRefusal): void
  onAuthFailed(reason: AuthFailure): void
  /** A fault of ours. */
  report(fault: unknown): void
}

/** Makes what answers every request. */
export function createEdge(options: EdgeOptions): AnswerExchange {
  const { challenge } = options
  const refuse = (exchange: HttpExchange, refused: EdgeRefusal) => {
    options.onRefused(refused)
    exchange.refuse(refused)
  }

  async function answerMcp(exchange: HttpExchange, { method }: Destination & { kind: 'mcp' }): Promise<void> {
    const bearer = await admit(exchange)
    if (bearer === undefined) return
    if (method === 'GET') return options.answerGet(exchange, bearer)
    if (method === 'DELETE') return options.answerDelete(exchange, bearer)
    const place = options.places.take(bearer.principal)
    if (place === 'principal') return refuse(exchange, comeLater(429, 'too_many_requests', 1, { reason: 'too_many' }))
    if (place === 'process') return refuse(exchange, comeLater(503, 'too_many_requests', 1, { reason: 'too_many' }))
    exchange.holdPlace(place)
    await options.answerPost(exchange, bearer)
  }

  /** Who calls; undefined when that was answered already. */
  async function admit(exchange: HttpExchange): Promise<Bearer | undefined> {
    if (options.isRefusing()) {
      refuse(exchange, comeLater(503, 'draining', 1, { closes: true, reason: 'draining' }))
      return undefined
    }
    const found = await judgeBearer(exchange, options, challenge)
    if (!('kind' in found)) return found
    refuse(exchange, found)
    return undefined
  }

  async function answerMetrics(exchange: HttpExchange): Promise<void> {
    const bearer = await admit(exchange)
    if (bearer === undefined) return
    if (!bearer.isOperator) return refuse(exchange, refusal(403, 'forbidden', { reason: 'forbidden' }))
    exchange.answer.whole(200, await options.metrics(), { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  }

  async function answer(exchange: HttpExchange): Promise<void> {
    const place = judgeHead(exchange.head, options.front)
    switch (place.kind) {
      case 'refusal':
        return refuse(exchange, place)
      case 'livez':
        return exchange.answer.whole(200, 'ok', plainText)
      case 'readyz': {
        const word = options.readiness()
        return exchange.answer.whole(word === 'ready' ? 200 : 503, word, plainText)
      }
      case 'metadata':
        return exchange.answer.whole(200, JSON.stringify(options.metadata()), { 'Access-Control-Allow-Origin': '*' })
      case 'metrics':
        return answerMetrics(exchange)
      case 'preflight':
        return exchange.answer.whole(204, '', preflightHeaders(place.origin))
      case 'mcp': {
        if (isListedOrigin(place.origin, options.front)) exchange.answer.addHeaders(corsHeaders(place.origin))
        return answerMcp(exchange, place)
      }
    }
  }

  return (exchange) => {
    answer(exchange).catch((fault: unknown) => {
      options.report(fault)
      if (exchange.answer.isStream) exchange.answer.cut('client')
      else exchange.refuse(refusal(500, 'internal_error', { closes: true }))
    })
  }
}

const plainText = { 'Content-Type': 'text/plain; charset=utf-8' }

async function judgeBearer(
  { fields }: HttpExchange,
  { doorkeeper, servesAgent, onAuthFailed }: EdgeOptions,
  challenge: Challenge,
): Promise<Bearer | EdgeRefusal> {
  const read = readBearerHeader(fields.authorization)
  if (read === 'several') return { ...badFraming, reason: 'unauthorized' }
  if (read === 'absent') return unauthorized(challenge, true)
  if (read === 'malformed') {
    onAuthFailed('malformed')
    return unauthorized(challenge, false)
  }
  const asked = doorkeeper.admit(read.token)
  // Most callers are known at once, and a turn of the loop for each of them would be felt.
  const admission: Admission = asked instanceof Promise ? await asked : asked
  if (admission.kind === 'later') return comeLater(503, 'issuer_unavailable', 5)
  if (admission.kind === 'known') return judgeScope(admission.bearer, servesAgent, challenge)
  onAuthFailed(admission.reason)
  return unauthorized(challenge, false)
}

/** Who has no right at all can do nothing here, and neither can who is bound to an agent that is not there. */
function judgeScope(
  bearer: Bearer,
  servesAgent: EdgeOptions['servesAgent'],
  challenge: Challenge,
): Bearer | EdgeRefusal | Promise<Bearer | EdgeRefusal> {
  if (bearer.agent !== undefined)
    return servesAgent(bearer.agent).then((isServed) =>
      isServed ? withRights(bearer, challenge) : refusal(403, 'forbidden', { reason: 'forbidden' }),
    )
  return withRights(bearer, challenge)
}

function withRights(bearer: Bearer, challenge: Challenge): Bearer | EdgeRefusal {
  return bearer.rights.has('read') ? bearer : rightMissing(challenge, 'read')
}
