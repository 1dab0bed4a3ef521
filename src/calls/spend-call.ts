import { withWrittenNumbers } from '../json/written-number.ts'
import { printValue } from '../json/print-value.ts'
import type { HubuClient } from '../backends/hubu/client.ts'
import { toHubuRequest } from '../backends/hubu/request.ts'
import type { HubuReply } from '../backends/hubu/response.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import type { CallIdentity } from '../identity/call-identity.ts'
import { dispatchLeaseMs, type Seen, type SpendOperations, type SpendTurn } from '../operations/spend-operations.ts'
import type { SpendTool } from '../operations/row.ts'
import type { Cause, Monitor } from '../capabilities/monitor.ts'
import { backendError } from './capability-gate.ts'
import { applicationError } from './hubu-call.ts'
import { toPublicSpendResult } from './spend-result.ts'
import { JsonText } from '../answers/json-text.ts'
import { relayHubuAnswer } from '../answers/relay.ts'
import type { Clock } from '../timing/clock.ts'
import type { Secret } from '../redaction/secret.ts'

export interface SpendCallOptions {
  hubu: HubuClient
  spend: SpendOperations
  monitor: Pick<Monitor, 'ticket' | 'markHubuUnavailable'>
  /** What must not show in Hubu's error texts. */
  secrets: readonly Secret[]
  clock: Pick<Clock, 'monotonicMs' | 'sleep' | 'every'>
  /** A number from 0 to 1. */
  random(): number
}

/** One spend, admitted: its schema, its identity and the availability of Hubu are checked. */
export interface AdmittedSpend {
  entry: ToolEntry
  tool: SpendTool
  args: Record<string, unknown>
  identity: CallIdentity
  cause: Cause
}

/** The longest wait for another delivery of the same call. */
const patienceMs = 15_000
/** How long an ambiguous outcome waits for somebody who may be about to send the same call, and so will learn the outcome. */
const graceMs = 250

type Dispatch = SpendTurn & { kind: 'dispatch' }

/** The money path: durable mark, one request, durable result; exact redelivery finds what is stored. */
export function createSpendCall(options: SpendCallOptions): (call: AdmittedSpend) => Promise<JsonText> {
  const { hubu, spend, monitor, secrets, clock, random } = options
  /** The dispatches of this process, by handle: their ends need not be looked for in the file. */
  const sending = new Map<string, Promise<unknown>>()

  async function deliver(call: AdmittedSpend): Promise<JsonText> {
    const started = clock.monotonicMs()
    let seen: Seen | undefined
    for (;;) {
      const turn = await spend.begin(call.identity, call.tool, call.args, seen)
      if (turn.kind === 'stored') return stored(turn.result)
      if (turn.kind === 'dispatch') return send(call, turn)
      seen ??= { recordedAt: turn.recordedAt }
      if (!(await untilFree(turn.handle, seen, started))) throw ambiguous(turn.handle)
    }
  }

  /** Waits while another delivery has the dispatch and has learned nothing; false when the patience ends. */
  async function untilFree(handle: string, seen: Seen, started: number): Promise<boolean> {
    for (;;) {
      const ours = sending.get(handle)
      if (ours !== undefined) await ours
      else await clock.sleep(20 + random() * 30)
      const view = await spend.look(handle, seen)
      if (!view.isBusy || view.news !== null) return true
      if (clock.monotonicMs() - started > patienceMs) return false
    }
  }

  async function send(call: AdmittedSpend, turn: Dispatch): Promise<JsonText> {
    const stopRenewing = clock.every(dispatchLeaseMs / 3, () => {
      spend.renew(turn.handle, turn.leaseId).catch(() => {})
    })
    const outcome = exchange(call, turn).finally(stopRenewing)
    const ended = outcome.then(
      () => {},
      () => {},
    )
    sending.set(turn.handle, ended)
    void ended.then(() => {
      if (sending.get(turn.handle) === ended) sending.delete(turn.handle)
    })
    const result = await outcome
    return result ?? recover(turn)
  }

  /** One request. The dispatch is given up or its result stored when this settles; undefined: the outcome is ambiguous. */
  async function exchange(call: AdmittedSpend, turn: Dispatch): Promise<JsonText | undefined> {
    const members = { operation_key: turn.operationKey, task_id: turn.taskId }
    const ticket = monitor.ticket()
    const reply = await hubu.send(toHubuRequest(call.tool, call.args, { members }))
    switch (reply.kind) {
      case 'success':
        return record(turn, reply)
      case 'unavailable':
      case 'cancelled':
        await release(turn)
        monitor.markHubuUnavailable(call.cause, ticket)
        throw inDoubt(backendError('backend_unavailable', call.entry), turn.isRepeated)
      case 'application_error':
        await release(turn)
        throw refused(applicationError(reply, secrets, [turn.operationKey]), turn.isRepeated || reply.status >= 500)
      case 'ambiguous':
      case 'invalid_response':
        await release(turn)
        return undefined
    }
  }

  /** Hubu has acted: whatever fails from here on leaves an ambiguous outcome, never a failure that invites a new spend. */
  async function record(turn: Dispatch, reply: HubuReply & { kind: 'success' }): Promise<JsonText> {
    try {
      const result = toPublicSpendResult(withWrittenNumbers(reply), turn.operationKey, turn.handle)
      return stored(await spend.record(turn.handle, turn.leaseId, result, printValue(result)))
    } catch (error) {
      await release(turn)
      throw ambiguous(turn.handle, error)
    }
  }

  /** A delivery that waited for this one sends the same call now: what it learns answers this one too. */
  async function recover(turn: Dispatch): Promise<JsonText> {
    const started = clock.monotonicMs()
    for (;;) {
      await clock.sleep(25)
      const view = await spend.look(turn.handle, turn).catch(() => null)
      if (typeof view?.news === 'string') return stored(view.news)
      const waited = clock.monotonicMs() - started
      if (waited >= (view?.isBusy ? patienceMs : graceMs)) throw ambiguous(turn.handle)
    }
  }

  /** A lease that cannot be given back ends by itself. */
  async function release(turn: Dispatch): Promise<void> {
    await spend.release(turn.handle, turn.leaseId).catch(() => {})
  }

  return deliver
}

/** A stored result goes out as it is stored, integers of any length included, each time in the same bytes. */
function stored(result: string): JsonText {
  return new JsonText([...relayHubuAnswer(result).pieces()].join(''))
}

/** Hubu's own refusal: an agent that makes the same call under new identities makes purchase after purchase. */
function refused(error: RouterError, isInDoubt: boolean): RouterError {
  if (isInDoubt) return inDoubt(error, true)
  const message = `${asSentence(error.message)} Correct the cause before another call; each new call is a purchase of its own.`
  return new RouterError(error.code, message, { data: error.details, cause: error })
}

/** A refusal of this try says nothing about an earlier one that Hubu may have carried out; the agent must not replace it. */
function inDoubt(error: RouterError, isInDoubt: boolean): RouterError {
  if (!isInDoubt) return error
  const message =
    `${asSentence(error.message)} An earlier try of this call may have been carried out: redeliver this identical call with the same ` +
    'harness identity; do not submit a replacement.'
  return new RouterError(error.code, message, { data: error.details, cause: error })
}

/** A backend's own words end in whatever they like; what follows them starts a new sentence. */
const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function ambiguous(handle: string, cause?: unknown): RouterError {
  return new RouterError(
    'hubu_result_ambiguous',
    `Hubu may have acted on this spend, but its answer was lost or unusable. Redeliver this identical call with the same harness ` +
      `identity; do not submit a replacement. Operation ${handle}.`,
    { cause },
  )
}
