// Pure: whether a call that equals an earlier one buys, joins it, or is refused. No clock and no I/O.
import type { DuplicateErrorData } from '#generated/types/router.js'
import type { Earlier } from './situation.ts'

/** Why a call is refused for the sake of an earlier one. */
export type DuplicateReason = DuplicateErrorData['reason']

/** How a call is judged: the router names it, or a harness did and the operator chose a mode. */
export type Judged = 'guarded' | 'refuse' | 'doubt'

/** What becomes of the call. */
export type Verdict = { kind: 'new' } | { kind: 'join' } | { kind: 'refuse'; reason: DuplicateReason }

/** How long a call joins, or is refused for, a purchase whose answer nobody took. */
export const rejoinLimitMs = 24 * 60 * 60 * 1000

/** So long after an answer was stored it counts as lost when no connection was given it. */
const handOverMs = 5000

const buys: Verdict = { kind: 'new' }
const joins: Verdict = { kind: 'join' }
const refuses = (reason: DuplicateReason): Verdict => ({ kind: 'refuse', reason })

/**
 * Judges a call against the newest earlier operation that it might be meant to be. A time stamp in the future, which a clock
 * that was set back leaves behind, counts as now, so that the guard holds longer and never shorter.
 */
export function judge(earlier: Earlier | undefined, as: Judged, nowMs: number, windowMs: number): Verdict {
  if (earlier === undefined) return buys
  const ageMs = ageOf(earlier.requestedAtMs, nowMs)
  const isYoung = ageMs < rejoinLimitMs
  const pick = (guarded: Verdict, reason: DuplicateReason, isDoubtful: boolean): Verdict => {
    if (as === 'guarded') return guarded
    return as === 'refuse' || isDoubtful ? refuses(reason) : buys
  }
  switch (earlier.standing) {
    case 'in_flight':
      return pick(joins, 'earlier_in_flight', false)
    case 'undecided':
      return pick(joins, 'earlier_undecided', isYoung)
    case 'waiting':
      return pick(joins, 'earlier_waits_for_a_human', true)
    case 'unused':
      return pick(joins, 'earlier_unused', isYoung && isLost(earlier, nowMs))
    case 'running':
      return pick(refuses('earlier_still_running'), 'earlier_still_running', false)
    case 'in_doubt':
      return pick(refuses('earlier_in_doubt'), 'earlier_in_doubt', isYoung)
    case 'paid':
      break
  }
  if (earlier.delivery !== 'taken') {
    const guarded = isYoung ? joins : refuses('earlier_answer_not_taken')
    return pick(guarded, 'earlier_answer_not_taken', isYoung && isLost(earlier, nowMs))
  }
  const settledAtMs = Math.max(earlier.changedAtMs, earlier.deliveredAtMs ?? 0)
  if (ageOf(settledAtMs, nowMs) >= windowMs) return buys
  return pick(refuses('earlier_just_paid'), 'earlier_just_paid', false)
}

/**
 * Judges a call against an earlier one that differs in its reason alone. Models word a second try anew, so it is refused while
 * the earlier one is open or its answer was not taken, for as long as the window; and buys everywhere else.
 */
export function judgeNear(earlier: Earlier | undefined, nowMs: number, windowMs: number): Verdict {
  if (earlier === undefined || ageOf(earlier.requestedAtMs, nowMs) >= windowMs) return buys
  switch (earlier.standing) {
    case 'in_flight':
      return refuses('earlier_in_flight')
    case 'undecided':
      return refuses('earlier_undecided')
    case 'waiting':
      return refuses('earlier_waits_for_a_human')
    case 'paid':
      return earlier.delivery === 'taken' ? buys : refuses('earlier_answer_not_taken')
    default:
      return buys
  }
}

/** Whether the answer is known not to have arrived. */
function isLost({ delivery, storedAtMs }: Earlier, nowMs: number): boolean {
  if (delivery === 'dropped') return true
  return delivery === null && storedAtMs !== null && ageOf(storedAtMs, nowMs) >= handOverMs
}

function ageOf(atMs: number, nowMs: number): number {
  return Math.max(0, nowMs - atMs)
}
