// How mounted servers are reached for what is no tool call: by an address of ours or by a prompt's public name.
import { JsonText } from '../answers/json-text.ts'
import { invalidParams } from '../answers/refusals.ts'
import type { MountedServer } from '../downstream/mounted-server.ts'
import type { Mounts } from '../downstream/mounts.ts'
import type { Offer } from '../downstream/offer.ts'
import type { CallOutcome, CallRefusal, AnsweredCall } from '../downstream/outcome.ts'
import { RelayedError } from '../errors/relayed-error.ts'
import { RouterError } from '../errors/router-error.ts'
import { member } from '../json/read.ts'
import { addressScheme, parseAddress, resourceAddress, templateAddress } from '../names/resource-address.ts'
import { splitName } from '../names/short-name.ts'
import { WireError } from '../wire/wire-error.ts'
import { endOf, type CallsUnderWay } from './calls-under-way.ts'
import { addressesIn, pagesIn, type GivenAddresses } from './given-addresses.ts'
import type { RequestSource } from './offer-requests.ts'
import { toldOfClient, withAnswers } from './rounds.ts'

/** A server's resource under its own uri, and the address by which the client asked for it. */
export interface ReachedResource {
  server: MountedServer
  uri: string
  address: string
}

/** The servers in scope. */
export interface Reach {
  connected(): MountedServer[]
  /** Waits while a server is first being connected. */
  settled(server: MountedServer, source: RequestSource): Promise<void>
  /** Passes one request on; the answer is the server's own text. */
  pass(server: MountedServer, method: string, params: object, source: RequestSource): Promise<JsonText>
  /** The resource behind an address of ours, or behind one of a server's own that it gave the client or lists. */
  resourceAt(address: string): ReachedResource
  /** The server and its own name behind a prompt's public name. */
  promptNamed(name: unknown): { server: MountedServer; name: string }
  /** What stands before a server's names and texts; undefined where they are its own. */
  labelOf(server: string): string | undefined
  /** Whether there is a server whose addresses are its own. */
  hasBare(): boolean
  /** The address under which a server's resource is listed, and that of a template. */
  listed: { resource(server: string, uri: string): string; template(server: string, uriTemplate: string): string }
}

/** `isInScope` says of which servers the agent may see everything; of others it reads what their tools gave it. */
export function createReach(
  mounts: Mounts,
  given: GivenAddresses,
  underWay: CallsUnderWay,
  isInScope: (server: string) => boolean,
): Reach {
  const connected = () =>
    mounts
      .servers()
      .flatMap(({ name, isConnected }) => (isConnected && isInScope(name) ? (mounts.server(name) ?? []) : []))

  /** Whoever gave the address last, or else who lists it. */
  const giverOf = (address: string): string | undefined => {
    const known = given.serverOf(address)
    if (known !== undefined) return known
    // An address that nobody lists may still be one of the server whose addresses are its own.
    return connected().find(({ offer }) => lists(offer, address))?.name ?? mounts.bare
  }

  return {
    connected,
    labelOf: (server) => mounts.labelOf(server),
    hasBare: () => mounts.bare !== undefined,
    listed: {
      resource: (server, uri) => (server === mounts.bare ? uri : resourceAddress(server, uri)),
      template: (server, uriTemplate) => (server === mounts.bare ? uriTemplate : templateAddress(server, uriTemplate)),
    },
    settled: (server, { signal }) => mounts.whenPublished(server.name, signal),
    async pass(server, method, params, source) {
      await mounts.whenPublished(server.name, source.signal)
      const ask = underWay.askerOf(source, server.name)
      const how = { signal: endOf(source), onProgress: source.relayProgress, client: toldOfClient(source, ask) }
      const send = (retry: AnsweredCall | undefined) =>
        server.exchange(method, { ...params }, { ...how, ...(retry && { retry }) })
      const outcome = await underWay.during(server.name, source, () =>
        withAnswers(send, { label: mounts.labelOf(server.name), ask, source, signals: [endOf(source)] }),
      )
      if (outcome.kind === 'asked_in_vain' && outcome.isIncapable)
        throw new WireError(-32603, `Server "${server.name}" refused: ${outcome.why}.`, {
          code: 'client_capability_missing',
        })
      if (outcome.kind === 'asked_in_vain') throw unavailable(`server "${server.name}" refused: ${outcome.why}`)
      if (outcome.kind === 'result') given.note(server.name, addressesIn(outcome.value))
      return new JsonText(textOf(outcome, server.name))
    },
    resourceAt(address) {
      const isOurs = address.startsWith(addressScheme)
      const parts = isOurs ? parseAddress(address) : { server: giverOf(address) ?? '', uri: address }
      const isShown = parts !== undefined && (isInScope(parts.server) || given.serverOf(parts.uri) === parts.server)
      const server = isShown ? mounts.server(parts.server) : undefined
      if (parts === undefined || server === undefined)
        throw invalidParams('no mounted server in scope has this resource')
      return { server, uri: parts.uri, address }
    },
    promptNamed(name) {
      if (typeof name !== 'string') throw invalidParams('name must be the name of a prompt')
      const named = splitName('', name, mounts.bare)
      const server = named.server === '' || !isInScope(named.server) ? undefined : mounts.server(named.server)
      if (server === undefined) throw invalidParams('no mounted server in scope has this prompt')
      return { server, name: named.tool }
    },
  }
}

/** Whether a server shows this address: as a resource, as the page of a tool, or as a template with another ending. */
function lists({ resources, resourceTemplates, tools }: Offer, address: string): boolean {
  const begins = ({ uriTemplate }: Record<string, unknown>) => {
    const fixed = typeof uriTemplate === 'string' ? uriTemplate.split('{', 1).join() : ''
    return fixed.includes(':') && address.startsWith(fixed)
  }
  return (
    resources.some(({ uri }) => uri === address) ||
    tools.some(({ listed }) => pagesIn(listed._meta).includes(address)) ||
    resourceTemplates.some(begins)
  )
}

/** The address that a request names. Throws `params_invalid` when it names none. */
export function addressOf(params: unknown): string {
  const uri = member(params, 'uri')
  if (typeof uri !== 'string') throw invalidParams('uri must be the address of a resource')
  return uri
}

/** A description with the label of its server before it; undefined when there is none. */
export function prefixed(label: string, description: unknown): string | undefined {
  return typeof description === 'string' && description !== '' ? `[${label}] ${description}` : undefined
}

/** The text of a server's answer. Throws its error, or that there is none. */
export function textOf(outcome: CallOutcome | CallRefusal, server: string): string {
  switch (outcome.kind) {
    case 'result':
      return outcome.json
    case 'error':
      throw new RelayedError(outcome)
    case 'connecting':
      throw unavailable(`server "${server}" is still connecting`)
    case 'disconnected':
      throw unavailable(`server "${server}" is not connected: ${outcome.error}`)
    case 'refused':
      throw unavailable(`server "${server}" refused: ${outcome.reason}`)
    case 'not_sent':
    case 'unknown':
      throw unavailable(`server "${server}" did not answer`)
  }
}

function unavailable(what: string): RouterError {
  return new RouterError('internal_error', `The resource or prompt cannot be had now: ${what}. Try again later.`)
}
