// From a spend request to a decision: admission, policy, token and hold.
import { agentOfAccount } from '../agents/agents.ts'
import { reserve } from '../budgets/holds.ts'
import type { Hubu } from '../hubu.ts'
import type { LeaseConfiguration } from '../leases.ts'
import { positiveCents } from '../money.ts'
import { evaluatePolicy, type Facts } from '../policies/evaluate.ts'
import { policyOfScope, scopeOf } from '../policies/policies.ts'
import { decodePolicy } from '../policies/policy.ts'
import { Refusal, required } from '../refusal.ts'
import { storedScope, writeScope } from '../scopes/scope.ts'
import { addSeconds } from '../time/instant.ts'
import type { User } from '../users/users.ts'
import { admit, attemptAt, attemptsUnder, changedScope, conclude, journal, scopeOwner, undecided } from './attempts.ts'
import type { Attempt, AttemptScope } from './attempts.ts'
import { decisionOf, issueToken, storeDecision, type Decision } from './decisions.ts'
import { checkCurrency, readTexts, scopeOfRequest, type SpendBody } from './request.ts'

/** A decided attempt, and whether it was decided by an earlier request. */
export interface Decided {
  attempt: Attempt
  decision: Decision
  replay: boolean
}

/**
 * Authorizes a spend or finds the stored decision of an identical request. Throws a 400 for what cannot be asked and a 409
 * for an operation key that carries something else.
 */
export function decide(hubu: Hubu, owner: User, body: SpendBody): Decided {
  const { rows } = hubu
  const texts = readTexts(body)
  const accountId = required(body.accountId, 'spend request must include account_id')
  const agent = agentOfAccount(rows, owner, accountId)
  checkCurrency(body.currency)
  const executionScope = scopeOfRequest(body.merchant, body.selector)
  const policy = required(
    policyOfScope(rows, owner.id, scopeOf(agent.id)) ?? policyOfScope(rows, owner.id, scopeOf(undefined)),
    'no policy is assigned to this agent or its owner',
  )
  const earlier = attemptsUnder(rows, agent.id, texts.operationKey)
  const scope: AttemptScope = {
    ...scopeOwner(agent),
    amount_cents: positiveCents(body.amountCents),
    merchant: body.merchant ?? null,
    execution_scope: executionScope && writeScope(executionScope),
    task_id: texts.taskId,
    reason: texts.reason,
    lease_profile: body.leaseProfile ?? earlier.at(-1)?.lease_profile ?? hubu.leases.defaultLeaseProfile,
  }
  const admission = admit(rows, earlier, texts.operationKey, scope)
  switch (admission.kind) {
    case 'conflict':
      throw changedScope(texts.operationKey)
    case 'replay': {
      const decision = decisionOf(rows, admission.attempt)
      if (decision === undefined) throw undecided(texts.operationKey)
      return { attempt: admission.attempt, decision, replay: true }
    }
    case 'new': {
      // Nothing is journaled under a profile that does not exist, so the key stays usable.
      claimTtlSeconds(hubu.leases, scope.lease_profile)
      const attempt = journal(rows, texts.operationKey, admission.revision, scope, hubu.now())
      const evaluation = evaluatePolicy(decodePolicy(policy.payload), factsOf(attempt))
      const decision = storeDecision(hubu, attempt, policy, evaluation)
      if (evaluation.decision === 'allow') {
        const shortage = authorize(hubu, attempt, decision, evaluation.reasons)
        if (shortage !== undefined) conclude(rows, attempt, 'denied', [shortage], hubu.now())
      } else if (evaluation.decision === 'deny') conclude(rows, attempt, 'denied', evaluation.reasons, hubu.now())
      return { attempt: attemptAt(rows, attempt.sequence), decision, replay: false }
    }
  }
}

/** Reserves the amount, issues the token and concludes the attempt as allowed; or says why no budget carries it. */
export function authorize(
  hubu: Hubu,
  attempt: Attempt,
  decision: Decision,
  reasons: readonly string[],
): string | undefined {
  const now = hubu.now()
  const expiresAt = addSeconds(now, hubu.leases.authorizationTtlSeconds)
  const hold = reserve(hubu, {
    agentId: attempt.agent_id,
    decisionId: decision.id,
    amountCents: attempt.amount_cents,
    expiresAt,
    now,
  })
  if (typeof hold === 'string') return hold
  issueToken(hubu, decision, expiresAt, claimTtlSeconds(hubu.leases, attempt.lease_profile))
  conclude(hubu.rows, attempt, 'allowed', reasons, hubu.now())
  return undefined
}

function claimTtlSeconds(leases: LeaseConfiguration, name: string): number {
  const profile = Object.hasOwn(leases.leaseProfiles, name) ? leases.leaseProfiles[name] : undefined
  if (profile === undefined) throw new Refusal(`unknown lease profile \`${name}\``)
  return profile.claimTtlSeconds
}

function factsOf(attempt: Attempt): Facts {
  const scope = storedScope(attempt.execution_scope)
  return {
    amount: attempt.amount_cents,
    currency: 'usd',
    agent_id: attempt.agent_id,
    merchant: attempt.merchant ?? undefined,
    provider: scope?.provider.id,
    executor: scope?.executor.id,
    capability: scope?.capability.id,
    billing_merchant: scope?.billing_merchant.id,
  }
}
