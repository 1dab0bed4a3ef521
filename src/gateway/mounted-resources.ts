import { JsonText } from '../answers/json-text.ts'
import { invalidParams } from '../answers/refusals.ts'
import type { ResourceRequests } from '../calls/resource-requests.ts'
import { member } from '../json/read.ts'
import type { ToolScope } from '../results/results.ts'
import { howto, howtoResource, howtoUri } from './howto.ts'
import type { MountedRequests, RequestSource } from './offer-requests.ts'
import { addressOf, prefixed, textOf, type Reach, type ReachedResource } from './reach.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The requests about resources: the guide of the gateway, what servers have, and the stored results. */
type ResourcePart = Omit<MountedRequests, 'complete' | 'listPrompts' | 'getPrompt'>

export function createMountedResources(
  reach: Reach,
  stored: ResourceRequests | undefined,
  { subscriptions, isInScope }: { subscriptions: Subscriptions; isInScope: ToolScope },
): ResourcePart {
  const { connected, pass, resourceAt, settled } = reach

  const viewerOf = ({ caller: { principal } }: RequestSource) => ({ principal, isInScope })

  /** A resource that can be watched. */
  async function watchable(params: unknown, source: RequestSource): Promise<ReachedResource> {
    const address = addressOf(params)
    if (address === howtoUri || isOurs(address))
      throw invalidParams('this resource never changes, so it cannot be subscribed to')
    const found = resourceAt(address)
    await settled(found.server, source)
    const { connection } = found.server
    if (connection !== undefined && connection.capabilities.resources?.subscribe !== true)
      throw invalidParams(`server "${found.server.name}" does not tell when its resources change`)
    return found
  }

  return {
    async listResources(params, source) {
      const own = (await stored?.list(params, viewerOf(source))) as
        { resources: object[]; nextCursor?: string } | undefined
      // The servers' own stand on the first page.
      if (member(params, 'cursor') !== undefined) return own ?? { resources: [] }
      const theirs = connected().flatMap(({ name, offer }) =>
        offer.resources.flatMap((item) => toResource(reach, name, item)),
      )
      return { ...own, resources: [howtoResource, ...theirs, ...(own?.resources ?? [])] }
    },
    async listResourceTemplates() {
      const own = (await stored?.listTemplates()) as { resourceTemplates: object[] } | undefined
      const theirs = connected().flatMap(({ name, offer }) =>
        offer.resourceTemplates.flatMap((item) => toTemplate(reach, name, item)),
      )
      return { resourceTemplates: [...theirs, ...(own?.resourceTemplates ?? [])] }
    },
    async readResource(params, source) {
      const address = addressOf(params)
      if (address === howtoUri) return new JsonText(JSON.stringify({ contents: [{ ...howtoResource, text: howto }] }))
      if (isOurs(address)) {
        if (stored === undefined) throw invalidParams('no results are stored here')
        return stored.read(params, viewerOf(source))
      }
      const { server, uri } = resourceAt(address)
      return pass(server, 'resources/read', { uri }, source)
    },
    async subscribe(params, source) {
      const { server, uri, address } = await watchable(params, source)
      textOf(await server.subscribe(uri, { signal: source.signal }), server.name)
      subscriptions.add({ server: server.name, uri, address })
      return {}
    },
    async unsubscribe(params, source) {
      const { server, uri, address } = await watchable(params, source)
      if (subscriptions.remove({ server: server.name, uri, address })) return {}
      textOf(await server.unsubscribe(uri, { signal: source.signal }), server.name)
      return {}
    },
  }
}

/** Every address of a stored result or of an operation begins so; no server can give one. */
const isOurs = (address: string) => address.startsWith('hubu-result:') || address.startsWith('hubu-operation:')

/** A complete copy under an address of ours. */
function toResource({ listed, labelOf }: Reach, server: string, item: Record<string, unknown>): object[] {
  if (typeof item.uri !== 'string') return []
  return [{ ...item, uri: listed.resource(server, item.uri), ...described(labelOf(server), item.description) }]
}

function toTemplate({ listed, labelOf }: Reach, server: string, item: Record<string, unknown>): object[] {
  if (typeof item.uriTemplate !== 'string') return []
  const uriTemplate = listed.template(server, item.uriTemplate)
  return [{ ...item, uriTemplate, ...described(labelOf(server), item.description) }]
}

const described = (label: string | undefined, description: unknown) =>
  label === undefined ? {} : { description: prefixed(label, description) ?? `[${label}]` }
