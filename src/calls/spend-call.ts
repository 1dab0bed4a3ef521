import type { Purchase } from '#generated/types/router.js'
import { withWrittenNumbers } from '../json/written-number.ts'
import { printValue } from '../json/print-value.ts'
import type { HubuClient } from '../backends/hubu/client.ts'
import { toHubuRequest } from '../backends/hubu/request.ts'
import type { HubuReply } from '../backends/hubu/response.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import { RouterError } from '../errors/router-error.ts'
import { dispatchLeaseMs } from '../operations/dispatch-lease.ts'
import { possibleDuplicate } from '../operations/guard/refusal.ts'
import type { SpendOperations } from '../operations/spend-operations.ts'
import type { Seen, SpendAsk, SpendRefusal, SpendTurn, AnsweringOperation } from '../operations/spend-turn.ts'
import type { Cause, Monitor } from '../capabilities/monitor.ts'
import { backendError } from './capability-gate.ts'
import { applicationError } from './hubu-call.ts'
import { createOtherDeliveries } from './other-deliveries.ts'
import { explainCollision, noteOnEarlier, repeatingIdsWarning, tellsOfRepeatingIds } from './repeating-ids.ts'
import { purchaseOf, toPublicSpendResult } from './spend-result.ts'
import { JsonText } from '../answers/json-text.ts'
import { registryUnavailable, withoutLookup } from '../answers/refusals.ts'
import { relayHubuAnswer } from '../answers/relay.ts'
import type { Clock } from '../timing/clock.ts'
import type { Secret } from '../redaction/secret.ts'

export interface SpendCallOptions {
  hubu: HubuClient
  /** Null while the registry is unavailable. */
  spend(): SpendOperations | null
  /** A purchase waits for a human. */
  onWaiting(): void
  monitor: Pick<Monitor, 'ticket' | 'markHubuUnavailable'>
  /** What must not show in Hubu's error texts. */
  secrets: readonly Secret[]
  clock: Pick<Clock, 'monotonicMs' | 'sleep' | 'every'>
  /** A number from 0 to 1. */
  random(): number
  /** One sentence for the log. */
  warn?(message: string): void
}

/** One spend, admitted: its schema, its identity and the availability of Hubu are checked. */
export interface AdmittedSpend extends SpendAsk {
  entry: ToolEntry
  cause: Cause
  /** Told of the operation that answers the call, as soon as it is known. */
  concerns?(handle: string): void
}

/** The money path as one function. */
export type SpendCall = (call: AdmittedSpend) => Promise<JsonText>

type Dispatch = SpendTurn & { kind: 'dispatch' } & { purchase: Purchase | undefined; spend: SpendOperations }

/** The money path: durable mark, one request, durable result; exact redelivery finds what is stored. */
export function createSpendCall(options: SpendCallOptions): SpendCall {
  const { hubu, onWaiting, monitor, secrets, clock, random, warn = () => {} } = options
  const others = createOtherDeliveries(clock, random)
  const warned = new Set<string>()
  const warnOf = (identity: SpendAsk['identity']) => {
    if (identity === null || warned.has(identity.platform)) return
    warned.add(identity.platform)
    warn(repeatingIdsWarning(identity.platform))
  }

  async function deliver(call: AdmittedSpend): Promise<JsonText> {
    const spend = options.spend()
    if (spend === null) throw withoutLookup(registryUnavailable(call.tool))
    const started = clock.monotonicMs()
    let ask: SpendAsk = call
    let seen: Seen | undefined
    let first: AnsweringOperation | undefined
    for (;;) {
      const turn = await spend.begin(ask, seen).catch((error: unknown) => {
        const explained = explainCollision(error, call.identity)
        if (tellsOfRepeatingIds(explained)) warnOf(call.identity)
        throw explained
      })
      if (turn.kind === 'refused') {
        const note = noteOnEarlier(turn, call.identity)
        if (note === undefined) throw toError(turn.refusal)
        warnOf(call.identity)
        throw withAdvice(toError(turn.refusal), note)
      }
      if (turn.kind === 'duplicate') throw possibleDuplicate(turn.duplicate)
      // Later turns come back under the operation's own name; how the call got to it is told by the first one.
      first ??= turn
      call.concerns?.(turn.handle)
      const purchase = purchaseOf(first)
      if (turn.kind === 'stored') {
        const note = first.joinedAt === null ? noteOnEarlier(turn, call.identity) : undefined
        if (note !== undefined) warnOf(call.identity)
        return stored(turn.result, purchase, note)
      }
      if (turn.kind === 'dispatch') return send(call, { ...turn, purchase, spend })
      seen ??= { recordedAt: turn.recordedAt }
      ask = { ...ask, identity: turn.identity }
      if (!(await others.untilFree(spend, turn.handle, seen, started))) throw ambiguous(turn)
    }
  }

  async function send(call: AdmittedSpend, turn: Dispatch): Promise<JsonText> {
    const stopRenewing = clock.every(dispatchLeaseMs / 3, () => {
      turn.spend.renew(turn.handle, turn.leaseId).catch(() => {})
    })
    const outcome = exchange(call, turn).finally(stopRenewing)
    others.sends(turn.handle, outcome)
    const result = await outcome
    if (result !== undefined) return result
    const learned = await others.learned(turn.spend, turn)
    if (learned === undefined) throw ambiguous(turn)
    return stored(learned, turn.purchase)
  }

  /** One request. The dispatch is given up or its result stored when this settles; undefined: the outcome is ambiguous. */
  async function exchange(call: AdmittedSpend, turn: Dispatch): Promise<JsonText | undefined> {
    const members = { operation_key: turn.operationKey, task_id: turn.taskId }
    const ticket = monitor.ticket()
    const reply = await hubu.send(toHubuRequest(call.tool, call.args, { members }))
    switch (reply.kind) {
      case 'success':
        return record(call, turn, reply)
      case 'unavailable':
      case 'cancelled':
        await release(turn)
        monitor.markHubuUnavailable(call.cause, ticket)
        throw inDoubt(backendError('backend_unavailable', call.entry), turn, turn.isRepeated)
      case 'application_error':
        throw await refusedBy(turn, reply)
      case 'ambiguous':
      case 'invalid_response':
        await release(turn)
        return undefined
    }
  }

  /** What Hubu's refusal means for the operation is durable before anybody is told. */
  async function refusedBy(turn: Dispatch, reply: HubuReply & { kind: 'application_error' }): Promise<RouterError> {
    const { handle, leaseId } = turn
    const error = applicationError(reply, secrets, [turn.operationKey])
    const refusal = endOf(reply, turn, error)
    if (refusal !== undefined) {
      // Where it cannot be written down, the next delivery asks Hubu again; nothing was carried out either way.
      await turn.spend.refuse(handle, leaseId, refusal).catch(() => {})
      return toError(refusal)
    }
    await release(turn)
    // Asking too often is the one refusal that says for certain that nothing was carried out.
    return turn.isRepeated || reply.status !== 429 ? inDoubt(error, turn, true) : withAdvice(error, deliverAgain)
  }

  /** Hubu has acted: whatever fails from here on leaves an ambiguous outcome, never a failure that invites a new spend. */
  async function record(
    call: AdmittedSpend,
    turn: Dispatch,
    reply: HubuReply & { kind: 'success' },
  ): Promise<JsonText> {
    try {
      const result = toPublicSpendResult(withWrittenNumbers(reply), turn)
      const text = await turn.spend.record(turn.handle, turn.leaseId, result, printValue(result))
      if (result.requires_human_approval === true && call.buyer !== null) onWaiting()
      return stored(text, turn.purchase)
    } catch (error) {
      await release(turn)
      throw ambiguous(turn, error)
    }
  }

  /** A lease that cannot be given back ends by itself. */
  async function release(turn: Dispatch): Promise<void> {
    await turn.spend.release(turn.handle, turn.leaseId).catch(() => {})
  }

  return deliver
}

/**
 * A stored result goes out as it is stored, integers of any length included, each time in the same bytes; what the call has to do
 * with an earlier purchase is put on here, and a note of ours comes after it.
 */
function stored(result: string, purchase: Purchase | undefined, note?: string): JsonText {
  const text = purchase === undefined ? result : `${result.slice(0, -1)},"purchase":${JSON.stringify(purchase)}}`
  return new JsonText([...relayHubuAnswer(text, note).pieces()].join(''))
}

/** These ask for the same request again, or speak of an earlier one under the same key; every other 4xx ends it. */
const openStatuses = new Set([408, 409, 425, 429])

const correctIt = 'Correct the cause before another call; each new call is a purchase of its own.'

const deliverAgain = 'Nothing was carried out. Redeliver this identical call later; do not submit a replacement.'

const tooLate =
  'A human had approved this spend, but it was not delivered again before its authorization ran out, so nothing was paid. If it ' +
  'is still wanted, ask for it in a new call; a human must approve it again.'

/** How a refusal ends the operation; undefined when it does not, or when an earlier try may have been carried out. */
function endOf(
  { status, errorText = '' }: HubuReply & { kind: 'application_error' },
  turn: Dispatch,
  error: RouterError,
): SpendRefusal | undefined {
  // Hubu answers a payment that was made before it looks at the time, so an authorization that ran out was never paid.
  if (turn.isWaiting && status === 400 && /\bexpired\b/.test(errorText))
    return { code: 'authorization_continuation_unavailable', message: withAdvice(error, tooLate).message }
  if (turn.isRepeated || status < 400 || status > 499 || openStatuses.has(status)) return undefined
  return { code: 'spend_refused', message: withAdvice(error, correctIt).message }
}

function toError({ message }: SpendRefusal): RouterError {
  return new RouterError('hubu_application_error', message)
}

function withAdvice(error: RouterError, advice: string): RouterError {
  return new RouterError(error.code, `${asSentence(error.message)} ${advice}`, { data: error.details, cause: error })
}

/** A refusal of this try says nothing about an earlier one that Hubu may have carried out; the agent must not replace it. */
function inDoubt(error: RouterError, standing: AnsweringOperation, isInDoubt: boolean): RouterError {
  if (!isInDoubt) return error
  return withAdvice(error, `An earlier try of this call may have been carried out: ${again(standing)}`)
}

function again({ isGuarded }: AnsweringOperation): string {
  return isGuarded
    ? 'make this call again with exactly the same arguments; do not submit a replacement.'
    : 'redeliver this identical call with the same harness identity; do not submit a replacement.'
}

/** A backend's own words end in whatever they like; what follows them starts a new sentence. */
const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function ambiguous(standing: AnsweringOperation, cause?: unknown): RouterError {
  const advice = again(standing)
  return new RouterError(
    'hubu_result_ambiguous',
    `Hubu may have acted on this spend, but its answer was lost or unusable. ${advice[0]?.toUpperCase()}${advice.slice(1)} ` +
      `Operation ${standing.handle}.`,
    { cause },
  )
}
