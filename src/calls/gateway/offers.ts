// Resources and prompts of mounted servers under names of ours (M 1.8).
import type { CallOutcome } from '../../downstream/connection.ts'
import type { CallRefusal, MountedServer } from '../../downstream/mounted-server.ts'
import type { Mounts } from '../../downstream/mounts.ts'
import { RelayedError } from '../../errors/relayed-error.ts'
import { RouterError } from '../../errors/router-error.ts'
import { howto } from '../../lazy/howto.ts'
import type { JsonResult } from '../finish-call.ts'
import type { CallSource } from '../handle-call.ts'
import type { ResourceRequests } from '../resource-requests.ts'

/** Answers to the requests about resources and prompts. They throw RouterError. */
export interface OfferRequests {
  listResources(params: unknown): Promise<object>
  listResourceTemplates(): Promise<object>
  readResource(params: unknown, source: OfferSource): Promise<JsonResult>
  listPrompts(): object
  getPrompt(params: unknown, source: OfferSource): Promise<JsonResult>
}

type OfferSource = Pick<CallSource, 'signal' | 'relayProgress'>

const scheme = 'mcphub://'
const howtoUri = `${scheme}howto`
const howtoResource = { uri: howtoUri, name: 'howto', title: 'How to use this gateway', mimeType: 'text/markdown' }

/** `stored` answers for the results that are kept; undefined when none are. */
export function createOfferRequests(mounts: Mounts, stored: ResourceRequests | undefined): OfferRequests {
  const connected = () =>
    mounts.servers().flatMap(({ name, isConnected }) => (isConnected ? (mounts.server(name) ?? []) : []))

  async function pass(server: MountedServer, method: string, params: Record<string, unknown>, source: OfferSource) {
    const outcome = await server.exchange(method, params, { signal: source.signal, onProgress: source.relayProgress })
    return { json: textOf(outcome, server.name) }
  }

  return {
    async listResources(params) {
      const own = (await stored?.list(params)) as { resources: object[]; nextCursor?: string } | undefined
      // The servers' own stand on the first page.
      if (memberOf(params, 'cursor') !== undefined) return own ?? { resources: [] }
      const theirs = connected().flatMap(({ name, offer }) => offer.resources.flatMap((item) => toResource(name, item)))
      return { ...own, resources: [howtoResource, ...theirs, ...(own?.resources ?? [])] }
    },
    listResourceTemplates: async () => (await stored?.listTemplates()) ?? { resourceTemplates: [] },
    async readResource(params, source) {
      const uri = memberOf(params, 'uri')
      if (typeof uri !== 'string') throw invalid('uri must be the address of a resource')
      if (uri === howtoUri) return { json: JSON.stringify({ contents: [{ ...howtoResource, text: howto }] }) }
      if (!uri.startsWith(scheme)) {
        if (stored === undefined) throw invalid('no resource has this uri')
        return stored.read(params)
      }
      const parts = partsOf(uri)
      const server = parts && mounts.server(parts.server)
      if (parts === undefined || server === undefined) throw invalid('no mounted server in scope has this resource')
      return pass(server, 'resources/read', { uri: parts.uri }, source)
    },
    listPrompts: () => ({
      prompts: connected().flatMap(({ name, offer }) => offer.prompts.flatMap((item) => toPrompt(name, item))),
    }),
    async getPrompt(params, source) {
      const name = memberOf(params, 'name')
      if (typeof name !== 'string') throw invalid('name must be the name of a prompt')
      const at = name.indexOf('__')
      const server = at < 1 ? undefined : mounts.server(name.slice(0, at))
      if (server === undefined) throw invalid('no mounted server in scope has this prompt')
      const args = memberOf(params, 'arguments')
      return pass(
        server,
        'prompts/get',
        { name: name.slice(at + 2), ...(args !== undefined && { arguments: args }) },
        source,
      )
    },
  }
}

/** A complete copy under an address of ours. */
function toResource(server: string, item: Record<string, unknown>): object[] {
  if (typeof item.uri !== 'string') return []
  const uri = `${scheme}${encodeURIComponent(server)}/${encodeURIComponent(item.uri.toWellFormed())}`
  return [{ ...item, uri, description: prefixed(server, item.description) ?? `[${server}]` }]
}

function toPrompt(server: string, item: Record<string, unknown>): object[] {
  if (typeof item.name !== 'string') return []
  const description = prefixed(server, item.description)
  return [{ ...item, name: `${server}__${item.name}`, ...(description !== undefined && { description }) }]
}

function prefixed(server: string, description: unknown): string | undefined {
  return typeof description === 'string' && description !== '' ? `[${server}] ${description}` : undefined
}

function partsOf(uri: string): { server: string; uri: string } | undefined {
  const [server, rest, more] = uri.slice(scheme.length).split('/')
  if (server === undefined || rest === undefined || more !== undefined) return undefined
  try {
    return { server: decodeURIComponent(server), uri: decodeURIComponent(rest) }
  } catch {
    return undefined
  }
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

function memberOf(params: unknown, name: string): unknown {
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return undefined
  return (params as Record<string, unknown>)[name]
}

function invalid(what: string): RouterError {
  return new RouterError('params_invalid', `Invalid params: ${what}.`)
}

function unavailable(what: string): RouterError {
  return new RouterError('internal_error', `The resource or prompt cannot be had now: ${what}. Try again later.`)
}
