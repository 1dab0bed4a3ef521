import type { Clock } from '../timing/clock.ts'
import { failWith, judgeAnswer, type ExecutionAnswer, type ExecutionChange } from './execution-outcome.ts'
import { runWorker, type Worker } from './worker-loop.ts'
import type { OperationRow } from './row.ts'
import type { ClaimedOperation, WorkerOperations } from './worker-operations.ts'

/** The two calls that the worker makes; both are safe to repeat. */
export interface GongbuExecutions {
  /** Posts the stored canonical request, byte for byte. */
  submit(requestJson: string, row: OperationRow): Promise<ExecutionAnswer>
  observe(executionId: string, row: OperationRow): Promise<ExecutionAnswer>
}

/** What the worker is built from. */
export interface WorkerOptions {
  operations: WorkerOperations
  /** Null when Gongbu is not configured in this process. */
  gongbu: GongbuExecutions | null
  tickMs: number
  clock: Pick<Clock, 'nowMs' | 'sleep'>
}

/** Ticks that an operation must have been due before a process without Gongbu gives it up: others may have it. */
const unconfiguredTicks = 60
/** While nothing is open, another process's leftovers are looked for only this often, in ticks. */
const idleTicks = 10

/** Starts the durable worker. Its loop never throws: any fault is a pause and another try. */
export function startWorker(options: WorkerOptions): Worker {
  return runWorker(options.clock, options.tickMs / 4, () => step(options))
}

/** One round: promote, claim, ask, record. Returns how long to rest, 0 when there may be more to do at once. */
async function step(options: WorkerOptions): Promise<number> {
  const { operations, tickMs } = options
  await operations.promote()
  const claimed = await operations.claim(options.gongbu === null ? unconfiguredTicks * tickMs : 0)
  if (claimed === null) return restMs(await operations.nextDue(), options)
  const answer = await ask(claimed, options)
  const change = 'state' in answer ? answer : judgeAnswer(claimed, answer, tickMs)
  await operations.settle(claimed, change, 'state' in answer ? null : answer)
  return 0
}

/** Asks Gongbu, or says at once why nobody needs to be asked any more. */
async function ask(
  { row, isOverdue }: ClaimedOperation,
  { gongbu }: WorkerOptions,
): Promise<ExecutionAnswer | ExecutionChange> {
  if (isOverdue) return failWith('operation_deadline_exhausted')
  if (gongbu === null) return failWith('gongbu_unconfigured')
  if (row.gongbu_execution_id !== null) return gongbu.observe(row.gongbu_execution_id, row)
  if (row.gongbu_request_json === null) return failWith('execution_request_unavailable')
  return gongbu.submit(row.gongbu_request_json, row)
}

function restMs(nextDue: Date | null, { clock, tickMs, gongbu }: WorkerOptions): number {
  const idle = idleTicks * tickMs
  if (nextDue === null) return idle
  const least = gongbu === null ? tickMs : tickMs / 4
  return Math.min(Math.max(nextDue.getTime() - clock.nowMs(), least), idle)
}
