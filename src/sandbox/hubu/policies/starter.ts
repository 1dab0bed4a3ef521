// Pure: the policy that `daily_limit_cents` stands for.
import { Refusal } from '../refusal.ts'
import type { Policy } from './policy.ts'

/** The starter policy: ask by default, allow up to a limit for a single spend. Throws a 400 unless the limit is above zero. */
export function starterPolicy(limitCents: bigint, agentPublicId: string | undefined, ownerUserId: string): Policy {
  if (limitCents <= 0n) throw new Refusal('daily_limit_cents must be greater than zero')
  return {
    id: `starter_policy_${agentPublicId ?? 'default'}`,
    version: 'starter-1',
    owner_user_id: ownerUserId,
    rules: [
      {
        id: 'deny_blocked_merchant',
        effect: 'deny',
        when: { op: 'eq', field: 'merchant', value: { string: 'blocked-merchant' } },
        reason: 'the merchant is blocked',
      },
      {
        id: 'allow_within_starter_limit',
        effect: 'allow',
        when: { op: 'lte', field: 'amount', value: { money_cents: limitCents } },
        reason: 'the amount is within the starter limit',
      },
    ],
    default_effect: 'needs_approval',
  }
}
