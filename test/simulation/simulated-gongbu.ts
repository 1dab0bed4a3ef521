// Gongbu in memory: one execution for each operation; equal creates that overlap are refused as the real one refuses them.
import type { GongbuExecutionStatus } from '#generated/types/backends.js'
import type { HttpRequest } from '../../src/backends/http-client.ts'
import { createOutages } from './outages.ts'
import type { Ending } from './plan.ts'
import type { HubuRecord, SimulatedHubu } from './simulated-hubu.ts'
import type { Answer } from './answer.ts'
import type { Backend } from './wire.ts'
import type { World } from './world.ts'

/** One execution, as Gongbu keeps it. */
export interface GongbuRecord {
  id: string
  key: string
  request: string
  intent: number
  status: GongbuExecutionStatus
}

export class SimulatedGongbu implements Backend {
  readonly name = 'gongbu'
  readonly #world: World
  readonly #hubu: SimulatedHubu
  readonly #executions: GongbuRecord[] = []
  readonly #posted = new Map<string, string>()
  readonly #outages
  readonly #random

  constructor(world: World, hubu: SimulatedHubu) {
    this.#world = world
    this.#hubu = hubu
    this.#random = world.random('gongbu')
    this.#outages = createOutages(world, 'gongbu')
  }

  get isUp(): boolean {
    return this.#outages.isUp
  }

  get life(): number {
    return this.#outages.life
  }

  byKey(key: string): GongbuRecord | undefined {
    return this.#executions.find((execution) => execution.key === key)
  }

  async receive(request: HttpRequest): Promise<Answer> {
    const { life } = this
    const answer = request.method === 'POST' ? await this.#create(request.body ?? '') : this.#read(request.path)
    return this.life === life ? answer : refusal(503, 'stopping')
  }

  async #create(text: string): Promise<Answer> {
    const token = String((JSON.parse(text) as Record<string, unknown>).spend_auth_token_id)
    const authorization = this.#hubu.byToken(token)
    if (authorization === undefined) return refusal(400, 'invalid_request')
    const { intent } = authorization.call
    const earlier = this.#posted.get(token)
    this.#posted.set(token, text)
    if (earlier !== undefined && earlier !== text)
      this.#world.blame('every dispatch posts the same bytes', 'Gongbu saw other bytes', intent)
    const known = this.byKey(authorization.key)
    if (known !== undefined) return known.request === text ? show(known, 2) : refusal(409, 'immutable_scope_conflict')
    const { life } = this
    await this.#world.time.pause(this.#admissionMs(earlier === undefined))
    if (this.life !== life) return refusal(503, 'stopping')
    return this.#admit(authorization, text)
  }

  /** The first create of an operation may take longer than its sender waits; the next one then overlaps it. */
  #admissionMs(isFirst: boolean): number {
    const mostMs = this.#world.plan.admissionMs
    if (isFirst && mostMs > 3000 && this.#random.chance(0.6)) return this.#random.between(3000, mostMs)
    return this.#random.between(1, Math.min(mostMs, 2500))
  }

  /** Hubu has been asked; whoever was faster owns the operation, and its equals are refused. */
  #admit(authorization: HubuRecord, text: string): Answer {
    const { intent } = authorization.call
    if (this.byKey(authorization.key) !== undefined) {
      this.#world.tell('gongbu', 'refuses an equal create that overlapped', intent)
      return this.#random.chance(0.5) ? refusal(409, 'operation_key_in_use') : refusal(400, 'invalid_request')
    }
    const { expiresAtMs } = authorization
    if (expiresAtMs !== null && expiresAtMs <= this.#world.wallNow().getTime()) return refusal(400, 'invalid_request')
    const ending = this.#world.intent(intent)?.ending ?? 'succeeded'
    if (ending === 'refused') return this.#refuseForGood(intent)
    const id = `exec-${this.#executions.length + 1}`
    const record: GongbuRecord = { id, key: authorization.key, request: text, intent, status: 'pending' }
    this.#executions.push(record)
    this.#world.tell('gongbu', `begins ${id}`, intent)
    this.#run(record, authorization, ending)
    return show(record, 2)
  }

  #refuseForGood(intent: number): Answer {
    const diagnostic = { reason_code: 'pricing_selector_not_matched', fields: ['input.image_size'] }
    const answers = [
      refusal(400, 'invalid_request'),
      refusal(400, 'invalid_request', diagnostic),
      refusal(409, 'immutable_scope_conflict'),
      refusal(422, 'unfit'),
    ]
    return answers[intent % answers.length] as Answer
  }

  #run(record: GongbuRecord, authorization: HubuRecord, ending: Ending): void {
    const become = (status: GongbuExecutionStatus, ms: number, then?: () => void) =>
      this.#world.time.after(ms, () => {
        record.status = status
        this.#world.tell('gongbu', `${record.id} is ${status}`, record.intent)
        if (status === 'succeeded') this.#hubu.charge(authorization)
        then?.()
      })
    const random = this.#random
    become('executing', random.between(1, 2000), () => {
      const longMs = random.between(1, 10_000)
      if (ending === 'stuck') return
      if (ending === 'failed' || ending === 'released') return become(ending, longMs)
      if (ending === 'unreconciled') return become('reconciliation_required', longMs)
      if (ending === 'reconciled')
        return become('reconciliation_required', longMs, () => become('succeeded', random.between(1, 200_000)))
      become('settling', longMs, () => become('succeeded', random.between(1, 500)))
    })
  }

  #read(path: string): Answer {
    const execution = this.#executions.find(({ id }) => path === `/v1/executions/${id}`)
    return execution === undefined ? refusal(404, 'not_found') : show(execution, 1)
  }
}

function show({ id, key, status }: GongbuRecord, schemaVersion: 1 | 2): Answer {
  const at = '2026-11-29T00:00:00Z'
  const failure = status === 'failed' ? { code: 'provider_failed', message: `the provider refused ${key}` } : null
  const body = {
    schema_version: schemaVersion,
    execution_id: id,
    operation_key: key,
    status,
    outcome: status === 'succeeded' ? `made for ${key}` : null,
    failure,
    authorization: { amount_minor: 100, currency: 'USD' },
    created_at: at,
    updated_at: at,
    started_at: null,
    completed_at: null,
  }
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body) }
}

function refusal(status: number, code: string, more: object = {}): Answer {
  const error = { code, message: 'a private detail', ...more }
  return { status, contentType: 'application/json', body: JSON.stringify({ schema_version: 2, error }) }
}
