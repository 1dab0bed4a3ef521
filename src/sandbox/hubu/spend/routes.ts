// POST /spend/authorize, POST /spend and human approval over HTTP.
import { expireHolds } from '../budgets/holds.ts'
import { readFields } from '../json/fields.ts'
import { Refusal, required } from '../refusal.ts'
import { read, route, type Call, type Route } from '../route.ts'
import { resolveApproval, showApproval } from './approvals.ts'
import { decide } from './decide.ts'
import { pay, paymentJson } from './payments.ts'
import { readSpendBody, type SpendBody } from './request.ts'
import { spendJson } from './respond.ts'

/** The routes about spending. */
export const spendRoutes: readonly Route[] = [
  route('POST', '/spend/authorize', {
    prepare,
    perform: ({ hubu, owner }, body: SpendBody) => spendJson(hubu, { ...decide(hubu, owner, body), body }),
  }),
  route('POST', '/spend', {
    prepare,
    perform({ hubu, owner }, body: SpendBody) {
      const decided = decide(hubu, owner, body)
      if (decided.attempt.outcome !== 'allowed') return spendJson(hubu, { ...decided, body })
      const payment = pay(hubu, owner, decided)
      return spendJson(hubu, {
        ...decided,
        body,
        payment: paymentJson(hubu.rows, owner, decided.attempt.agent_id, payment),
        // For a request that a human approved, this route shows what the policy said.
        shownDecision: decided.decision.policy_decision === 'needs_approval' ? 'needs_approval' : undefined,
      })
    },
  }),
  read('/spend/approval', ({ hubu, owner, query }) =>
    showApproval(hubu.rows, owner, required(query.get('approval_request_id'), 'approval_request_id is required')),
  ),
  route('POST', '/spend/approval/resolve', {
    prepare(call) {
      call.demand('approval')
      expireHolds(call.hubu.rows, call.hubu.now())
    },
    perform({ hubu, owner, body }) {
      const fields = readFields(body(), { keys: ['approval_request_id', 'decision'], strict: true })
      const decision = fields.text('decision')
      if (decision !== 'approve' && decision !== 'deny') throw new Refusal('decision must be approve or deny')
      const id = fields.text('approval_request_id')
      return spendJson(hubu, resolveApproval(hubu, owner, id, decision === 'approve'))
    },
  }),
]

function prepare({ hubu, body }: Call): SpendBody {
  const parsed = readSpendBody(body())
  expireHolds(hubu.rows, hubu.now())
  return parsed
}
