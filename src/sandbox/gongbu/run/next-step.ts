// Pure: what an execution needs next, from what is stored about it and nothing else. So a fresh run, a repeated delivery and
// a restart are the same thing.
import type { Execution } from '../executions/execution.ts'
import type { Attempt, Receipt } from './attempt-store.ts'

/** Everything that the decision looks at. */
export interface Facts {
  execution: Execution
  attempt: Attempt | undefined
  stagedCount: number
  receipt: Receipt | undefined
}

/** One step of a run. `repeated`: the call may have left before, so a refusal of it proves nothing about the first try. */
export type Step =
  | { kind: 'preflight' }
  | { kind: 'claim'; repeated: boolean }
  | { kind: 'check-claim' }
  | { kind: 'call-provider'; attempt: Attempt }
  | { kind: 'store-artifacts'; attempt: Attempt }
  | { kind: 'release'; attempt: Attempt }
  | { kind: 'settle'; attempt: Attempt }
  | { kind: 'finish-settled'; receipt: Receipt }
  /** Something may have happened that nobody saw: hold the money. */
  | { kind: 'hold'; code: string }
  | { kind: 'recover' }
  | { kind: 'ended' }

/** The name of a step. */
export type StepKind = Step['kind']

/** Decides the next step. */
export function nextStep(facts: Facts): Step {
  const { execution } = facts
  switch (execution.status) {
    case 'pending':
      return { kind: 'preflight' }
    case 'preflighting':
      if (execution.preflightPassedAt === null) return { kind: 'preflight' }
      return { kind: 'claim', repeated: execution.claimStartedAt !== null }
    case 'claimed':
      return { kind: 'check-claim' }
    case 'executing':
      return nextInExecuting(facts)
    case 'settling':
      return nextInSettling(facts)
    case 'reconciliation_required':
      return { kind: 'recover' }
    case 'succeeded':
    case 'failed':
    case 'released':
      return { kind: 'ended' }
  }
}

function nextInExecuting({ execution, attempt, stagedCount }: Facts): Step {
  if (attempt === undefined) throw new Error('an executing execution has an attempt')
  switch (attempt.outcome) {
    case 'started':
      if (attempt.transmissionStartedAt === null) return { kind: 'call-provider', attempt }
      return { kind: 'hold', code: 'provider_delivery_interrupted' }
    case 'succeeded':
      if (stagedCount > 0) return { kind: 'store-artifacts', attempt }
      return { kind: 'hold', code: 'artifact_delivery_interrupted' }
    case 'failed':
      if (execution.releaseStartedAt === null) return { kind: 'release', attempt }
      return { kind: 'hold', code: 'release_delivery_interrupted' }
    case 'ambiguous':
    case 'canceled':
      return { kind: 'hold', code: 'provider_ambiguous' }
  }
}

function nextInSettling({ attempt, receipt }: Facts): Step {
  if (attempt === undefined) throw new Error('a settling execution has an attempt')
  if (receipt?.settledAt) return { kind: 'finish-settled', receipt }
  if (receipt?.transmissionStartedAt) return { kind: 'hold', code: 'settlement_delivery_interrupted' }
  return { kind: 'settle', attempt }
}
