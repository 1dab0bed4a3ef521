// The end of a schedule: what the file, Hubu and Gongbu say must be one story.
import { isTerminal, type OperationRow } from '../../src/operations/row.ts'
import type { Agent } from './agent.ts'
import type { SimulatedGongbu } from './simulated-gongbu.ts'
import type { SimulatedHubu } from './simulated-hubu.ts'
import { intentOfRow, type Watch } from './watch.ts'
import type { World } from './world.ts'

/** Codes that say that Gongbu has no such execution. */
const refusedForGood = new Set([
  'execution_request_invalid',
  'execution_request_target_not_selectable',
  'execution_request_pricing_selector_not_matched',
  'execution_intent_conflict',
  'execution_dispatch_failed',
  'execution_request_unavailable',
])

/** How many acknowledged operations are not terminal. */
export function openOperations(watch: Watch): number {
  return watch.rows().filter((row) => row.operation_state !== null && !isTerminal(row.operation_state)).length
}

/** What a human has decided is known, although nobody delivered the call again. */
export function judgeCompleted(world: World, { hubu, watch }: { hubu: SimulatedHubu; watch: Watch }): void {
  if (world.plan.swap !== undefined) return
  for (const row of watch.rows()) {
    const record = hubu.records.find(({ key }) => key === row.operation_key)
    if (row.decision === 'needs_approval' && record !== undefined && record.decision !== 'needs_approval')
      world.blame('an approval completes by itself', `${row.operation_handle} still waits`, record.call.intent)
  }
}

/** Holds the end against every promise that only the end can show. */
export function judgeEnd(
  world: World,
  agents: readonly Agent[],
  { hubu, gongbu, watch }: { hubu: SimulatedHubu; gongbu: SimulatedGongbu; watch: Watch },
): void {
  const rows = watch.rows()
  for (const row of rows) judgeRow(world, row, gongbu)
  for (const { acknowledged, intent } of agents) {
    const row = rows.find(({ operation_handle: handle }) => handle === acknowledged)
    if (acknowledged !== null && (row === undefined || row.operation_state === null))
      world.blame('what is acknowledged is done', `${acknowledged} is forgotten`, intent.n)
  }
  for (const record of hubu.records) {
    const { intent, generation } = record.call
    const isSpend = world.intent(intent)?.tool === 'hubu_submit_spend'
    const isPaid = isSpend ? record.decision === 'allow' : gongbu.byKey(record.key)?.status === 'succeeded'
    if (record.charges !== (isPaid ? 1 : 0))
      world.blame(
        'each allowed identity is charged exactly once',
        `call ${intent}.${generation}: ${record.charges}`,
        intent,
      )
    if (world.plan.swap === undefined && !rows.some((row) => row.operation_key === record.key))
      world.blame('every key that Hubu knows stands in the registry', `call ${intent}.${generation}`, intent)
  }
}

function judgeRow(world: World, row: OperationRow, gongbu: SimulatedGongbu): void {
  const intent = intentOfRow(row)
  const broken = (promise: string, detail: string) => world.blame(promise, `${row.harness_call_id}: ${detail}`, intent)
  if (row.operation_state === null) return
  if (!isTerminal(row.operation_state))
    return broken('every acknowledged operation is terminal by its deadline', row.operation_state)
  if (row.gongbu_request_json !== null || row.worker_lease_id !== null || row.next_operation_attempt_at !== null)
    broken('a terminal row keeps no request, lease or schedule', 'something is left')
  if (row.dispatch_attempts > 5 || row.observation_failures > 5 || row.reconciliation_attempts > 6)
    broken(
      'attempts are bounded',
      `${row.dispatch_attempts}/${row.observation_failures}/${row.reconciliation_attempts}`,
    )
  const execution = gongbu.byKey(row.operation_key ?? '')
  const code = row.operation_result_code ?? ''
  if (execution !== undefined && refusedForGood.has(code))
    broken(
      'an operation that counts as refused has no execution',
      `${code}, but ${execution.id} is ${execution.status}`,
    )
  if (row.gongbu_execution_id !== null && row.gongbu_execution_id !== execution?.id)
    broken('an operation follows its own execution', `${row.gongbu_execution_id} is not ${String(execution?.id)}`)
  const claimed = { execution_succeeded: 'succeeded', execution_failed: 'failed', authorization_released: 'released' }[
    code
  ]
  if (claimed !== undefined && execution?.status !== claimed)
    broken('a terminal state says what Gongbu says', `${code}, but the execution is ${String(execution?.status)}`)
}
