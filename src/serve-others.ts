// The requests besides initialize and the tools, for serve.ts.
import type { OpenGateway } from './gateway/open-gateway.ts'
import type { ResourceRequests } from './calls/resource-requests.ts'
import type { Handlers } from './server/handlers.ts'

/** Stored results as resources, and the resources and prompts of mounted servers. */
export function otherHandlers(
  stored: ResourceRequests | undefined,
  gateway: OpenGateway | undefined,
): NonNullable<Handlers['other']> {
  if (gateway !== undefined) {
    const offers = gateway.offers(stored)
    return {
      'resources/list': (params) => offers.listResources(params),
      'resources/templates/list': () => offers.listResourceTemplates(),
      'resources/read': (params, call) => offers.readResource(params, call),
      'prompts/list': () => Promise.resolve(offers.listPrompts()),
      'prompts/get': (params, call) => offers.getPrompt(params, call),
      'resources/subscribe': (params, call) => offers.subscribe(params, call),
      'resources/unsubscribe': (params, call) => offers.unsubscribe(params, call),
      'completion/complete': (params, call) => offers.complete(params, call),
      'logging/setLevel': (params) => gateway.setLogLevel(params),
    }
  }
  if (stored === undefined) return {}
  return {
    'resources/list': (params) => stored.list(params),
    'resources/templates/list': () => stored.listTemplates(),
    'resources/read': (params) => stored.read(params),
  }
}
