// From a request to its route and back.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hidePrivateKeys } from '../../redaction/private-operation.ts'
import { kindOfFault } from '../../redaction/log.ts'
import { redactSecrets } from '../../redaction/replace.ts'
import type { StudioRooms } from '../routes/rooms.ts'
import type { StudioAnswer } from '../routes/route.ts'
import { findRoute, methodsOf } from '../routes/route-table.ts'
import { cookiesNamed } from '../session/sessions.ts'
import { admit, type Admitted, type KnownPath } from './admit.ts'
import { answerWhole, errorAnswerOf, jsonType } from './answer.ts'
import type { PageFiles } from './assets.ts'
import { readStudioBody, readBodyBytes } from './body.ts'
import { StudioError } from './error-codes.ts'
import type { TakeRequest } from './listener.ts'
import { readQuery } from './query.ts'

/** Answers every request of a studio. */
export function createDispatch(rooms: StudioRooms, files: PageFiles): TakeRequest {
  const find = (path: string): KnownPath | undefined => {
    if (files.has(path)) return { methods: ['GET'], kind: path === '/' ? 'page' : 'asset' }
    const methods = methodsOf(path)
    return methods.length === 0 ? undefined : { methods, kind: 'api' }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders } = request
    const origin = rooms.origin()
    const own = { origin, host: origin.slice('http://'.length) }
    const verdict = admit({ method, target: url, rawHeaders }, own, find)
    const isApi = url.startsWith('/api/')
    if (verdict.kind === 'refused') {
      const headers: Record<string, string> = verdict.allow === undefined ? {} : { Allow: verdict.allow }
      const error = new StudioError(verdict.code, { headers })
      return answerWhole(response, { ...errorAnswerOf(error, isApi), closes: verdict.closes })
    }
    const file = files.get(verdict.path)
    try {
      if (file !== undefined) {
        readQuery(verdict.query, {})
        return answerWhole(response, { status: 200, type: file.type, body: file.body })
      }
      send(response, await answerOf(request, response, verdict))
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      if (!(error instanceof StudioError)) rooms.remark(`A request failed by a fault of ours (${kindOfFault(error)}).`)
      const told = error instanceof StudioError ? error : new StudioError('internal')
      answerWhole(response, errorAnswerOf(told, isApi))
    }
  }

  async function answerOf(
    request: IncomingMessage,
    response: ServerResponse,
    admitted: Admitted,
  ): Promise<StudioAnswer> {
    const { route, ids } = findRoute(request.method ?? '', admitted.path)!
    const cookies = cookiesNamed(rooms.cookieName(), admitted.header('cookie'))
    const session = rooms.sessions.find(admitted.header('x-studio-token'), cookies)
    if (session === undefined && route.isPublic !== true) throw new StudioError('locked')
    const query = readQuery(admitted.query, route.query ?? {})
    const body = route.body === undefined ? {} : readStudioBody(await readBodyBytes(request), route.body)
    return route.answer({ rooms, ids, query, body, session: session!, response, header: admitted.header })
  }

  function send(response: ServerResponse, answer: StudioAnswer): void {
    switch (answer.kind) {
      case 'written':
        return
      case 'nothing':
        return answerWhole(response, { status: 204 })
      case 'json': {
        const { value, status = 200, headers = {} } = answer
        const text = JSON.stringify(redactSecrets(value, rooms.desk.secrets(), '<redacted>'))
        return answerWhole(response, { status, type: jsonType, body: hidePrivateKeys(text), headers })
      }
    }
  }

  return (request, response) => {
    // A connection that breaks is noticed by whoever waits for it.
    request.on('error', () => {})
    response.on('error', () => {})
    void take(request, response).catch(() => response.destroy())
  }
}
