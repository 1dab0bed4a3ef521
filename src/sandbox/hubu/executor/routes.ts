// The executor protocol and human reconciliation over HTTP.
import { ownedAgent } from '../agents/agents.ts'
import { expireHolds } from '../budgets/holds.ts'
import { readFields } from '../json/fields.ts'
import { Refusal, required } from '../refusal.ts'
import { change, read, route, type Call, type Route } from '../route.ts'
import * as authorizations from './authorization.ts'
import * as claims from './claims.ts'
import { readFinalizationBody } from './finalization-body.ts'
import { finalize, type Finalization } from './finalize.ts'
import { checkReceipt, type RawReceipt } from './receipt.ts'
import { receiptJson, settlementOfClaim } from './settlements.ts'

/** The routes about executors. */
export const executorRoutes: readonly Route[] = [
  route('POST', '/spend/executor/validate', {
    prepare,
    perform({ hubu, owner }, presented: authorizations.Presented) {
      const authorization = claims.validate(hubu, owner, presented)
      return authorizations.executorSpendJson(hubu.rows, authorization, 'available')
    },
  }),
  change('/spend/executor/resolve', ({ hubu, owner, body }) => {
    const fields = readFields(body(), { keys: ['spend_auth_token_id'], strict: true })
    const authorization = authorizations.authorizationOf(hubu.rows, owner, fields.text('spend_auth_token_id'))
    authorizations.checkUnspent(authorization)
    authorizations.checkUnexpired(authorization, hubu.now())
    authorizations.frozenHold(authorization)
    return authorizations.executorSpendJson(hubu.rows, authorization, 'available')
  }),
  route('POST', '/spend/executor/claim', {
    prepare,
    perform: ({ hubu, owner }, presented: authorizations.Presented) =>
      claims.claimJson(hubu, claims.claim(hubu, owner, presented)),
  }),
  read('/spend/executor/claim', ({ hubu, owner, query }) => {
    const claimId = required(query.get('claim_id'), 'claim_id is required')
    return claims.claimJson(hubu, claims.ownedClaim(hubu.rows, owner, claimId))
  }),
  read('/spend/executor/reconciliation', ({ hubu, owner }) => ({
    claims: claims.reconciliationQueue(hubu.rows, owner, hubu.now()).map((claim) => claims.claimJson(hubu, claim)),
  })),
  change('/spend/executor/settle', (call) => {
    const { claim, byHuman } = finalizeFrom(call, (receipt) => ({
      kind: 'settle',
      receipt: checkReceipt(required(receipt, 'settlement receipt is required')),
    }))
    return byHuman ? claims.claimJson(call.hubu, claim) : settlementJson(call, claim)
  }),
  change('/spend/executor/release', (call) => {
    const { claim } = finalizeFrom(call, (receipt) => {
      if (receipt !== undefined) throw new Refusal('a release takes no receipt')
      return { kind: 'release' }
    })
    return claims.claimJson(call.hubu, claim)
  }),
]

function prepare({ hubu, body }: Call): authorizations.Presented {
  const presented = authorizations.readPresented(body())
  expireHolds(hubu.rows, hubu.now())
  return presented
}

/** Reads either shape, asks for the human's capability where it is one, and finalizes. */
function finalizeFrom(
  { hubu, owner, body, demand }: Call,
  wantedFor: (receipt: RawReceipt | undefined) => Finalization,
): { claim: claims.Claim; byHuman: boolean } {
  const read = readFinalizationBody(body())
  if (read.kind === 'human') {
    demand('reconciliation')
    const found = {
      providerReference: filled(read.providerReference, 'provider_reference'),
      evidence: filled(read.evidence, 'evidence'),
    }
    const wanted = { ...wantedFor(read.receipt), found }
    const claim = claims.ownedClaim(hubu.rows, owner, read.claimId)
    return { claim: finalize(hubu, owner, claim, wanted), byHuman: true }
  }
  const wanted = wantedFor(read.receipt)
  const agent = ownedAgent(hubu.rows, owner, read.agentId.trim())
  const operationKey = filled(read.operationKey, 'operation_key')
  const claim = required(claims.claimUnder(hubu.rows, agent.id, operationKey), 'no such executor claim')
  return { claim: finalize(hubu, owner, claim, wanted), byHuman: false }
}

function settlementJson({ hubu }: Call, claim: claims.Claim) {
  const settlement = settlementOfClaim(hubu.rows, claim.id)
  if (settlement === undefined) throw new Error('a stored settlement is missing')
  return {
    operation_key: claim.operation_key,
    settlement_id: settlement.id,
    claim_id: claim.id,
    status: 'settled',
    receipt: receiptJson(settlement),
    spend: authorizations.executorSpendJson(hubu.rows, claims.authorizationOfClaim(hubu.rows, claim), 'settled'),
  }
}

function filled(text: string, field: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new Refusal(`${field} must not be blank`)
  return trimmed
}
