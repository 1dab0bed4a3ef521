// Hubu as a person sees it: who it is now, one question at a time for each purpose, and words for why there is no answer.
import { createHttpClient, type HttpClient } from '../../backends/http-client.ts'
import { readHubuReply, type HubuReply } from '../../backends/hubu/response.ts'
import { withWrittenNumbers } from '../../json/written-number.ts'
import type { Secret } from '../../redaction/secret.ts'
import type { Off } from '../views/words.ts'

/** One Hubu, and as whom it is asked. */
export interface HubuAccess {
  endpoint: URL
  bearer: Secret
  /** Decides about spends; undefined where nobody gave one, or where nothing is to be decided. */
  capability: Secret | undefined
}

/** Finds Hubu anew, since a sandbox that ends and comes back has other ports and tokens. */
export type FindHubu = () => HubuAccess | Off

/** An answer, or why there is none. Numbers that JavaScript would round are kept as they are written. */
export type HubuAnswer =
  { kind: 'answer'; value: unknown } | { kind: 'off'; off: Off } | { kind: 'refused'; status: number; text: string }

/** What a decision came to: Hubu's reply, or that nobody could be asked. */
export type Sent = HubuReply | { kind: 'off'; off: Off }

/** Asks Hubu. Nothing is asked twice at once, and nothing by itself. */
export interface HubuDesk {
  get(path: string): Promise<HubuAnswer>
  /** Sends a decision, once. */
  post(path: string, body: object): Promise<Sent>
  canDecide(): boolean
  /** The part as it was when it was asked last. */
  state(): 'ready' | Off['code']
  /** Everything secret about it, for whoever hides it. */
  secrets(): Secret[]
  close(): Promise<void>
}

const maxBytes = 16 * 1024 * 1024
const deadlineMs = 10_000
const connectMs = 1500

export function openDesk(find: FindHubu, words: { away: Off; refused: Off }): HubuDesk {
  let current: { access: HubuAccess; http: HttpClient; mark: string } | undefined
  let state: 'ready' | Off['code'] = words.away.code
  /** The bearer was refused; nothing is asked before the settings are others. */
  let refusedMark: string | undefined
  const underWay = new Map<string, Promise<HubuAnswer>>()
  const everSecret = new Map<string, Secret>()

  function open(): { access: HubuAccess; http: HttpClient; mark: string } | Off {
    const access = find()
    if ('state' in access) return access
    const { endpoint, bearer, capability } = access
    const mark = `${endpoint.href} ${bearer.reveal()} ${capability?.reveal() ?? ''}`
    if (current?.mark !== mark) {
      void current?.http.close()
      const http = createHttpClient({ endpoint, bearer, connectTimeoutMs: connectMs, totalTimeoutMs: deadlineMs })
      current = { access, http, mark }
      for (const secret of [bearer, capability]) if (secret !== undefined) everSecret.set(secret.reveal(), secret)
    }
    return current
  }

  async function ask(path: string): Promise<HubuAnswer> {
    const opened = open()
    if ('state' in opened) return off(opened)
    if (opened.mark === refusedMark) return off(words.refused)
    const reply = readHubuReply('GET', await opened.http.send({ method: 'GET', path }, { maxBytes }))
    switch (reply.kind) {
      case 'success':
        state = 'ready'
        return { kind: 'answer', value: withWrittenNumbers(reply) }
      case 'application_error':
        if (reply.status === 401 || reply.status === 403) {
          refusedMark = opened.mark
          return off(words.refused)
        }
        return { kind: 'refused', status: reply.status, text: reply.errorText ?? '' }
      case 'invalid_response':
      case 'ambiguous':
        return off(incompatible)
      case 'unavailable':
      case 'cancelled':
        return off(words.away)
    }
  }

  function off(why: Off): HubuAnswer {
    state = why.code
    return { kind: 'off', off: why }
  }

  return {
    get(path) {
      const known = underWay.get(path)
      if (known !== undefined) return known
      const asked = ask(path).finally(() => underWay.delete(path))
      underWay.set(path, asked)
      return asked
    },
    async post(path, body) {
      const opened = open()
      if ('state' in opened) return { kind: 'off', off: opened }
      const headers = {
        'content-type': 'application/json',
        'x-hubu-approval-capability': opened.access.capability?.reveal() ?? '',
      }
      const request = { method: 'POST', path, headers, body: JSON.stringify(body) } as const
      return readHubuReply('POST', await opened.http.send(request, { maxBytes }))
    },
    canDecide: () => {
      const access = find()
      return !('state' in access) && access.capability !== undefined
    },
    state: () => state,
    secrets: () => [...everSecret.values()],
    close: async () => current?.http.close(),
  }
}

/** Hubu answers in a form that this release does not know. */
export const incompatible: Off = {
  state: 'off',
  code: 'incompatible',
  message: 'Hubu answers in a form that this release does not know.',
  remedy: 'Install both from one release.',
}

/** Hubu has no such list. */
export const notOffered: Off = {
  state: 'off',
  code: 'not_offered',
  message: 'This Hubu does not list its history.',
  remedy: 'Install a Hubu of this release; requests can be decided by their ids all the same.',
}
