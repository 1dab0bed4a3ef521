// The requests about resources, as far as they are stored results (DESIGN 5, 11).
import { RouterError } from '../errors/router-error.ts'
import type { Results } from '../results/results.ts'
import type { JsonResult } from './finish-call.ts'

/** What these requests need of the results. */
export type ReadableResults = Pick<Results, 'listResources' | 'listResourceTemplates' | 'readResource'>

/** Answers to resources/list, resources/templates/list and resources/read. They throw RouterError. */
export interface ResourceRequests {
  list(params: unknown): Promise<object>
  listTemplates(): Promise<object>
  read(params: unknown): Promise<JsonResult>
}

/** `load` gives the results when the first request comes. */
export function createResourceRequests(load: () => Promise<ReadableResults>): ResourceRequests {
  return {
    async list(params) {
      const cursor = memberOf(params, 'cursor')
      if (cursor !== undefined && typeof cursor !== 'string') throw invalid('cursor must be a text')
      const results = await load()
      const list = await results.listResources(cursor).catch(unreadable)
      if (list === undefined) throw invalid('cursor must be a nextCursor of an earlier list')
      return list
    },
    async listTemplates() {
      return (await load()).listResourceTemplates()
    },
    async read(params) {
      const uri = memberOf(params, 'uri')
      if (typeof uri !== 'string') throw invalid('uri must be the address of a resource')
      const results = await load()
      const reading = await results.readResource(uri).catch(unreadable)
      switch (reading.kind) {
        case 'contents':
          return { json: reading.json }
        case 'unknown':
          throw invalid('no resource has this uri. Stored results are kept for 24 hours; call the original tool again')
        case 'out_of_scope':
          throw invalid('this result is out of scope: it comes from a tool that this agent may not use')
        case 'too_large':
          throw invalid('this result is too large to be read at once; page it with get_result')
      }
    },
  }
}

function memberOf(params: unknown, name: string): unknown {
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return undefined
  return (params as Record<string, unknown>)[name]
}

function invalid(what: string): RouterError {
  return new RouterError('params_invalid', `Invalid params: ${what}.`)
}

function unreadable(cause: unknown): never {
  throw new RouterError('internal_error', 'Stored results cannot be read now. Try again later.', { cause })
}
