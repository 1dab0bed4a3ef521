// This room lets a human decide pending spends at any Hubu, with the approval capability that no agent has.
import type { HubuApproval, HubuWorkflowPage } from '#generated/types/backends.js'
import { isHubuApproval, isHubuWorkflowPage } from '#generated/validators/backends.js'
import { createHttpClient, type HttpRequest } from '../backends/http-client.ts'
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
  close(): Promise<void>
}

/** Which Hubu, and as whom. */
export interface HubuApprovalsOptions {
  endpoint: URL
  bearer: Secret
  /** Needed to decide, not to read. */
  capability: Secret | undefined
}

const maxBytes = 16 * 1024 * 1024
/** The largest page that Hubu gives. */
const pageSize = 100
/** So many pages are read at most; a cursor is never followed for ever. */
const mostPages = 10

/** Opens the routes of one Hubu. Nothing is asked before a method is called; `close` ends its connections. */
export function createHubuApprovals({ endpoint, bearer, capability }: HubuApprovalsOptions): HubuApprovals {
  const http = createHttpClient({ endpoint, bearer })
  const secrets = capability === undefined ? [bearer] : [bearer, capability]

  /** `onRefusal` may say more of a refusal than Hubu does. */
  async function ask(request: HttpRequest, onRefusal?: (status: number) => string | undefined): Promise<unknown> {
    const reply = readHubuReply(request.method, await http.send(request, { maxBytes }))
    switch (reply.kind) {
      case 'success':
        return reply.value
      case 'unavailable':
      case 'cancelled':
        throw new ApprovalError('Hubu cannot be reached. Check that it runs and that its endpoint is right.', {
          isAway: true,
        })
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
      if (capability === undefined) {
        throw new ApprovalError(
          'Deciding needs the approval capability: set HUBU_APPROVAL_TOKEN or HUBU_APPROVAL_TOKEN_FILE.',
        )
      }
      await ask({
        method: 'POST',
        path: '/spend/approval/resolve',
        headers: { 'content-type': 'application/json', 'x-hubu-approval-capability': capability.reveal() },
        body: JSON.stringify({ approval_request_id: approvalRequestId, decision }),
      })
      return show(approvalRequestId)
    },
    close: () => http.close(),
  }
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
