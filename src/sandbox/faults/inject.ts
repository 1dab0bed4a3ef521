// Faults on demand in front of a server's handler, and the route that sets them.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpAnswer, HttpRequest } from '../http/listen.ts'
import { FaultRuleError, meets, readFaultRules, type Fault, type FaultRule } from './rule.ts'

/** Answers one request. */
export type Handle = (request: HttpRequest) => Promise<HttpAnswer>

/** The route that shows and sets the faults of a server. */
export const faultsPath = '/sandbox/faults'

/**
 * Puts faults in front of a handler. `GET /sandbox/faults` shows the rules with the times they have left; `POST` with
 * `{"faults": [...]}` replaces them all, an empty list clears them. Both need the admin token as bearer; without a token there
 * is no such route and no fault. The first rule that meets a request decides.
 */
export function withFaults(handle: Handle, adminToken: string | undefined): Handle {
  if (adminToken === undefined) return handle
  let rules: FaultRule[] = []
  return async (request) => {
    if (request.path === faultsPath) {
      if (!isAdmin(request, adminToken)) return json(401, { error: 'the admin token is required' })
      if (request.method === 'POST') {
        try {
          rules = readFaultRules(request.body.toString('utf8'))
        } catch (error) {
          if (error instanceof FaultRuleError) return json(400, { error: error.message })
          throw error
        }
      } else if (request.method !== 'GET') return json(400, { error: `${faultsPath} takes GET and POST` })
      return json(200, { faults: rules.map(ruleJson) })
    }
    const rule = rules.find((candidate) => meets(candidate, request))
    if (rule === undefined) return handle(request)
    if (rule.times !== undefined) rule.times -= 1
    return inject(rule.fault, () => handle(request))
  }
}

async function inject(fault: Fault, handle: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  switch (fault.kind) {
    case 'delay':
      return { ...(await handle()), delayMs: fault.delayMs }
    case 'error':
      if (fault.handled) await handle()
      return json(fault.status, { error: 'injected error' })
    case 'lost_reply':
      if (fault.handled) await handle()
      return { status: 500, drop: 'before-answer' }
    case 'cut_reply':
      return { ...(await handle()), drop: 'mid-body' }
    case 'garbage':
      return { ...(await handle()), body: '<html>injected garbage' }
    case 'not_ready':
      return json(503, { error: 'injected: not ready' })
    case 'incompatible_version':
      return replaceMembers(await handle(), fault.members)
  }
}

function replaceMembers(answer: HttpAnswer, members: Readonly<Record<string, string>>): HttpAnswer {
  const body: unknown = JSON.parse(String(answer.body ?? '{}'))
  return { ...answer, body: JSON.stringify({ ...(body as object), ...members }) }
}

function ruleJson({ method, path, times, fault }: FaultRule) {
  const { kind, ...rest } = fault
  const { delayMs, ...others } = { delayMs: undefined, ...rest }
  return { method, path, times, kind, delay_ms: delayMs, ...others }
}

function isAdmin(request: HttpRequest, adminToken: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const [, token = ''] = /^bearer\s+(.+)$/i.exec(request.header('authorization') ?? '') ?? []
  return request.header('origin') === undefined && timingSafeEqual(digest(token), digest(adminToken))
}

function json(status: number, body: unknown): HttpAnswer {
  return { status, body: JSON.stringify(body) }
}
