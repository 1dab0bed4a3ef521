// The requests about resources, as far as they are stored results.
import { invalidParams } from '../answers/refusals.ts'
import { member } from '../json/read.ts'
import { RouterError } from '../errors/router-error.ts'
import { JsonText } from '../answers/json-text.ts'
import type { Results, ResultViewer } from '../results/results.ts'
import type { Clock } from '../timing/clock.ts'

/** The part of the results that can be read as resources. */
export type ReadableResults = Pick<Results, 'listResources' | 'listResourceTemplates' | 'readResource'>

/** Answers to resources/list, resources/templates/list and resources/read, of what a viewer may see. They throw RouterError. */
export interface ResourceRequests {
  list(params: unknown, viewer: ResultViewer): Promise<object>
  listTemplates(): Promise<object>
  read(params: unknown, viewer: ResultViewer): Promise<JsonText>
}

/** `load` gives the results when the first request comes. */
export function createResourceRequests(
  load: () => Promise<ReadableResults>,
  clock: Pick<Clock, 'nowMs'>,
): ResourceRequests {
  return {
    async list(params, viewer) {
      const cursor = member(params, 'cursor')
      if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('cursor must be a text')
      const results = await load()
      const list = await results.listResources(viewer, cursor).catch(unreadable)
      if (list === undefined) throw invalidParams('cursor must be a nextCursor of an earlier list')
      return list
    },
    async listTemplates() {
      return (await load()).listResourceTemplates()
    },
    async read(params, viewer) {
      const uri = member(params, 'uri')
      if (typeof uri !== 'string') throw invalidParams('uri must be the address of a resource')
      const results = await load()
      const reading = await results.readResource(uri, viewer).catch(unreadable)
      switch (reading.kind) {
        case 'contents':
          return new JsonText(reading.json, lifeOf(reading.expiresAtMs - clock.nowMs()))
        case 'unknown':
          throw invalidParams(
            'no resource has this uri. Stored results are kept for 24 hours; call the original tool again',
          )
        case 'out_of_scope':
          throw invalidParams('this result is out of scope: it comes from a tool that this agent may not use')
        case 'too_large':
          throw invalidParams('this result is too large to be read at once; page it with get_result')
      }
    },
  }
}

/** A result never changes; it goes. */
const lifeOf = (leftMs: number) => Math.max(0, Math.min(Math.floor(leftMs), longestTtlMs))
const longestTtlMs = 3_600_000

function unreadable(cause: unknown): never {
  throw new RouterError('internal_error', 'Stored results cannot be read now. Try again later.', { cause })
}
