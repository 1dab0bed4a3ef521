// The requests besides initialize and the tools, for serve.ts.
import type { JsonResult } from './answers/finish.ts'
import type { OpenGateway } from './gateway/open-gateway.ts'
import type { ResourceRequests } from './calls/resource-requests.ts'
import type { Handlers } from './server/handlers.ts'
import { SerializedResult } from './answers/serialized.ts'

/** Stored results as resources, and the resources and prompts of mounted servers (DESIGN 11, M 1.8). */
export function otherHandlers(
  stored: ResourceRequests | undefined,
  gateway: OpenGateway | undefined,
): NonNullable<Handlers['other']> {
  const spliced = async (answer: Promise<JsonResult>) => new SerializedResult((await answer).json)
  if (gateway !== undefined) {
    const offers = gateway.offers(stored)
    return {
      'resources/list': (params) => offers.listResources(params),
      'resources/templates/list': () => offers.listResourceTemplates(),
      'resources/read': (params, call) => spliced(offers.readResource(params, call)),
      'prompts/list': () => Promise.resolve(offers.listPrompts()),
      'prompts/get': (params, call) => spliced(offers.getPrompt(params, call)),
      'resources/subscribe': (params, call) => offers.subscribe(params, call),
      'resources/unsubscribe': (params, call) => offers.unsubscribe(params, call),
      'completion/complete': (params, call) => spliced(offers.complete(params, call)),
      'logging/setLevel': (params) => gateway.setLogLevel(params),
    }
  }
  if (stored === undefined) return {}
  return {
    'resources/list': (params) => stored.list(params),
    'resources/templates/list': () => stored.listTemplates(),
    'resources/read': (params) => spliced(stored.read(params)),
  }
}
