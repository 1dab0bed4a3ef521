// Hubu in memory: decides once for each operation key, repeats itself for the same request, and counts what it charged.
import type { HttpRequest } from '../../src/backends/http-client.ts'
import { createOutages } from './outages.ts'
import { amountOf, intentOf, type CallName } from './naming.ts'
import type { Answer } from './answer.ts'
import type { Backend } from './wire.ts'
import type { World } from './world.ts'

/** One decision, as Hubu keeps it. */
export interface HubuRecord {
  key: string
  call: CallName
  scope: string
  decision: 'allow' | 'deny' | 'needs_approval'
  token: string
  expiresAtMs: number | null
  /** Charges on the ledger: of the spend itself, or of the execution that it allowed. */
  charges: number
}

export class SimulatedHubu implements Backend {
  readonly name = 'hubu'
  readonly #world: World
  readonly #records = new Map<string, HubuRecord>()
  readonly #keyOf = new Map<string, string>()
  readonly #outages
  readonly #random
  #busyUntilMs = 0

  constructor(world: World) {
    this.#world = world
    this.#random = world.random('hubu')
    this.#outages = createOutages(world, 'hubu')
  }

  get isUp(): boolean {
    return this.#outages.isUp
  }

  get life(): number {
    return this.#outages.life
  }

  /** Every decision made. */
  get records(): HubuRecord[] {
    return [...this.#records.values()]
  }

  byToken(token: string): HubuRecord | undefined {
    return this.records.find((record) => record.token === token)
  }

  async receive(request: HttpRequest): Promise<Answer> {
    const { life } = this
    await this.#world.time.pause(this.#random.between(0, 20))
    await this.#turn()
    if (this.life !== life) return json(503, { error: 'stopping' })
    const { operation_key: key, ...scope } = JSON.parse(request.body ?? '{}') as Record<string, unknown>
    const call = intentOf(String(scope.reason))
    const known = this.#records.get(String(key))
    const record = known ?? this.#decide(String(key), call, JSON.stringify([request.path, scope]))
    if (record.scope !== JSON.stringify([request.path, scope])) {
      this.#world.blame('a call that collides reaches nobody', `Hubu saw two requests under one key`, call.intent)
      return json(409, { error: 'changed scope retry is unsafe' })
    }
    return json(200, this.#show(record, scope.task_id))
  }

  /** What nobody waits for any more is worked on all the same, as in a real backlog. */
  #turn(): Promise<void> {
    const { plan, time } = this.#world
    if (plan.serialMs === undefined) return Promise.resolve()
    this.#busyUntilMs = Math.max(this.#busyUntilMs, time.nowMs) + plan.serialMs
    return time.pause(this.#busyUntilMs - time.nowMs)
  }

  /** Nothing stays with a human. */
  decideAll(): void {
    for (const record of this.#records.values()) this.#resolve(record)
  }

  #decide(key: string, call: CallName, scope: string): HubuRecord {
    const { intent, generation } = call
    const name = `${intent}.${generation}`
    const earlier = this.#keyOf.get(name)
    const isSecond = earlier !== undefined && earlier !== key
    // Without identities, what certainly cost nothing may be asked for again; what waits may not, and charges are counted below.
    const waits = this.#records.get(earlier ?? '')?.decision === 'needs_approval'
    if (isSecond && this.#world.plan.isGuarded && waits)
      this.#world.blame('nobody reviews one purchase twice', `Hubu saw a second request for call ${name}`, intent)
    if (isSecond && !this.#world.plan.isGuarded)
      this.#world.blame('one private key for each harness call', `Hubu saw a second key for call ${name}`, intent)
    this.#keyOf.set(name, key)
    const wanted = this.#world.intent(intent)
    if (wanted === undefined || !scope.includes(`"amount_cents":${amountOf(intent)}`))
      this.#world.blame('a call that collides reaches nobody', 'Hubu saw arguments that nobody was told', intent)
    const isAllowed = wanted?.verdict === 'allow'
    const record: HubuRecord = {
      key,
      call,
      scope,
      decision: isAllowed ? 'allow' : wanted?.verdict === 'deny' ? 'deny' : 'needs_approval',
      token: `tok-${this.#records.size + 1}`,
      expiresAtMs: null,
      charges: 0,
    }
    this.#records.set(key, record)
    this.#world.tell('hubu', `decides ${record.decision} for call ${name}`, intent)
    if (isAllowed) this.#allow(record)
    if (record.decision === 'needs_approval')
      this.#world.time.after(this.#random.between(300, 4000), () => this.#resolve(record))
    return record
  }

  #resolve(record: HubuRecord): void {
    if (record.decision !== 'needs_approval') return
    const wanted = this.#world.intent(record.call.intent)
    record.decision = wanted?.verdict === 'deny_later' ? 'deny' : 'allow'
    this.#world.tell('hubu', `a human says ${record.decision}`, record.call.intent)
    if (record.decision === 'allow') this.#allow(record)
  }

  #allow(record: HubuRecord): void {
    const wanted = this.#world.intent(record.call.intent)
    const lifeMs = wanted?.expiresInMs ?? null
    record.expiresAtMs = lifeMs === null ? null : this.#world.wallNow().getTime() + lifeMs
    if (wanted?.tool === 'hubu_submit_spend') this.charge(record)
  }

  charge(record: HubuRecord): void {
    record.charges++
    this.#world.tell('hubu', `charges call ${record.call.intent}.${record.call.generation}`, record.call.intent)
    const charged = this.records.filter(({ call }) => call.intent === record.call.intent)
    if (charged.reduce((sum, { charges }) => sum + charges, 0) > 1)
      this.#world.blame(
        'each intent is charged at most once',
        `intent ${record.call.intent} was charged again`,
        record.call.intent,
      )
  }

  #show({ key, decision, token, expiresAtMs }: HubuRecord, taskId: unknown): object {
    const told = {
      operation_key: key,
      task_id: taskId,
      decision,
      reason: `decided for ${key}`,
      review: { operation_key: key, note: `see ${key}` },
    }
    if (decision === 'allow')
      return {
        ...told,
        decision_id: `dec-${token}`,
        auth_token_id: token,
        authorization_expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
      }
    return { ...told, ...(decision === 'needs_approval' && { approval: { approval_request_id: `apr-${token}` } }) }
  }
}

function json(status: number, value: unknown): Answer {
  return { status, contentType: 'application/json', body: JSON.stringify(value) }
}
