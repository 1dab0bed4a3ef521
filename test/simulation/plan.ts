// What one schedule will be, drawn from its seed. A plan is data, so that a failing one can be made smaller.
import { createRandom, type Random } from './random.ts'

/** Kinds of trouble; a plan has some of them. */
export const troubles = [
  /** A process ends at a commit, between two steps or while it waits. */
  'crash',
  /** A process stands still for a while and goes on. */
  'stall',
  'lost_request',
  'lost_reply',
  /** A request arrives late, perhaps after its sender gave up. */
  'delay',
  /** A request arrives twice. */
  'duplicate',
  /** A backend acts, and its answer is cut, empty, no JSON or nonsense. */
  'garbage',
  /** A backend refuses with a 4xx or 5xx before it acts, or fails with a 5xx after. */
  'refusal',
  /** A backend goes away for a while; what it was doing is lost or kept. */
  'backend_restart',
  /** The registry is locked by a stranger, full or failing for a while. */
  'registry',
  /** The host sleeps. */
  'host_sleep',
  /** The wall clock is set forward or back. */
  'clock_step',
] as const

export type Trouble = (typeof troubles)[number]

/** How Hubu will decide. */
export type Verdict = 'allow' | 'deny' | 'approve_later' | 'deny_later'

/** How an execution will end at Gongbu. */
export type Ending = 'succeeded' | 'failed' | 'released' | 'reconciled' | 'unreconciled' | 'stuck' | 'refused'

/** One thing that an agent wants, and the one harness call that it makes for it. */
export interface Intent {
  n: number
  source: 'codex' | 'claude' | 'envelope'
  tool: 'hubu_submit_spend' | 'hubu_authorize_spend'
  verdict: Verdict
  /** How long an authorization lives, in milliseconds; null: for ever. */
  expiresInMs: number | null
  /** Whether the agent goes on to an execution. */
  hasExecution: boolean
  ending: Ending
}

/** What becomes of the registry file, and when. */
export interface FileSwap {
  how: 'deleted' | 'moved' | 'replaced by an older copy'
  /** When the copy is made. */
  backupAtMs: number
  atMs: number
  /** How long after that everybody is started again. */
  restartMs: number
}

/** One schedule. */
export interface Plan {
  seed: string
  /** The processes on the one registry file. The first always has Gongbu. The wall clock of some runs ahead of everybody else's. */
  processes: { hasGongbu: boolean; aheadMs?: number }[]
  intents: Intent[]
  /** How often each trouble comes, as a factor of its usual rate; absent: never. */
  troubles: Partial<Record<Trouble, number>>
  /** How long Gongbu takes at most to admit an execution; it may be longer than anybody waits. */
  admissionMs: number
  /** How often a harness delivers a call again before it has an answer. */
  impatience: number
  /** How long the agents are busy, in virtual milliseconds; after that, everything is given time to end. */
  activeMs: number
  tickMs: number
  /** The registry file is taken from under the routers, which are started again some time later. */
  swap?: FileSwap
  /** The clients send no call identity: the router names their purchases. */
  isGuarded?: boolean
  /** Hubu works on one request after the other and takes so long for each; absent: on all at once. */
  serialMs?: number
}

const verdicts: readonly Verdict[][] = [
  ['allow', 'allow', 'approve_later', 'deny', 'deny_later'],
  ['allow'],
  ['allow'],
  ['approve_later', 'deny_later'],
  ['approve_later', 'deny_later'],
]

/**
 * Draws the plan of a seed. Each plan leaves some troubles out and has others often, and its intents are alike or mixed: rare
 * combinations come up sooner so than when every plan has a little of everything.
 */
export function makePlan(seed: string): Plan {
  return asGuarded(withFileSwap(asBurst(withClockAhead(makeTroubledPlan(seed)))))
}

/**
 * Now and then the registry file goes away. What only the file knew is lost then: a refusal no longer knows of an earlier try, and an
 * acknowledged execution of its acknowledgement. What must hold all the same is that nobody pays twice.
 */
function withFileSwap(plan: Plan): Plan {
  const random = createRandom(`${plan.seed}/swap`)
  if (!random.chance(0.08) || plan.serialMs !== undefined) return plan
  const { refusal: _refusal, ...troubles } = plan.troubles
  const atMs = random.between(1000, plan.activeMs - 1000)
  return {
    ...plan,
    troubles,
    intents: plan.intents.map((intent) => ({ ...intent, tool: 'hubu_submit_spend', hasExecution: false })),
    swap: {
      how: random.pick(['deleted', 'moved', 'replaced by an older copy']),
      backupAtMs: random.between(500, atMs),
      atMs,
      restartMs: random.between(500, 8000),
    },
  }
}

/**
 * Clients that send no identity, and retry, repeat and give up all the same. Time is not moved by hours there, and authorizations
 * live: after the window, or when one ran out, an equal call is a new purchase.
 */
function asGuarded(plan: Plan): Plan {
  const random = createRandom(`${plan.seed}/guarded`)
  const isOdd = plan.swap !== undefined || plan.serialMs !== undefined || plan.processes.some(({ aheadMs }) => aheadMs)
  if (isOdd || !random.chance(0.3)) return plan
  const { host_sleep: _sleep, clock_step: _step, ...troubles } = plan.troubles
  return { ...plan, troubles, isGuarded: true, intents: plan.intents.map((one) => ({ ...one, expiresInMs: null })) }
}

/** Now and then one process lives hours ahead of all others. */
function withClockAhead(plan: Plan): Plan {
  const random = createRandom(`${plan.seed}/ahead`)
  if (!random.chance(0.12)) return plan
  const { clock_step: _step, ...troubles } = plan.troubles
  const wrong = random.between(0, plan.processes.length - 1)
  const aheadMs = random.pick([2, 30, 30, 100]) * 3_600_000
  return { ...plan, troubles, processes: plan.processes.map((one, i) => (i === wrong ? { ...one, aheadMs } : one)) }
}

/** Now and then nothing goes wrong, and everybody comes at once to a Hubu that takes its time: nothing may end in doubt. */
function asBurst(plan: Plan): Plan {
  const random = createRandom(`${plan.seed}/burst`)
  if (!random.chance(0.05)) return plan
  const flavour: Flavour = { verdicts: ['allow'], executionShare: 0, expiryShare: 0 }
  return {
    ...plan,
    processes: plan.processes.slice(0, 2),
    intents: Array.from({ length: random.between(40, 50) }, (_, n) => makeIntent(n, flavour, random)),
    troubles: {},
    impatience: 0,
    activeMs: 20_000,
    serialMs: random.between(100, 150),
  }
}

function makeTroubledPlan(seed: string): Plan {
  const random = createRandom(`${seed}/plan`)
  const flavour = {
    verdicts: random.pick(verdicts),
    executionShare: random.pick([0, 0.5, 1, 1, 1]),
    expiryShare: random.pick([0, 0, 0.4]),
  }
  return {
    seed,
    processes: Array.from({ length: random.between(2, 4) }, (_, i) => ({ hasGongbu: i === 0 || random.chance(0.8) })),
    intents: Array.from({ length: random.between(2, 10) }, (_, n) => makeIntent(n, flavour, random)),
    troubles: Object.fromEntries(
      troubles
        .filter((one) => random.chance(one === 'host_sleep' || one === 'clock_step' ? 0.1 : 0.6))
        .map((one) => [one, random.pick([0.5, 1, 2, 4])]),
    ),
    admissionMs: random.pick([50, 1000, 5000, 6000]),
    impatience: random.pick([0.1, 0.4, 0.8]),
    activeMs: random.between(5000, 30_000),
    tickMs: random.pick([100, 500, 1000, 1000]),
  }
}

interface Flavour {
  verdicts: Verdict[]
  executionShare: number
  expiryShare: number
}

function makeIntent(n: number, { verdicts: possible, executionShare, expiryShare }: Flavour, random: Random): Intent {
  const hasExecution = random.chance(executionShare)
  return {
    n,
    source: random.pick(['codex', 'claude', 'envelope']),
    tool: hasExecution || random.chance(0.2) ? 'hubu_authorize_spend' : 'hubu_submit_spend',
    verdict: random.pick(possible),
    expiresInMs: random.chance(expiryShare) ? random.between(500, 30_000) : random.pick([null, 86_400_000]),
    hasExecution,
    ending: random.pick([
      'succeeded',
      'succeeded',
      'failed',
      'released',
      'reconciled',
      'unreconciled',
      'stuck',
      'refused',
    ]),
  }
}
