// A mounted server of the modern era: no handshake, each request says what it is of, and what changes comes by a subscription.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isObject, member } from '../json/read.ts'
import { skipValue, walkMembers } from '../json/scan.ts'
import type { Listening } from './listening.ts'
import type { CallOutcome, Exchange } from './outcome.ts'
import type { WatchedRequest } from './tapped-transport.ts'

/** The revision of the modern era that we speak to servers. */
export const modernRevision = '2026-07-28'

const key = (name: string) => `io.modelcontextprotocol/${name}`

/** Answers to a handshake that say that it is not known. */
const noHandshake: ReadonlySet<unknown> = new Set([-32022, -32601, -32602, -32600])

/** A client that keeps its connection when a handshake is refused, until it is told otherwise. */
export class PatientClient extends Client {
  #isHeld = true

  override close(): Promise<void> {
    return this.#isHeld ? Promise.resolve() : super.close()
  }

  /** Connects without a handshake. */
  open(transport: Transport): Promise<void> {
    return Protocol.prototype.connect.call(this, transport)
  }

  /** From now on closing closes. */
  release(): void {
    this.#isHeld = false
  }
}

/** Throws the refusal of a handshake again unless it says that its server may speak the modern era. */
export function demandModern(refusal: unknown): void {
  const { code, data } = (refusal ?? {}) as { code?: unknown; data?: unknown }
  if (!noHandshake.has(code)) throw refusal
  const supported = member(data, 'supported')
  if (code === -32022 && Array.isArray(supported)) demandRevision(supported)
}

/** A server and we have no revision in common; the message is a sentence of ours that names both lists. */
export class NoRevision extends Error {
  override readonly name = 'NoRevision'

  constructor(supported: readonly unknown[]) {
    const theirs = supported.filter((one) => typeof one === 'string' && /^\d{4}-\d\d-\d\d$/.test(one)).slice(0, 8)
    const list = theirs.length === 0 ? 'none that has the form of one' : theirs.join(', ')
    super(`it speaks a version of MCP that is not known here (it names ${list}; known is ${modernRevision})`)
  }
}

/** Throws NoRevision unless our revision is among these. */
export function demandRevision(supported: unknown): void {
  const named: readonly unknown[] = Array.isArray(supported) ? supported : []
  if (!named.includes(modernRevision)) throw new NoRevision(named)
}

/** A server that was asked as one of the modern era does not know what that is; nothing was done at it. */
export class NotModern extends Error {
  override readonly name = 'NotModern'
}

/** The revision's own refusals: whoever answers so knows the era. */
const ownCodes: ReadonlySet<unknown> = new Set([-32020, -32021, -32022])

/** Throws why the first request of this era got no result: NotModern where the server belongs to the other one. */
export function refuseDiscovery({ answer }: WatchedRequest, error: unknown): never {
  if (answer?.kind === 'refused' || (answer?.kind === 'error' && !ownCodes.has(answer.code)))
    throw new NotModern('it does not know the modern era', { cause: error })
  if (answer?.kind === 'error') demandModern({ code: answer.code, data: (error as { data?: unknown }).data })
  throw error
}

/** What each request says of itself; of the client only what is passed on. */
export function claimOf(
  clientInfo: object,
  { capabilities = {}, logLevel }: { capabilities?: object; logLevel?: string } = {},
): Record<string, unknown> {
  return {
    [key('protocolVersion')]: modernRevision,
    [key('clientInfo')]: clientInfo,
    [key('clientCapabilities')]: capabilities,
    ...(logLevel !== undefined && { [key('logLevel')]: logLevel }),
  }
}

/** Requests as the modern era has them: what it has no request for is done by the subscription, or not at all. */
export function modernExchange(exchange: Exchange, clientInfo: object, listening: Listening): Exchange {
  const done: CallOutcome = { kind: 'result', json: '{}', value: {} }
  return async (method, params, options) => {
    const uri = String(params.uri)
    switch (method) {
      case 'logging/setLevel':
        return done
      case 'resources/subscribe':
        return listening.add(uri)
      case 'resources/unsubscribe':
        listening.remove(uri)
        return done
      default: {
        const meta = { ...options.meta, ...claimOf(clientInfo, options.client) }
        return withoutType(await exchange(method, { ...params, ...options.retry }, { ...options, meta }))
      }
    }
  }
}

/** The end of a request without the word that it is one: whoever serves a client says that itself. */
function withoutType<T extends { kind: string }>(outcome: T | CallOutcome): T | CallOutcome {
  if (outcome.kind !== 'result') return outcome
  const { json, value } = outcome as CallOutcome & { kind: 'result' }
  const type = member(value, 'resultType')
  if (type === undefined) return outcome
  if (type !== 'complete') return { kind: 'result', json, value, isOpen: true }
  const { resultType: _type, ...rest } = value as Record<string, unknown>
  const members: string[] = []
  walkMembers(json, (name, start) => {
    const end = skipValue(json, start)
    if (name !== 'resultType') members.push(`${JSON.stringify(name)}:${json.slice(start, end)}`)
    return end
  })
  return { kind: 'result', json: `{${members.join(',')}}`, value: rest }
}

/** What a server asks before it goes on; undefined for any other result. */
export function questionsOf(
  value: object,
):
  | { inputRequests: Record<string, { method: string; params: Record<string, unknown> }>; requestState?: unknown }
  | undefined {
  if (member(value, 'resultType') !== 'input_required') return undefined
  const { inputRequests, requestState } = value as Record<string, unknown>
  const asked = Object.entries(isObject(inputRequests) ? inputRequests : {}).flatMap(([name, question]) => {
    const [method, params] = [member(question, 'method'), member(question, 'params')]
    return typeof method === 'string' ? [[name, { method, params: isObject(params) ? params : {} }] as const] : []
  })
  return { inputRequests: Object.fromEntries(asked), ...(requestState !== undefined && { requestState }) }
}
