// Which handler answers which method; the SDK answers `ping` itself.
import { optionalMethods, type CallContext, type Handlers } from './handlers.ts'
import type { RequestFrame } from './request-frame.ts'

/** The answer to a method that nobody serves; the SDK sends code and message as they are. */
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
  method: string,
  frame: RequestFrame,
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
      return (await begin()).initialize(frame.params)
    case 'tools/list':
      return (await begin()).listTools(call)
    case 'tools/call':
      return (await begin()).callTool({ params: frame.params, findings: frame.findings }, call)
    default: {
      if (!optionalMethods.has(method)) throw new MethodNotFound()
      const { other = {} } = await begin()
      const handler = other[method]
      if (handler === undefined) throw new MethodNotFound()
      return handler(frame.params, call)
    }
  }
}
