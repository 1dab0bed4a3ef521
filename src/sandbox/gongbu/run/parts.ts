// The stores and ports of a run, and the two ways in which a run stops early.
import type { SqliteDatabase } from '../../../storage/database.ts'
import type { Targets } from '../admission/targets.ts'
import type { ArtifactStore } from '../artifacts/store.ts'
import type { Behaviour } from '../behaviour/behaviour.ts'
import type { Execution, SideOutcome } from '../executions/execution.ts'
import type { ExecutionChange, ExecutionStore } from '../executions/store.ts'
import type { Hubu, SpendRequest } from '../hubu/hubu.ts'
import type { Provider } from '../provider/provider.ts'
import type { ProviderBehaviour } from '../admission/targets.ts'
import type { ReconciliationStore } from '../reconciliation/store.ts'
import type { After } from '../timing/timer.ts'
import type { AttemptStore } from './attempt-store.ts'

/** The stores and ports that the steps of a run use. */
export interface RunParts {
  database: SqliteDatabase
  executions: ExecutionStore
  attempts: AttemptStore
  artifacts: ArtifactStore
  reconciliations: ReconciliationStore
  hubu: Hubu
  targets: Targets
  provider(behaviour: ProviderBehaviour): Provider
  /** What this one execution is made to do. */
  behaviourOf(execution: Execution): Behaviour
  /** The current time as it is stored. */
  timestamp(): string
  newId(): string
  after: After
  providerDeadlineMs: number
  /** Aborted when the process does not wait for running work any more. */
  abandoned: AbortSignal
}

/** How one side ended, as far as the step that stops the run knows. */
export type Sides = Partial<Record<'providerOutcome' | 'artifactOutcome' | 'settlementOutcome', SideOutcome>>

/** Ends an execution that never claimed anything. */
export function fail(parts: RunParts, execution: Execution, code: string): void {
  const at = parts.timestamp()
  parts.executions.change(execution, { status: 'failed', outcome: code, failureCode: code, completedAt: at }, at)
}

/** Moves to `reconciliation_required` and writes down what is known. */
export function hold(parts: RunParts, execution: Execution, code: string, sides: Sides = {}): void {
  const change: ExecutionChange = { status: 'reconciliation_required', outcome: code, failureCode: code, ...sides }
  parts.database
    .transaction(() => {
      const at = parts.timestamp()
      const held = parts.executions.change(execution, change, at)
      parts.reconciliations.enter(held.executionId, evidenceOf(parts, execution, held), at)
    })
    .immediate()
}

/** What validate and claim send for an execution. */
export function spendRequestOf(execution: Execution): SpendRequest {
  return {
    operationKey: execution.operationKey,
    tokenId: execution.tokenId,
    accountId: execution.accountId,
    amountCents: execution.amountMinor,
    currency: execution.currency,
    scope: execution.scope,
  }
}

function evidenceOf(parts: RunParts, before: Execution, held: Execution): Record<string, unknown> {
  const attempt = parts.attempts.ofExecution(held.executionId)
  return {
    execution_id: held.executionId,
    operation_key: held.operationKey,
    claim_id: held.claimId,
    created_at: held.createdAt,
    started_at: held.startedAt,
    entered_at: held.updatedAt,
    last_confirmed_status: before.status,
    code: held.outcome,
    price: held.price,
    authorization: parts.executions.snapshot(held.executionId) ?? null,
    provider: attempt === undefined ? null : { ...attempt },
    receipt: parts.attempts.receipt(held.executionId) ?? null,
    artifact_count: parts.artifacts.list(held.executionId).length,
  }
}
