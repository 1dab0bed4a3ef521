// What must hold whatever happens: checked after every commit, every dispatch, every answer, and at the end.
import { isTerminal, type OperationRow } from '../../src/operations/row.ts'
import { dispatchLeaseMs } from '../../src/operations/dispatch-lease.ts'
import { workerLeaseMs } from '../../src/operations/worker-operations.ts'
import { bearerCanary } from './bad-answers.ts'
import type { Life } from './life.ts'
import type { CallName } from './naming.ts'
import { RegistryView } from './registry-view.ts'
import type { Reply } from './reply.ts'
import type { World } from './world.ts'

/** A request that nobody has answered yet. */
interface Dispatch {
  life: Life
  sinceMs: number
}

/** Columns that are written once. */
const writtenOnce = [
  'operation_key',
  'operation_handle',
  'request_hash',
  'tool_name',
  'dispatch_started_at',
  'gongbu_request_hash',
  'gongbu_execution_id',
  'gongbu_create_started_at',
  'operation_deadline_at',
] as const

const counters = ['dispatch_attempts', 'reconciliation_attempts'] as const

/** Errors that say "not now" and nothing about the call itself. */
const passing = new Set(['operation_registry_error', 'operation_registry_unavailable', 'backend_unavailable'])

export class Watch {
  readonly #world: World
  readonly #statePath: string
  #view: RegistryView
  readonly #dispatches = new Map<string, Set<Dispatch>>()
  readonly #terminal = new Map<string, { result: string; atMs: number }>()
  readonly #closed = new Map<string, string>()
  readonly #intents = new Map<string, number | undefined>()
  readonly #holders = new Map<string, Life>()

  constructor(world: World, statePath: string) {
    this.#world = world
    this.#statePath = statePath
    this.#view = new RegistryView(statePath)
  }

  /** The rows as they are now. */
  rows(): OperationRow[] {
    return this.#view.rows()
  }

  close(): void {
    this.#view.close()
  }

  /** The file at the path is about to be another one. */
  letGo(): void {
    this.#view.close()
    this.#view = new RegistryView(this.#statePath)
  }

  intentOfKey(key: string): number | undefined {
    return this.#intents.get(key)
  }

  /** A process committed: nothing that was settled may have moved. */
  committed(life: Life, hasWritten: boolean): void {
    if (hasWritten && life.openedAtMs < this.#world.swappedAtMs)
      return this.#world.blame('nobody writes into a file that was taken away', `${life.name} does`)
    for (const { before, now: row } of this.#view.changes()) {
      if (before !== undefined) this.#compare(before, row, life)
      if (row.worker_lease_id !== null && !this.#holders.has(row.worker_lease_id))
        this.#holders.set(row.worker_lease_id, life)
      const intent = intentOfRow(row)
      if (row.operation_key !== null) this.#intents.set(row.operation_key, intent)
      this.#tellChange(before, row, intent)
    }
  }

  /** A process sends something that must not be under way twice. The result is called when it has its answer. */
  dispatched(what: string, life: Life, intent: number | undefined): () => void {
    const others = this.#dispatches.get(what) ?? new Set()
    // Who lives ahead takes every lease for over, and gives leases that no other believes; what is sent twice then has one key.
    const isAnyAhead = this.#world.plan.processes.some(({ aheadMs = 0 }) => aheadMs > 0)
    for (const other of others) {
      const calmSinceMs = Math.max(life.disturbedAtMs, other.life.disturbedAtMs, this.#world.sleptAtMs)
      // Its lease went away with the file; what is sent twice then has one key.
      const isForgotten = other.sinceMs <= this.#world.swappedAtMs
      if (!isAnyAhead && !isForgotten && !other.life.isDead && calmSinceMs < other.sinceMs - workerLeaseMs)
        this.#world.blame('one dispatch at a time', `${life.name} sends ${what} while ${other.life.name} waits`, intent)
    }
    const mine: Dispatch = { life, sinceMs: this.#world.time.nowMs }
    this.#dispatches.set(what, others.add(mine))
    return () => others.delete(mine)
  }

  /** An agent reads an answer. */
  heard(bytes: string, intent: number): void {
    const keys = [...this.#intents.keys()]
    const secret = [...keys, bearerCanary, 'hubu:operation:v1:', 'prompt-canary'].find((one) => bytes.includes(one))
    if (secret !== undefined)
      this.#world.blame(
        'no private key, token or prompt reaches an agent',
        `${secret} in ${bytes.slice(0, 300)}`,
        intent,
      )
  }

  /** A status or an acknowledgement was read: once it is terminal it says the same for ever. */
  projected(status: Record<string, unknown>, intent: number): void {
    if (status.terminal !== true) return
    const [handle, text] = [String(status.operation_handle), JSON.stringify(status)]
    const known = this.#closed.get(handle)
    if (known !== undefined && known !== text)
      this.#world.blame('no terminal state ever changes', `${known} became ${text}`, intent)
    this.#closed.set(handle, text)
  }

  /** A spend call, delivered at `sinceMs`, was answered. */
  spendAnswered({ intent, generation }: CallName, reply: Reply, sinceMs: number): void {
    if (reply.kind === 'lost') return
    this.heard(reply.bytes, intent)
    const { isGuarded } = this.#world.plan
    // Equal calls without an identity may be answered by several operations, or refused for the sake of one.
    if (isGuarded && reply.kind === 'error') return
    const handle = reply.kind === 'result' ? String(reply.value.operation_handle) : ''
    const name = isGuarded ? `${intent}.${generation} ${handle}` : `${intent}.${generation}`
    const known = this.#terminal.get(name)
    // Who has lost the file asks Hubu again, which says the same once its answer arrives.
    const isKept = this.#world.plan.swap === undefined
    const isLater = isKept && known !== undefined && known.atMs < sinceMs
    const broken = (detail: string) =>
      this.#world.blame('a stored terminal result answers every later delivery verbatim', detail, intent)
    if (reply.kind === 'tool_error') return broken(`call ${name} got a tool error`)
    if (reply.kind === 'error' && reply.code === 'hubu_result_ambiguous' && this.#world.plan.serialMs !== undefined)
      this.#world.blame('a backlog leaves nothing in doubt', `call ${name} is in doubt`, intent)
    if (reply.kind === 'error') {
      if (isLater && !passing.has(reply.code)) broken(`call ${name} got ${reply.code} after its terminal result`)
      return
    }
    const isFinal = reply.value.decision === 'allow' || reply.value.decision === 'deny'
    if (!isFinal) {
      if (isLater) broken(`call ${name} is ${String(reply.value.decision)} after its terminal result`)
      return
    }
    const { purchase: _purchase, ...told } = reply.value
    const result = withoutToken(isGuarded ? JSON.stringify(told) : withoutNote(reply.bytes))
    if (known === undefined) this.#terminal.set(name, { result, atMs: this.#world.time.nowMs })
    else if (known.result !== result) broken(`call ${name} got another result: ${known.result} then ${result}`)
  }

  #compare(before: OperationRow, now: OperationRow, life: Life): void {
    const intent = this.#intents.get(before.operation_key ?? '')
    const broken = (promise: string, what: string) =>
      this.#world.blame(promise, `${before.harness_call_id}: ${what}`, intent)
    for (const column of writtenOnce)
      if (before[column] !== null && before[column] !== now[column]) broken('what is written once stays', column)
    for (const column of counters) if (now[column] < before[column]) broken('counters only grow', column)
    const outcome = (row: OperationRow) => `${String(row.operation_state)}/${String(row.operation_result_code)}`
    if (this.#takesAway(before, now, life)) broken("a lease is its holder's until it ends", `${life.name} ended it`)
    if (this.#isWrittenByAnother(before, now, life))
      broken('only the holder of the lease records an outcome', `${life.name} recorded one`)
    this.#judgeTimes(before, now, intent)
    if (isTerminal(before.operation_state) && outcome(before) !== outcome(now))
      broken('no terminal state ever changes', `${outcome(before)} became ${outcome(now)}`)
    if (before.decision !== 'allow' && before.decision !== 'deny') return
    const decision = (row: OperationRow) => `${String(row.decision)} ${withoutToken(row.result_json ?? '')}`
    if (decision(before) !== decision(now))
      broken('no terminal state ever changes', `${decision(before)} became ${decision(now)}`)
    if (before.gongbu_create_started_at !== null && before.auth_token_id !== now.auth_token_id)
      broken('an acknowledged authorization is kept', 'auth_token_id')
  }

  /** Nothing is ended before its time, whatever one process takes for the time. */
  #judgeTimes(before: OperationRow, now: OperationRow, intent: number | undefined): void {
    const isAhead = (instant: string | null) =>
      instant !== null && Date.parse(instant) > this.#world.wallNow().getTime()
    const lost = before.auth_token_id !== null && now.auth_token_id === null
    if (lost && isAhead(before.authorization_expires_at))
      this.#world.blame('nothing is ended before its time', 'a live authorization was erased', intent)
    const code = now.operation_result_code
    if (
      code === 'operation_deadline_exhausted' &&
      code !== before.operation_result_code &&
      isAhead(now.operation_deadline_at)
    )
      this.#world.blame('nothing is ended before its time', 'an execution was given up', intent)
  }

  /** Whether somebody else ended a lease that lasts. What ends the work for good may do so, and an acknowledgement. */
  #takesAway(before: OperationRow, now: OperationRow, life: Life): boolean {
    const { worker_lease_id: lease, worker_lease_expires_at: ends } = before
    if (lease === null || lease === now.worker_lease_id || this.#holders.get(lease) === life) return false
    if (life.aheadMs !== 0) return false
    const isForGood = isTerminal(now.operation_state) || now.operation_state === 'accepted'
    if (isForGood || ends === null) return false
    const leftMs = Date.parse(ends) - this.#world.wallNow().getTime()
    const longestMs = before.operation_state === null ? dispatchLeaseMs : workerLeaseMs
    return leftMs > 0 && leftMs <= longestMs
  }

  /** Whether a schedule or a counter of an acknowledged operation was moved by somebody who does not hold it. */
  #isWrittenByAnother(before: OperationRow, now: OperationRow, life: Life): boolean {
    if (before.operation_state === null || isTerminal(now.operation_state)) return false
    const isHolder = before.worker_lease_id !== null && this.#holders.get(before.worker_lease_id) === life
    const columns = [...counters, 'observation_failures', 'next_operation_attempt_at'] as const
    return !isHolder && columns.some((column) => before[column] !== now[column])
  }

  #tellChange(before: OperationRow | undefined, row: OperationRow, intent: number | undefined): void {
    const shown = (one: OperationRow | undefined) =>
      one === undefined
        ? 'no row'
        : one.operation_state === null
          ? `${one.decision ?? 'undecided'}${one.worker_lease_id === null ? '' : ', leased'}`
          : `${one.operation_state} ${one.operation_result_code ?? ''}${one.worker_lease_id === null ? '' : ', leased'} d${one.dispatch_attempts} o${one.observation_failures} r${one.reconciliation_attempts}`
    if (shown(before) !== shown(row)) this.#world.tell('file', `${row.harness_call_id}: ${shown(row)}`, intent)
  }
}

/** The intent that a row is for; undefined where the router named it, so that its history is everybody's. */
export function intentOfRow(row: OperationRow): number | undefined {
  const digits = /call-(\d+)-/.exec(row.harness_call_id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** What is said beside a result to a client whose ids seem to repeat is no part of it. */
function withoutNote(bytes: string): string {
  const { content, ...rest } = JSON.parse(bytes) as { content: unknown[] }
  return JSON.stringify({ ...rest, content: content.slice(0, 1) })
}

/** An expired authorization id leaves the stored result; everything else of it stays. */
function withoutToken(text: string): string {
  return text.replaceAll(/\\?"auth_token_id\\?": ?\\?"tok-\d+\\?",?(\\n *)?/g, '').replaceAll(/\s|\\n/g, '')
}
