// Hubu from a script: records what it was asked and answers as the test says, by default with an allowance.
import type { HttpOutcome } from '../../src/backends/http-client.ts'
import type { HubuClient } from '../../src/backends/hubu/client.ts'
import { readHubuReply } from '../../src/backends/hubu/response.ts'
import { hubuDown, hubuWell } from '../capabilities/world.ts'

/** One spend as it arrived. */
export interface SpendPost {
  path: string
  body: Record<string, unknown>
}

type Script = (post: SpendPost) => HttpOutcome | Promise<HttpOutcome>

export class ScriptedHubu {
  readonly posts: SpendPost[] = []
  isUp = true
  /** What is said to the next posts, one each; then the default. */
  readonly next: Script[] = []
  readonly #tokens = new Map<string, string>()

  /** The private keys that were seen, in order. */
  get keys(): string[] {
    return this.posts.map(({ body }) => String(body.operation_key))
  }

  /** An allowance with a token of its own for each key. */
  readonly allow: Script = ({ path, body }) => {
    const key = String(body.operation_key)
    if (!this.#tokens.has(key)) this.#tokens.set(key, path === '/spend' ? 'tok-s' : `tok-${this.#tokens.size + 1}`)
    return answer({
      decision: 'allow',
      decision_id: 'dec-1',
      auth_token_id: this.#tokens.get(key),
      authorization_expires_at: '2099-01-01T00:00:00Z',
      operation_key: key,
      task_id: body.task_id,
    })
  }

  /** The port of one router process. */
  client(): HubuClient {
    return {
      send: async (request) => {
        const post = { path: request.path, body: JSON.parse(request.body ?? '{}') as Record<string, unknown> }
        this.posts.push(post)
        return readHubuReply(request.method, await (this.next.shift() ?? this.allow)(post))
      },
      probe: () => Promise.resolve(this.isUp ? hubuWell : hubuDown),
      close: () => Promise.resolve(),
    }
  }
}

/** A complete JSON answer. */
export function answer(value: unknown, status = 200): HttpOutcome {
  return text(JSON.stringify(value), status)
}

/** A complete answer of any text. */
export function text(body: string, status = 200, contentType = 'application/json'): HttpOutcome {
  return { kind: 'answer', status, contentType, body: Buffer.from(body) }
}
