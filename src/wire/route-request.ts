// Which handler answers which method.
import { optionalMethods, type CallContext, type Handlers } from './handlers.ts'
import type { CoreRequest } from './request.ts'

/** The answer to a method that nobody serves. */
export class MethodNotFound extends Error {
  readonly code = -32601

  constructor() {
    super('Method not found')
  }
}

/**
 * Answers one request. Waits for the handlers where it needs them; a request that was cancelled by then is never begun, which
 * throws the signal's reason. Throws MethodNotFound, and whatever the handler throws.
 */
export async function routeRequest(
  { method, params, findings }: Pick<CoreRequest, 'method' | 'params' | 'findings'>,
  call: CallContext,
  ready: Promise<Handlers>,
): Promise<object> {
  const begin = async () => {
    const handlers = await ready
    call.signal.throwIfAborted()
    return handlers
  }
  switch (method) {
    case 'initialize':
      return (await begin()).initialize(params)
    case 'tools/list':
      return (await begin()).listTools(call)
    case 'tools/call':
      return (await begin()).callTool({ params, findings }, call)
    default: {
      if (!optionalMethods.has(method)) throw new MethodNotFound()
      const { other = {} } = await begin()
      const handler = other[method]
      if (handler === undefined) throw new MethodNotFound()
      return handler(params, call)
    }
  }
}
