// Gongbu from a script: records what it was asked and answers as the test says.
import type { GongbuClient } from '../../src/backends/gongbu/client.ts'
import { readExecution } from '../../src/backends/gongbu/response.ts'
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import { gongbuDown, gongbuWell } from '../capabilities/world.ts'
import { answer } from './scripted-hubu.ts'

type Script = () => HttpOutcome | Promise<HttpOutcome>

export class ScriptedGongbu {
  /** Bodies of creates, in order, and when each came. */
  readonly posts: string[] = []
  readonly gets: string[] = []
  readonly atMs: number[] = []
  isUp = true
  /** What is said to the next creates and reads, one each; the last is repeated. */
  onPost: Script[] = []
  onGet: Script[] = []
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  client(): GongbuClient {
    const no = () => Promise.reject(new Error('not scripted'))
    return {
      createExecution: async (body, { operationKey, executionId }) => {
        const outcome = await this.#say(this.posts, body, this.onPost)
        return readExecution(outcome, { schemaVersion: 2, operationKey, executionIds: [executionId] })
      },
      readExecution: async (executionId, bound) => {
        const outcome = await this.#say(this.gets, executionId, this.onGet)
        const key = bound && { operationKey: bound.operationKey }
        return readExecution(outcome, { schemaVersion: 1, ...key, executionIds: [executionId, bound?.executionId] })
      },
      listArtifacts: no,
      readArtifact: no,
      probe: () => Promise.resolve(this.isUp ? gongbuWell : gongbuDown),
      close: () => Promise.resolve(),
    }
  }

  #say(heard: string[], what: string, scripts: Script[]): HttpOutcome | Promise<HttpOutcome> {
    heard.push(what)
    this.atMs.push(this.#nowMs())
    const [next] = scripts.length > 1 ? scripts.splice(0, 1) : scripts
    return next === undefined ? { kind: 'no_answer' } : next()
  }
}

/** An ordinary execution. */
export function execution(version: 1 | 2, status: string, key: string, more: object = {}): HttpOutcome {
  return answer({
    schema_version: version,
    execution_id: 'exec-1',
    operation_key: key,
    status,
    outcome: status === 'succeeded' ? 'gongbu-marker' : null,
    failure: null,
    authorization: { amount_minor: 25, currency: 'USD' },
    created_at: '2026-08-25T00:00:00Z',
    updated_at: '2026-08-25T00:00:00Z',
    started_at: null,
    completed_at: null,
    ...more,
  })
}

/** A refusal of Gongbu. */
export function refusal(status: number, error: object, schemaVersion = 2): HttpOutcome {
  return answer({ schema_version: schemaVersion, error: { message: 'private detail', ...error } }, status)
}
