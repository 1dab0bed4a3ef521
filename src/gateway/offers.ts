// Resources and prompts of mounted servers under names of ours.
import { invalidParams } from '../answers/refusals.ts'
import { member } from '../json/read.ts'
import type { CallOutcome, CallRefusal } from '../downstream/outcome.ts'
import type { MountedServer } from '../downstream/mounted-server.ts'
import type { Mounts } from '../downstream/mounts.ts'
import { RelayedError } from '../errors/relayed-error.ts'
import { RouterError } from '../errors/router-error.ts'
import { howto } from './howto.ts'
import { addressScheme, parseAddress, resourceAddress, templateAddress } from '../names/resource-address.ts'
import { JsonText } from '../answers/json-text.ts'
import type { CallSource } from '../calls/handle-call.ts'
import type { ResourceRequests } from '../calls/resource-requests.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Answers to the requests about resources and prompts. They throw RouterError. */
export interface OfferRequests {
  listResources(params: unknown): Promise<object>
  listResourceTemplates(): Promise<object>
  readResource(params: unknown, source: OfferSource): Promise<JsonText>
  subscribe(params: unknown, source: OfferSource): Promise<object>
  unsubscribe(params: unknown, source: OfferSource): Promise<object>
  /** Proposals for an argument; none where the server has none to make. */
  complete(params: unknown, source: OfferSource): Promise<JsonText>
  listPrompts(): object
  getPrompt(params: unknown, source: OfferSource): Promise<JsonText>
}

type OfferSource = Pick<CallSource, 'signal' | 'relayProgress'>

const howtoUri = `${addressScheme}howto`
const howtoResource = { uri: howtoUri, name: 'howto', title: 'How to use this gateway', mimeType: 'text/markdown' }
const noProposals = new JsonText('{"completion":{"values":[]}}')

/** What answering needs. */
export interface OfferOptions {
  mounts: Mounts
  /** Answers for the results that are kept; undefined when none are. */
  stored: ResourceRequests | undefined
  subscriptions: Subscriptions
}

export function createOfferRequests({ mounts, stored, subscriptions }: OfferOptions): OfferRequests {
  const connected = () =>
    mounts.servers().flatMap(({ name, isConnected }) => (isConnected ? (mounts.server(name) ?? []) : []))

  async function pass(server: MountedServer, method: string, params: Record<string, unknown>, source: OfferSource) {
    await mounts.whenPublished(server.name, source.signal)
    const outcome = await server.exchange(method, params, { signal: source.signal, onProgress: source.relayProgress })
    return new JsonText(textOf(outcome, server.name))
  }

  /** The server in scope and its own uri behind an address of ours. */
  function resourceAt(address: string): { server: MountedServer; uri: string; address: string } {
    const parts = parseAddress(address)
    const server = parts && mounts.server(parts.server)
    if (parts === undefined || server === undefined) throw invalidParams('no mounted server in scope has this resource')
    return { server, uri: parts.uri, address }
  }

  /** The server in scope and its own name behind a prompt's public name. */
  function promptNamed(name: unknown): { server: MountedServer; name: string } {
    if (typeof name !== 'string') throw invalidParams('name must be the name of a prompt')
    const at = name.indexOf('__')
    const server = at < 1 ? undefined : mounts.server(name.slice(0, at))
    if (server === undefined) throw invalidParams('no mounted server in scope has this prompt')
    return { server, name: name.slice(at + 2) }
  }

  /** A resource that can be watched. */
  async function watchable(params: unknown, { signal }: OfferSource) {
    const address = addressOf(params)
    if (address === howtoUri || !address.startsWith(addressScheme))
      throw invalidParams('this resource never changes, so it cannot be subscribed to')
    const found = resourceAt(address)
    await mounts.whenPublished(found.server.name, signal)
    if (found.server.state.kind === 'connected' && found.server.capabilities.resources?.subscribe !== true)
      throw invalidParams(`server "${found.server.name}" does not tell when its resources change`)
    return found
  }

  return {
    async listResources(params) {
      const own = (await stored?.list(params)) as { resources: object[]; nextCursor?: string } | undefined
      // The servers' own stand on the first page.
      if (member(params, 'cursor') !== undefined) return own ?? { resources: [] }
      const theirs = connected().flatMap(({ name, offer }) => offer.resources.flatMap((item) => toResource(name, item)))
      return { ...own, resources: [howtoResource, ...theirs, ...(own?.resources ?? [])] }
    },
    async listResourceTemplates() {
      const own = (await stored?.listTemplates()) as { resourceTemplates: object[] } | undefined
      const theirs = connected().flatMap(({ name, offer }) =>
        offer.resourceTemplates.flatMap((item) => toTemplate(name, item)),
      )
      return { resourceTemplates: [...theirs, ...(own?.resourceTemplates ?? [])] }
    },
    async readResource(params, source) {
      const address = addressOf(params)
      if (address === howtoUri) return new JsonText(JSON.stringify({ contents: [{ ...howtoResource, text: howto }] }))
      if (!address.startsWith(addressScheme)) {
        if (stored === undefined) throw invalidParams('no resource has this uri')
        return stored.read(params)
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
    async complete(params, source) {
      const ref = member(params, 'ref')
      const [argument, context] = [member(params, 'argument'), member(params, 'context')]
      const ask = async (server: MountedServer, own: object) => {
        await mounts.whenPublished(server.name, source.signal)
        if (server.state.kind === 'connected' && server.capabilities.completions === undefined) return noProposals
        return pass(
          server,
          'completion/complete',
          { ref: own, argument, ...(context !== undefined && { context }) },
          source,
        )
      }
      switch (member(ref, 'type')) {
        case 'ref/prompt': {
          const { server, name } = promptNamed(member(ref, 'name'))
          return ask(server, { type: 'ref/prompt', name })
        }
        case 'ref/resource': {
          const address = addressOf(ref)
          if (!address.startsWith(addressScheme)) return noProposals
          const { server, uri } = resourceAt(address)
          return ask(server, { type: 'ref/resource', uri })
        }
        default:
          throw invalidParams('ref must be a ref/prompt or a ref/resource')
      }
    },
    listPrompts: () => ({
      prompts: connected().flatMap(({ name, offer }) => offer.prompts.flatMap((item) => toPrompt(name, item))),
    }),
    async getPrompt(params, source) {
      const { server, name } = promptNamed(member(params, 'name'))
      const args = member(params, 'arguments')
      return pass(server, 'prompts/get', { name, ...(args !== undefined && { arguments: args }) }, source)
    },
  }
}

/** A complete copy under an address of ours. */
function toResource(server: string, item: Record<string, unknown>): object[] {
  if (typeof item.uri !== 'string') return []
  return [{ ...item, uri: resourceAddress(server, item.uri), description: described(server, item.description) }]
}

function toTemplate(server: string, item: Record<string, unknown>): object[] {
  if (typeof item.uriTemplate !== 'string') return []
  const uriTemplate = templateAddress(server, item.uriTemplate)
  return [{ ...item, uriTemplate, description: described(server, item.description) }]
}

function toPrompt(server: string, item: Record<string, unknown>): object[] {
  if (typeof item.name !== 'string') return []
  const description = prefixed(server, item.description)
  return [{ ...item, name: `${server}__${item.name}`, ...(description !== undefined && { description }) }]
}

function prefixed(server: string, description: unknown): string | undefined {
  return typeof description === 'string' && description !== '' ? `[${server}] ${description}` : undefined
}

const described = (server: string, description: unknown) => prefixed(server, description) ?? `[${server}]`

function addressOf(params: unknown): string {
  const uri = member(params, 'uri')
  if (typeof uri !== 'string') throw invalidParams('uri must be the address of a resource')
  return uri
}

function textOf(outcome: CallOutcome | CallRefusal, server: string): string {
  switch (outcome.kind) {
    case 'result':
      return outcome.json
    case 'error':
      throw new RelayedError(outcome)
    case 'connecting':
      throw unavailable(`server "${server}" is still connecting`)
    case 'disconnected':
      throw unavailable(`server "${server}" is not connected: ${outcome.error}`)
    case 'not_sent':
    case 'unknown':
      throw unavailable(`server "${server}" did not answer`)
  }
}

function unavailable(what: string): RouterError {
  return new RouterError('internal_error', `The resource or prompt cannot be had now: ${what}. Try again later.`)
}
