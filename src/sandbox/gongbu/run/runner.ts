// Runs executions to their end, one step after the other, and tries to recover those that are held. What comes next is read
// from the database before every step, so a run can stop anywhere and start again anywhere.
import { reconcile } from './reconcile.ts'
import { callProvider } from './call-provider.ts'
import { checkClaim, claim } from './claim.ts'
import { finishSettled, release, settle } from './finalize.ts'
import { nextStep, type Facts, type Step, type StepKind } from './next-step.ts'
import { preflight } from './preflight.ts'
import { hold, type RunParts } from './parts.ts'
import { storeArtifacts } from './store-artifacts.ts'
import type { After } from '../timing/timer.ts'

/** Brings executions to their end. */
export interface Runner {
  /** Starts or resumes an execution after the current turn; harmless when it runs already. Throws when it cannot. */
  schedule(executionId: string): void
  /** Serves the recorded operator signals of a held execution, soon. */
  serveSignals(executionId: string): void
  /** Schedules everything that is not final, oldest first. */
  resumeAll(): void
  /** Lets running steps finish for at most `drainMs`, starts no new ones, and forgets the rest. */
  stop(drainMs: number): Promise<void>
}

/** Places where a test may wait or break things. */
export interface RunHooks {
  /** Called before each step of a run; a promise delays it, an error fails it inside Gongbu. */
  beforeStep?: (step: StepKind, executionId: string) => Promise<void> | void
  /** Called when an execution is handed to the scheduler; an error makes that fail. */
  beforeSchedule?: (executionId: string) => void
  /** Called after each stored change of an execution. */
  changed?: (executionId: string, status: string) => void
}

/** How the runner waits. */
export interface RunnerOptions {
  recoveryDelaysMs: readonly number[]
  redeliveryDelayMs: number
  hooks: RunHooks
  /** Called once when running work is given up. */
  abandon: () => void
}

const longestRedeliveryMs = 60_000

/** Creates a runner. Nothing runs before something is scheduled. */
export function createRunner(parts: RunParts, options: RunnerOptions): Runner {
  const { hooks } = options
  const running = new Map<string, Promise<void>>()
  const timers = new Map<string, () => void>()
  let stopping = false

  /** Work on one execution happens strictly one after the other; it never rejects. */
  function enqueue(executionId: string, work: () => Promise<void>): void {
    const before = running.get(executionId) ?? Promise.resolve()
    const mine = before
      .then(() => (stopping ? undefined : work()))
      .catch(() => undefined)
      .finally(() => {
        if (running.get(executionId) === mine) running.delete(executionId)
      })
    running.set(executionId, mine)
  }

  async function run(executionId: string, failures: number): Promise<void> {
    try {
      while (!stopping) {
        const facts = readFacts(parts, executionId)
        const step = facts === undefined ? undefined : nextStep(facts)
        if (facts === undefined || step === undefined || step.kind === 'ended') return
        if (step.kind === 'recover') return recoverLater(executionId, 0)
        await hooks.beforeStep?.(step.kind, executionId)
        if (stopping) return
        await perform(parts, facts, step)
      }
    } catch {
      redeliverLater(executionId, failures)
    }
  }

  /** A step that failed inside Gongbu is delivered again a little later, then from the stored state. */
  function redeliverLater(executionId: string, failures: number): void {
    const delay = Math.min(options.redeliveryDelayMs * 2 ** failures, longestRedeliveryMs)
    later(executionId, delay, () => enqueue(executionId, () => run(executionId, failures + 1)))
  }

  function recoverLater(executionId: string, tried: number): void {
    serveSignals(executionId)
    const delay = options.recoveryDelaysMs[tried]
    if (delay === undefined) return parts.reconciliations.exhaust(executionId)
    later(executionId, delay, () =>
      enqueue(executionId, async () => {
        evenIfItFails(() => parts.reconciliations.countAttempt(executionId))
        await reconcile(parts, executionId, 'reinspect').catch(() => undefined)
        if (!stopping) goOn(executionId, () => recoverLater(executionId, tried + 1))
      }),
    )
  }

  /** Does what is next for a held execution. When that fails inside Gongbu, its recovery starts over and does not end. */
  function goOn(executionId: string, next: () => void): void {
    try {
      if (isHeld(executionId)) next()
    } catch {
      redeliverLater(executionId, 0)
    }
  }

  function serveSignals(executionId: string): void {
    if (parts.reconciliations.unserved(executionId).length === 0) return
    enqueue(executionId, async () => {
      for (const { actionId, action } of parts.reconciliations.unserved(executionId)) {
        if (stopping) return
        await reconcile(parts, executionId, action).catch(() => undefined)
        if (!stopping) evenIfItFails(() => parts.reconciliations.markServed(executionId, actionId, parts.timestamp()))
      }
      if (!isHeld(executionId)) cancel(executionId)
    })
  }

  function isHeld(executionId: string): boolean {
    return parts.executions.byId(executionId)?.status === 'reconciliation_required'
  }

  function later(executionId: string, delayMs: number, work: () => void): void {
    cancel(executionId)
    if (stopping) return
    const stop = parts.after(delayMs, () => {
      timers.delete(executionId)
      work()
    })
    timers.set(executionId, stop)
  }

  function cancel(executionId: string): void {
    timers.get(executionId)?.()
    timers.delete(executionId)
  }

  function start(executionId: string): void {
    if (!running.has(executionId) && !timers.has(executionId)) enqueue(executionId, () => run(executionId, 0))
  }

  return {
    schedule(executionId) {
      if (stopping) throw new Error('the server is stopping')
      hooks.beforeSchedule?.(executionId)
      start(executionId)
    },
    serveSignals,
    resumeAll: () => parts.executions.open().forEach(start),
    async stop(drainMs) {
      stopping = true
      for (const executionId of [...timers.keys()]) cancel(executionId)
      await drain([...running.values()], drainMs, parts.after)
      options.abandon()
    },
  }
}

/** Running steps get their time; a hanging one is left to the next start. */
async function drain(running: Promise<void>[], drainMs: number, after: After): Promise<void> {
  if (drainMs === 0) return
  await new Promise<void>((resolve) => {
    const forget = after(drainMs, resolve)
    void Promise.all(running).then(() => {
      forget()
      resolve()
    })
  })
}

/** Notes are for people: that one cannot be written must not keep back the work that it is about. */
function evenIfItFails(note: () => void): void {
  try {
    note()
  } catch {
    // The work goes on without it.
  }
}

function readFacts(parts: RunParts, executionId: string): Facts | undefined {
  const execution = parts.executions.byId(executionId)
  if (execution === undefined) return undefined
  const attempt = parts.attempts.ofExecution(executionId)
  return {
    execution,
    attempt,
    stagedCount: attempt === undefined ? 0 : parts.attempts.stagedCount(attempt.attemptId),
    receipt: parts.attempts.receipt(executionId),
  }
}

async function perform(parts: RunParts, { execution }: Facts, step: Step): Promise<void> {
  switch (step.kind) {
    case 'preflight':
      return preflight(parts, execution)
    case 'claim':
      return claim(parts, execution, step.repeated)
    case 'check-claim':
      return checkClaim(parts, execution)
    case 'call-provider':
      return callProvider(parts, execution, step.attempt)
    case 'store-artifacts':
      return storeArtifacts(parts, execution, step.attempt)
    case 'release':
      return release(parts, execution, step.attempt)
    case 'settle':
      return settle(parts, execution, step.attempt)
    case 'finish-settled':
      return finishSettled(parts, execution, step.receipt, step.receipt.settlementId ?? '')
    case 'hold':
      return hold(parts, execution, step.code)
    case 'recover':
    case 'ended':
      return
  }
}
