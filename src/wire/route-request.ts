// Which handler answers which method, in both eras: a method that an era does not have does not exist in it.
import { invalidParams } from '../answers/refusals.ts'
import { legacyMethods, modernMethods, type CallContext, type Handlers } from './handlers.ts'
import { listen } from './listen.ts'
import { answerOrAsk, askingMethods, type QuestionRooms } from './questions.ts'
import { member } from '../json/read.ts'
import type { News } from './news.ts'
import type { Caller, CoreRequest, KeptWatches } from './request.ts'
import type { StreamPlaces } from './stream-places.ts'
import { WireError } from './wire-error.ts'

/** What requests are answered with. */
export interface RouteRooms {
  ready: Promise<Handlers>
  /** What the modern era is told of this server before anything else; needs no handlers. */
  discover(caller: Caller): object | Promise<object>
  places: StreamPlaces
  questions: QuestionRooms
}

/**
 * Answers one request. Waits for the handlers where it needs them; a request that was cancelled by then is never begun, which
 * throws the signal's reason. Throws WireError, and whatever the handler throws.
 */
export async function routeRequest(
  request: CoreRequest,
  call: CallContext,
  { ready, discover, places, questions }: RouteRooms,
): Promise<object> {
  const { method, findings, client, caller } = request
  const isModern = client.era === 'modern'
  if (!(isModern ? modernMethods : legacyMethods).has(method)) throw methodNotFound()
  if (method === 'ping') return {}
  if (isModern && findings.duplicateKey) throw invalidParams('a key is given twice in one object')
  if (method === 'server/discover') return discover(caller)
  const handlers = await ready
  call.signal.throwIfAborted()
  if (isModern) {
    await handlers.began?.()
    call.signal.throwIfAborted()
  }
  const isAsking = isModern && askingMethods.has(method)
  if (isAsking)
    return answerOrAsk(
      request,
      call,
      (asked, inner) => dispatch({ ...request, params: asked }, inner, handlers),
      questions,
    )
  if (method === 'subscriptions/listen') {
    const free = places.take(caller.principal)
    if (free === undefined)
      throw new WireError(-32603, 'Too many subscriptions are open. End one of them first.', {
        code: 'too_many_subscriptions',
      })
    return listen(request, handlers.news).finally(free)
  }
  return dispatch(request, call, handlers)
}

/** What the router itself answers. */
async function dispatch(
  { method, params, findings, watches }: CoreRequest,
  call: CallContext,
  handlers: Handlers,
): Promise<object> {
  switch (method) {
    case 'initialize':
      return handlers.initialize(params, call)
    case 'tools/list':
      return handlers.listTools(call)
    case 'tools/call':
      return handlers.callTool({ params, findings }, call)
    default: {
      const handler = handlers.other?.[method]
      if (handler === undefined) throw methodNotFound()
      if (watches !== undefined && watchMethods.has(method))
        return watch(watches, { method, params }, call, handlers.news)
      return handler(params, call)
    }
  }
}

const watchMethods = new Set(['resources/subscribe', 'resources/unsubscribe'])

/** What each of several clients watches is its own: the mounted server hears of the first and of the last one only. */
async function watch(
  watches: KeptWatches,
  { method, params }: Pick<CoreRequest, 'method' | 'params'>,
  { caller, signal }: CallContext,
  news: News | undefined,
): Promise<object> {
  const uri = member(params, 'uri')
  if (typeof uri !== 'string') throw invalidParams('uri must be the address of a resource')
  if (method === 'resources/unsubscribe') watches.remove(uri)
  else if (news === undefined) throw methodNotFound()
  else await watches.add(uri, (onUpdated) => news.watch(uri, { caller, signal, onUpdated }))
  return {}
}

const methodNotFound = () => new WireError(-32601, 'Method not found')
