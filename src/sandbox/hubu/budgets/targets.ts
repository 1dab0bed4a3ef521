// Advisory spending targets. They warn and never block.
import { drawIds, type Hubu } from '../hubu.ts'
import { mostCents } from '../money.ts'
import { Refusal, required } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import { writeInstant, type Instant } from '../time/instant.ts'
import { overlap, type Period } from '../time/period.ts'
import type { User } from '../users/users.ts'
import { budgetsOf, type Budget } from './budgets.ts'

/** A target of one owner. */
export interface Target extends Period {
  id: string
  public_id: string
  owner_id: string
  amount_cents: bigint
  revoked: bigint
}

/** All targets of an owner in creation order. */
export function targetsOf(rows: Rows, ownerId: string): Target[] {
  return rows.all<Target>('select * from spending_targets where owner_id = ? order by sequence', ownerId)
}

/** Whether a target is shown by default: not revoked and not yet over. */
export function isCurrent(target: Target, now: Instant): boolean {
  return target.revoked === 0n && (target.ending_before === null || target.ending_before > now)
}

/** Sets a target. A 400 when it overlaps another that is not revoked. */
export function addTarget(hubu: Hubu, owner: User, amountCents: bigint, period: Period): Target {
  const { rows } = hubu
  if (targetsOf(rows, owner.id).some((target) => target.revoked === 0n && overlap(target, period)))
    throw new Refusal('the period overlaps another spending target')
  const ids = drawIds(hubu, 'spending_targets', 'tgt')
  rows.insert('spending_targets', {
    ...ids,
    owner_id: owner.id,
    amount_cents: amountCents,
    revoked: 0n,
    starting_at: period.starting_at,
    ending_before: period.ending_before,
    created_at: hubu.now(),
  })
  return targetWithId(rows, owner, ids.public_id)
}

/** Revokes a target. A 400 when it is unknown, foreign or revoked already. */
export function revokeTarget(rows: Rows, owner: User, targetPublicId: string): Target {
  const target = targetWithId(rows, owner, targetPublicId)
  if (target.revoked !== 0n) throw new Refusal('the spending target is already revoked')
  rows.run('update spending_targets set revoked = 1 where id = ?', target.id)
  return targetWithId(rows, owner, targetPublicId)
}

/** A target with what is allocated against it now. */
export function targetJson(rows: Rows, target: Target, now: Instant) {
  const allocated = allocatedCents(target, budgetsOf(rows, target.owner_id))
  const status =
    target.revoked !== 0n
      ? 'revoked'
      : !isCurrent(target, now)
        ? 'expired'
        : target.starting_at > now
          ? 'scheduled'
          : 'active'
  return {
    target_id: target.public_id,
    target_amount_cents: target.amount_cents,
    allocated_amount_cents: allocated,
    exceeded_by_cents: excess(target, allocated),
    is_exceeded: excess(target, allocated) > 0n,
    currency: 'usd',
    starting_at: writeInstant(target.starting_at),
    ending_before: target.ending_before === null ? null : writeInstant(target.ending_before),
    status,
  }
}

/** A warning for every target, ended ones included, that touches one of the periods and is exceeded now. */
export function targetWarnings(rows: Rows, owner: User, periods: readonly Period[]) {
  const budgets = budgetsOf(rows, owner.id)
  return targetsOf(rows, owner.id)
    .filter((target) => target.revoked === 0n && periods.some((period) => overlap(period, target)))
    .map((target) => ({ target, allocated: allocatedCents(target, budgets) }))
    .filter(({ target, allocated }) => excess(target, allocated) > 0n)
    .map(({ target, allocated }) => ({
      target_id: target.public_id,
      target_amount_cents: target.amount_cents,
      allocated_amount_cents: allocated,
      exceeded_by_cents: excess(target, allocated),
      message: `budgets exceed the spending target by ${excess(target, allocated)} minor units`,
    }))
}

/**
 * Pure: the highest total of limits in force at the same time within the target's period, over all budgets that are not
 * revoked. Capped at 2^63-1.
 */
export function allocatedCents(target: Period, budgets: readonly Budget[]): bigint {
  const changes = new Map<string, bigint>()
  const add = (instant: string, cents: bigint) => changes.set(instant, (changes.get(instant) ?? 0n) + cents)
  for (const budget of budgets) {
    if (budget.status === 'revoked' || !overlap(budget, target)) continue
    add(budget.starting_at > target.starting_at ? budget.starting_at : target.starting_at, budget.amount_limit_cents)
    if (budget.ending_before !== null) add(budget.ending_before, -budget.amount_limit_cents)
  }
  let [running, highest] = [0n, 0n]
  for (const instant of [...changes.keys()].sort()) {
    if (target.ending_before !== null && instant >= target.ending_before) break
    running += changes.get(instant) ?? 0n
    if (running > highest) highest = running
  }
  return highest > mostCents ? mostCents : highest
}

function excess(target: Target, allocated: bigint): bigint {
  return allocated > target.amount_cents ? allocated - target.amount_cents : 0n
}

function targetWithId(rows: Rows, owner: User, targetPublicId: string): Target {
  const found = rows.get<Target>(
    'select * from spending_targets where public_id = ? and owner_id = ?',
    targetPublicId,
    owner.id,
  )
  return required(found, 'no such spending target')
}
