import { createHttpClient, type HttpClientOptions } from '../backends/http-client.ts'
import { failure, ok, warning, type Finding } from './finding.ts'

/** A read that each backend answers to whoever has its bearer; nothing is shown of the answer. */
const reads = {
  hubu: { path: '/users', granted: 200 },
  // Nobody's execution: it is looked for only behind the bearer.
  gongbu: { path: '/v1/executions/00000000-0000-0000-0000-000000000000', granted: 404 },
} as const

/** Whether a backend takes the bearer, by one read. Undefined while it cannot be asked: then its own finding says why. */
export async function checkBearer(
  backend: keyof typeof reads,
  options: HttpClientOptions | undefined,
): Promise<Finding | undefined> {
  if (options === undefined) return undefined
  const { path, granted } = reads[backend]
  const http = createHttpClient(options)
  try {
    const outcome = await http.send({ method: 'GET', path }, { maxBytes: 1024 * 1024 })
    if (!('status' in outcome)) return undefined
    const check = `${backend} bearer`
    switch (outcome.status) {
      case granted:
        return ok(check, 'is accepted')
      case 401:
        return failure(
          check,
          `is refused: the token that is set is not the one of this ${nameOf(backend)}`,
          `Set the token with which ${nameOf(backend)} was started. Calls behind it fail until then, also after money was held.`,
        )
      default:
        return warning(
          check,
          `could not be tried: ${nameOf(backend)} answered a read with status ${outcome.status}`,
          'Look at its own log, and whether the endpoint is right.',
        )
    }
  } finally {
    await http.close()
  }
}

const nameOf = (backend: keyof typeof reads): string => (backend === 'hubu' ? 'Hubu' : 'Gongbu')
