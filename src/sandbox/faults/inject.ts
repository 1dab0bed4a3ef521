// Faults on demand in front of a server's handler, and the route that sets them.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FaultPlan } from './plan.ts'
import { FaultRuleError, type Fault } from './rule.ts'

/** What of a request matters here. */
export interface FaultyRequest {
  method: string
  path: string
  body: Buffer | 'too-large'
  /** The value of a header, by name in any case. */
  header(name: string): string | undefined
}

/** What of an answer can be spoilt; the listener carries out `drop` and `delayMs`. */
export interface FaultyAnswer {
  status: number
  body?: string | Buffer
  /** Close the connection before the answer, or after half of its body. */
  drop?: 'before-answer' | 'mid-body'
  /** Wait before answering. */
  delayMs?: number
}

/** How a server writes an answer of its own, and an error in its own form. */
export interface FaultAnswers<Answer extends FaultyAnswer> {
  json(status: number, body: unknown): Answer
  error(status: number, request: FaultyRequest): Answer
}

/** The route that shows and sets the faults of a server. */
export const faultsPath = '/sandbox/faults'

/**
 * Puts the faults of a plan in front of a handler. `GET /sandbox/faults` shows the rules with the times they have left; `POST`
 * with `{"faults": [...]}` replaces them all, an empty list clears them. Both need the admin token as bearer; without a token
 * there is no such route and no fault. The first rule that meets a request decides.
 */
export function withFaults<Request extends FaultyRequest, Answer extends FaultyAnswer>(
  handle: (request: Request) => Promise<Answer>,
  options: { plan: FaultPlan; adminToken: string | undefined; answers: FaultAnswers<Answer> },
): (request: Request) => Promise<Answer> {
  const { plan, adminToken, answers } = options
  if (adminToken === undefined) return handle
  return async (request) => {
    if (request.path === faultsPath) {
      if (!isAdmin(request, adminToken)) return answers.json(401, { error: 'the admin token is required' })
      return control(request, plan, answers)
    }
    const fault = plan.forRequest(request)
    return fault === undefined ? handle(request) : inject(fault, request, () => handle(request), answers)
  }
}

function control<Answer extends FaultyAnswer>(
  { method, body }: FaultyRequest,
  plan: FaultPlan,
  answers: FaultAnswers<Answer>,
): Answer {
  if (method !== 'GET' && method !== 'POST') return answers.json(400, { error: `${faultsPath} takes GET and POST` })
  try {
    if (method === 'POST') plan.replace(body.toString('utf8'))
  } catch (error) {
    if (error instanceof FaultRuleError) return answers.json(400, { error: error.message })
    throw error
  }
  return answers.json(200, { faults: plan.list() })
}

async function inject<Answer extends FaultyAnswer>(
  fault: Fault,
  request: FaultyRequest,
  handle: () => Promise<Answer>,
  answers: FaultAnswers<Answer>,
): Promise<Answer> {
  switch (fault.kind) {
    case 'delay':
      return { ...(await handle()), delayMs: fault.delayMs }
    case 'error':
      if (fault.handled) await handle()
      return answers.error(fault.status, request)
    case 'lost_reply':
      if (fault.handled) await handle()
      return { ...answers.error(500, request), drop: 'before-answer' }
    case 'cut_reply':
      return { ...(await handle()), drop: 'mid-body' }
    case 'garbage':
      return { ...(await handle()), body: '<html>injected garbage' }
    case 'not_ready':
      return answers.error(503, request)
    case 'incompatible_version':
      return replaceMembers(await handle(), fault.members)
  }
}

/** An answer that is no JSON object stays as it is. */
function replaceMembers<Answer extends FaultyAnswer>(
  answer: Answer,
  members: Readonly<Record<string, string>>,
): Answer {
  let body: unknown
  try {
    body = JSON.parse(String(answer.body ?? ''))
  } catch {
    return answer
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return answer
  return { ...answer, body: JSON.stringify({ ...body, ...members }) }
}

function isAdmin(request: FaultyRequest, adminToken: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const [, token = ''] = /^bearer\s+(.+)$/i.exec(request.header('authorization') ?? '') ?? []
  return request.header('origin') === undefined && timingSafeEqual(digest(token), digest(adminToken))
}
