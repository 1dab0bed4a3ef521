import { ownership, type ToolName } from '#generated/ownership.js'
import { RouterError } from '../../errors/router-error.ts'
import type { HttpRequest } from '../http-client.ts'

/** The tools that Gongbu answers. */
export type GongbuTool = Extract<ToolName, `gongbu_${string}`>

/** Whether a text is an id that may stand in a path. */
export function isSafeId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,255}$/.test(value)
}

/**
 * The HTTP request for a Gongbu tool. `ids` fill the path's placeholders and are safe ids already; `body` is
 * the stored canonical text of a create, sent byte for byte. Throws `internal_error` for an id that is not safe.
 */
export function toGongbuRequest(tool: GongbuTool, ids: Readonly<Record<string, string>>, body?: string): HttpRequest {
  const { method, path } = ownership[tool]
  if (!method || !path) throw new RouterError('internal_error', 'The router has no such route at Gongbu.')
  const filled = path.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const id = ids[name]
    if (!isSafeId(id))
      throw new RouterError('internal_error', `The router was about to ask Gongbu for no valid ${name}.`)
    return id
  })
  if (body === undefined) return { method, path: filled }
  return { method, path: filled, headers: { 'content-type': 'application/json' }, body }
}
