// Answers that nobody can use, and refusals that say nothing about what was done.
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { toOutcome, type Answer } from './answer.ts'
import type { Random } from './random.ts'

/** A bearer that must never be seen by an agent. */
export const bearerCanary = 'bearer-canary-5d1f'

/** The backend acted; this is what reaches the router of its answer. */
export function garble(answer: Answer, backend: 'hubu' | 'gongbu', random: Random): HttpOutcome {
  const { status, contentType, body } = answer
  const instead = (text: string, code = 200, type = 'application/json') =>
    toOutcome({ status: code, contentType: type, body: text })
  const parsed = JSON.parse(body) as Record<string, unknown>
  const any: (() => HttpOutcome)[] = [
    () => ({ kind: 'cut', status, contentType }),
    () => ({ kind: 'too_large', status, contentType }),
    () => instead(body.slice(0, random.between(0, body.length - 1))),
    () => instead('', 204),
    () => instead('<html>bad gateway</html>', 502, 'text/html'),
    () => instead('<html>welcome</html>', 200, 'text/html'),
    () => instead('null'),
    () => instead('{}'),
    () => instead('[]'),
    () => instead('{"error":"down"}', 500),
  ]
  const hubuOnly: (() => HttpOutcome)[] = [
    () => instead(JSON.stringify({ ...parsed, decision: 'maybe' })),
    () => instead(JSON.stringify({ ...parsed, auth_token_id: 7 })),
    () => instead(JSON.stringify({ ...parsed, [`note ${String(parsed.operation_key)}`]: 1 })),
    () => instead(JSON.stringify({ error: `failed on ${String(parsed.operation_key)} ${bearerCanary}` }), 500),
  ]
  const gongbuOnly: (() => HttpOutcome)[] = [
    () => instead(JSON.stringify({ ...parsed, status: 'dreaming' })),
    () => instead(JSON.stringify({ ...parsed, authorization: null })),
    () => instead(JSON.stringify({ ...parsed, schema_version: 9 })),
  ]
  return random.pick([...any, ...(backend === 'hubu' ? hubuOnly : gongbuOnly)])()
}

/** A refusal of somebody in front of the backend, which never saw the request. */
export function refusalBeforeActing(backend: 'hubu' | 'gongbu', random: Random): Answer {
  const status = random.pick(backend === 'hubu' ? [400, 401, 403, 409, 429, 500, 503] : [408, 425, 429, 500, 503])
  const error = backend === 'hubu' ? `no ${bearerCanary}` : { code: 'busy', message: bearerCanary }
  return { status, contentType: 'application/json', body: JSON.stringify({ schema_version: 2, error }) }
}
