import type { HubuClient } from '../backends/hubu/client.ts'
import { toHubuRequest } from '../backends/hubu/request.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import type { CallIdentity } from '../identity/call-identity.ts'
import { dispatchLeaseMs, type SpendOperations, type SpendTurn } from '../operations/spend-operations.ts'
import type { SpendTool } from '../operations/row.ts'
import type { Cause, Monitor } from '../capabilities/monitor.ts'
import { backendError } from './capability-gate.ts'
import { applicationError } from './hubu-failure.ts'
import { createInTurn } from './in-turn.ts'
import { toPublicSpendResult } from './spend-result.ts'
import { prettyResult, type ToolResult } from './tool-result.ts'
import type { Secret } from '../redaction/secret.ts'

/** How a spend waits: injected, so that tests are exact. */
export interface SpendTiming {
  monotonicMs(): number
  pause(ms: number): Promise<void>
  random(): number
  /** Calls again and again until the returned function is called. */
  every(ms: number, work: () => void): () => void
}

export interface SpendCallOptions {
  hubu: HubuClient
  spend: SpendOperations
  monitor: Pick<Monitor, 'ticket' | 'markHubuUnavailable'>
  /** What must not show in Hubu's error texts. */
  secrets: readonly Secret[]
  timing: SpendTiming
}

/** One spend, admitted: its schema, its identity and the availability of Hubu are checked. */
export interface AdmittedSpend {
  entry: ToolEntry
  tool: SpendTool
  args: Record<string, unknown>
  identity: CallIdentity
  cause: Cause
}

/** The longest wait for another process that is sending the same call. */
const patienceMs = 15_000
/** How long an ambiguous outcome looks whether another process has already recovered it. */
const graceMs = 250

type Dispatch = SpendTurn & { kind: 'dispatch' }

/** The money path (R 7): durable mark, one request, durable result; exact redelivery finds what is stored. */
export function createSpendCall(options: SpendCallOptions): (call: AdmittedSpend) => Promise<ToolResult> {
  const { hubu, spend, monitor, secrets, timing } = options
  const inTurn = createInTurn()

  async function deliver(call: AdmittedSpend): Promise<ToolResult> {
    const started = timing.monotonicMs()
    let before: { recordedAt: string | null } | undefined
    for (;;) {
      const turn = await spend.begin(call.identity, call.tool, call.args)
      if (turn.kind === 'stored') return stored(turn.result)
      if (turn.kind === 'dispatch') return send(call, turn)
      before ??= { recordedAt: turn.recordedAt }
      if (turn.recordedAt !== before.recordedAt) {
        const found = await spend.stored(turn.handle)
        if (found !== null) return stored(found.result)
      }
      if (timing.monotonicMs() - started > patienceMs) throw ambiguous(turn.handle)
      await timing.pause(20 + timing.random() * 30)
      const found = await spend.stored(turn.handle)
      if (found !== null && found.recordedAt !== before.recordedAt) return stored(found.result)
    }
  }

  async function send(call: AdmittedSpend, turn: Dispatch): Promise<ToolResult> {
    const stopRenewing = timing.every(dispatchLeaseMs / 3, () => {
      spend.renew(turn.handle, turn.leaseId).catch(() => {})
    })
    try {
      return await exchange(call, turn)
    } finally {
      stopRenewing()
    }
  }

  async function exchange(call: AdmittedSpend, turn: Dispatch): Promise<ToolResult> {
    const members = { operation_key: turn.operationKey, task_id: turn.taskId }
    const ticket = monitor.ticket()
    const reply = await hubu.send(toHubuRequest(call.tool, call.args, { members }))
    switch (reply.kind) {
      case 'success':
        return record(turn, reply.value)
      case 'unavailable':
      case 'cancelled':
        await release(turn)
        monitor.markHubuUnavailable(call.cause, ticket)
        throw backendError('backend_unavailable', call.entry)
      case 'application_error':
        await release(turn)
        throw applicationError(reply, secrets, [turn.operationKey])
      case 'ambiguous':
      case 'invalid_response':
        return recover(turn)
    }
  }

  /** Hubu has acted: whatever fails from here on leaves an ambiguous outcome, never a failure that invites a new spend. */
  async function record(turn: Dispatch, answer: unknown): Promise<ToolResult> {
    try {
      const result = toPublicSpendResult(answer, turn.operationKey, turn.handle)
      return stored(await spend.record(turn.handle, turn.leaseId, result))
    } catch (error) {
      await release(turn)
      throw ambiguous(turn.handle, error)
    }
  }

  /** Another process may have been waiting for this very call and be recovering it already: look for its answer. */
  async function recover(turn: Dispatch): Promise<ToolResult> {
    await release(turn)
    const started = timing.monotonicMs()
    while (timing.monotonicMs() - started < graceMs) {
      await timing.pause(25)
      const found = await spend.stored(turn.handle).catch(() => null)
      if (found?.isTerminal) return stored(found.result)
    }
    throw ambiguous(turn.handle)
  }

  /** A lease that cannot be given back ends by itself. */
  async function release(turn: Dispatch): Promise<void> {
    await spend.release(turn.handle, turn.leaseId).catch(() => {})
  }

  return (call) => inTurn(`${call.identity.platform}\0${call.identity.harnessCallId}`, () => deliver(call))
}

function stored(result: string): ToolResult {
  return prettyResult(JSON.parse(result))
}

function ambiguous(handle: string, cause?: unknown): RouterError {
  return new RouterError(
    'hubu_result_ambiguous',
    `Hubu may have acted on this spend, but its answer was lost or unusable. Redeliver this identical call with the same harness ` +
      `identity; do not submit a replacement. Operation ${handle}.`,
    { cause },
  )
}
