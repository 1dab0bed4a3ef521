// This room lets a human decide pending spends at any Hubu, with the approval capability that no agent has.
import type { HubuApproval, HubuWorkflowPage } from '#generated/types/backends.js'
import { isHubuApproval, isHubuWorkflowPage } from '#generated/validators/backends.js'
import { createHttpClient, type HttpClientOptions, type HttpRequest } from '../backends/http-client.ts'
import { readHubuReply } from '../backends/hubu/response.ts'
import { boundedReason } from '../redaction/error-text.ts'
import { redactPrivateOperation } from '../redaction/private-operation.ts'
import { redactErrorText } from '../redaction/replace.ts'
import type { Secret } from '../redaction/secret.ts'
import { label } from '../terminal/foreign-text.ts'
import { ApprovalError } from './approval-error.ts'

/** One pending spend in the list of workflows. */
export type PendingSpend = HubuWorkflowPage['workflows'][number]

/** What waits, and whether it is all of it. */
export interface PendingSpends {
  spends: PendingSpend[]
  isWhole: boolean
}

/** What a human may decide. */
export type ApprovalDecision = 'approve' | 'deny'

/** Hubu's approval routes. Every method throws ApprovalError with what to do. */
export interface HubuApprovals {
  /** Spends that wait for a human, newest first; of very many the newest. */
  pending(): Promise<PendingSpends>
  show(approvalRequestId: string): Promise<HubuApproval>
  /** Decides once and for all; the same decision again is safe. */
  resolve(approvalRequestId: string, decision: ApprovalDecision): Promise<HubuApproval>
  /**
   * Whether the given capability is the one that decides, found out without deciding anything: Hubu must refuse it for another
   * reason than it refuses a wrong one, both with an id that was never issued. `random` gives 32 hex digits, each time others.
   */
  provesCapability(random: () => string): Promise<boolean>
  close(): Promise<void>
}

/** Which Hubu, and as whom. */
export interface HubuApprovalsOptions extends Pick<HttpClientOptions, 'endpoint' | 'bearer' | 'port'> {
  /** Needed to decide, not to read. */
  capability: Secret | undefined
}

const maxBytes = 16 * 1024 * 1024
/** The largest page that Hubu gives. */
const pageSize = 100
/** So many pages are read at most; a cursor is never followed for ever. */
const mostPages = 10

/** Opens the routes of one Hubu. Nothing is asked before a method is called; `close` ends its connections. */
export function createHubuApprovals({ capability, ...options }: HubuApprovalsOptions): HubuApprovals {
  const { bearer } = options
  const http = createHttpClient(options)
  const secrets = capability === undefined ? [bearer] : [bearer, capability]

  /** `onRefusal` may say more of a refusal than Hubu does. */
  async function ask(request: HttpRequest, onRefusal?: (status: number) => string | undefined): Promise<unknown> {
    const reply = readHubuReply(request.method, await http.send(request, { maxBytes }))
    switch (reply.kind) {
      case 'success':
        return reply.value
      case 'unavailable':
      case 'cancelled':
        throw unreachable()
      case 'ambiguous':
        throw new ApprovalError(
          'Hubu may have taken the decision, but its answer was lost. Show the request again before you do anything else.',
        )
      case 'invalid_response':
        throw new ApprovalError(
          reply.isTooLarge
            ? 'Hubu answered with more than this command reads.'
            : 'Hubu answered with something that is not JSON. Check its endpoint.',
        )
      case 'application_error': {
        const said = boundedReason(redactErrorText(reply.errorText ?? 'it gave no reason', secrets))
        throw new ApprovalError(onRefusal?.(reply.status) ?? `Hubu refused with status ${reply.status}: ${label(said)}`)
      }
    }
  }

  async function show(approvalRequestId: string): Promise<HubuApproval> {
    const value = await ask({
      method: 'GET',
      path: `/spend/approval?approval_request_id=${encodeURIComponent(approvalRequestId)}`,
    })
    if (!isHubuApproval(value)) throw unusable()
    return forPeople(value)
  }

  return {
    async pending() {
      const spends: PendingSpend[] = []
      const seen = new Set<string>()
      let cursor: string | null = null
      for (let page = 0; page < mostPages; page++) {
        const query = `status=needs_approval&limit=${pageSize}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
        const answer = await ask(
          { method: 'GET', path: `/spend/workflows?${query}` },
          page === 0 ? withoutList : undefined,
        )
        if (!isHubuWorkflowPage(answer)) throw unusable()
        spends.push(...forPeople(answer.workflows))
        cursor = answer.next_cursor
        if (cursor === null) return { spends, isWhole: true }
        if (seen.has(cursor)) break
        seen.add(cursor)
      }
      return { spends, isWhole: false }
    },
    show,
    async resolve(approvalRequestId, decision) {
      if (capability === undefined) throw withoutCapability()
      await ask(resolveRequest(approvalRequestId, decision, capability.reveal()))
      return show(approvalRequestId)
    },
    async provesCapability(random) {
      if (capability === undefined) throw withoutCapability()
      const hex = random()
      const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
      const refusalOf = async (presented: string): Promise<string | undefined> => {
        const request = resolveRequest(id, 'deny', presented)
        const reply = readHubuReply('POST', await http.send(request, { maxBytes }))
        if (reply.kind === 'unavailable') throw unreachable()
        // Of a brake, or a door before Hubu, nothing is learned.
        if (reply.kind !== 'application_error' || ![400, 403, 404, 409, 422].includes(reply.status)) return undefined
        return `${reply.status} ${reply.errorText ?? ''}`
      }
      // A wrong one twice: a text that differs by itself proves nothing.
      const wrong = await refusalOf(random())
      const wrongAgain = await refusalOf(random())
      const given = await refusalOf(capability.reveal())
      return wrong !== undefined && given !== undefined && wrong === wrongAgain && wrong !== given
    },
    close: () => http.close(),
  }
}

function resolveRequest(id: string, decision: ApprovalDecision, capability: string): HttpRequest {
  return {
    method: 'POST',
    path: '/spend/approval/resolve',
    headers: { 'content-type': 'application/json', 'x-hubu-approval-capability': capability },
    body: JSON.stringify({ approval_request_id: id, decision }),
  }
}

function unreachable(): ApprovalError {
  const words = 'Hubu cannot be reached. Check that it runs and that its endpoint is right.'
  return new ApprovalError(words, { isAway: true })
}

function withoutCapability(): ApprovalError {
  return new ApprovalError(
    'Deciding needs the approval capability: set HUBU_APPROVAL_TOKEN or HUBU_APPROVAL_TOKEN_FILE.',
  )
}

/** A Hubu without the workflow routes refuses the list as a wrong request, or knows no such place. */
function withoutList(status: number): string | undefined {
  if (status !== 400 && status !== 404) return undefined
  return (
    `This Hubu cannot list what waits (status ${status}); it decides all the same. The whole id of a request is in the answer ` +
    'that the agent got, and `hubu-unified-mcp operations list --state approval_required` leads to it: then ' +
    '`approvals show ID`, `approvals approve ID` or `approvals deny ID`.'
  )
}

/** What people may see of an answer: no private operation key anywhere, and no authorization that could be spent. */
function forPeople<T>(value: T): T {
  return withoutTokens(redactPrivateOperation(value, '')) as T
}

function withoutTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokens)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && tokenMembers.includes(name) ? '<hidden>' : withoutTokens(item),
    ]),
  )
}

const tokenMembers = ['auth_token_id', 'spend_auth_token_id']

function unusable(): ApprovalError {
  return new ApprovalError('Hubu answered in a form that this release does not know. Install both from one release.')
}
