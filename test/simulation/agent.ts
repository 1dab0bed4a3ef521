// An agent and its harness: wants one thing, delivers one call for it until it knows, and never pays twice for it.
import { createArguments, metaOf, spendArguments } from './naming.ts'
import type { Intent } from './plan.ts'
import type { Random } from './random.ts'
import type { Reply } from './reply.ts'
import type { RouterProcess } from './router-process.ts'
import type { Watch } from './watch.ts'
import type { World } from './world.ts'

export class Agent {
  readonly intent: Intent
  /** Which call of this intent counts: a refusal that is certain is followed by a new call. */
  generation = 0
  /** The handle of the execution that was acknowledged to this agent. */
  acknowledged: string | null = null
  readonly #world: World
  readonly #watch: Watch
  readonly #processes: readonly RouterProcess[]
  readonly #random: Random

  constructor(world: World, watch: Watch, processes: readonly RouterProcess[], intent: Intent) {
    this.intent = intent
    this.#world = world
    this.#watch = watch
    this.#processes = processes
    this.#random = world.random(`agent ${intent.n}`)
  }

  /** Acts until the busy time is over. */
  async act(): Promise<void> {
    await this.#rest(0, this.#world.plan.serialMs === undefined ? this.#world.plan.activeMs * 0.5 : 50)
    for (let redeliveries = this.#random.between(0, 2); redeliveries >= 0 && this.#isActive();) {
      const copies = this.#random.chance(this.#world.plan.impatience) ? this.#random.between(2, 4) : 1
      const replies = await Promise.all(
        Array.from({ length: copies }, (_, i) => this.#deliverLater(i === 0 ? 0 : 8000)),
      )
      const decided = replies.find((reply) => reply.kind === 'result' && reply.value.decision !== 'needs_approval')
      if (decided?.kind === 'result') {
        redeliveries--
        if (this.intent.hasExecution && decided.value.decision === 'allow')
          await this.#execute(String(decided.value.auth_token_id))
      }
      const { swap, isGuarded } = this.#world.plan
      const isKnown = replies.some(wasHandled) && swap === undefined && !isGuarded
      if (isKnown && this.#random.chance(0.1)) await this.#collide()
      if (replies.every(isCertainRefusal) && this.#random.chance(0.6)) this.beginAnew()
      await this.#rest(50, 3000)
    }
  }

  /** Nothing was carried out for this call, and nothing ever will be: what is wanted still needs another one. */
  beginAnew(): void {
    this.generation++
    this.#tell(`is certain that nothing happened and makes call ${this.intent.n}.${this.generation} instead`)
  }

  /** Delivers the spend call to some process that serves. */
  async deliverSpend(process = this.#someProcess()): Promise<Reply> {
    const { intent, generation } = this
    const call = { intent: intent.n, generation }
    const sinceMs = this.#world.time.nowMs
    const reply = await this.#call(process, {
      name: intent.tool,
      arguments: spendArguments(intent, generation),
      ...(!this.#world.plan.isGuarded && { _meta: metaOf(intent, generation) }),
    })
    this.#watch.spendAnswered(call, reply, sinceMs)
    return reply
  }

  /** Every process looks again whether the backends are there, instead of when its schedule says so. */
  async refresh(): Promise<void> {
    for (const process of this.#processes.filter((one) => one.isServing))
      await this.#call(process, { name: 'hubu_unified_capabilities', arguments: {} })
  }

  /** Asks for the execution; true when it was acknowledged or can never be. */
  async deliverCreate(token: string, process = this.#someProcess()): Promise<boolean> {
    const reply = await this.#call(process, {
      name: 'gongbu_create_execution',
      arguments: createArguments(this.intent.n, token),
    })
    if (reply.kind === 'result') {
      this.acknowledged = String(reply.value.operation_handle)
      this.#watch.projected(reply.value, this.intent.n)
    }
    return reply.kind === 'result' || (reply.kind === 'error' && reply.code === 'continuation_unknown')
  }

  /** A delivery at some moment. A harness that hears nothing delivers the same call again, to another process perhaps. */
  async #deliverLater(mostMs: number): Promise<Reply> {
    if (this.#random.chance(0.7)) await this.#rest(0, mostMs)
    const first = this.deliverSpend()
    const patience = this.#rest(1500, 8000).then(() => null)
    const early = await Promise.race([first, patience])
    if (early !== null) return early
    const again = await this.deliverSpend()
    const late = await first
    return isCertainRefusal(again) ? late : again
  }

  async #execute(token: string): Promise<void> {
    await this.#rest(1, this.#random.chance(0.1) ? 30_000 : 500)
    if (this.acknowledged === null)
      while (this.#isActive() && !(await this.deliverCreate(token))) await this.#rest(50, 1000)
    for (let looks = this.#random.between(0, 6); looks > 0 && this.acknowledged !== null && this.#isActive(); looks--) {
      await this.#rest(100, 5000)
      await this.#look(this.acknowledged)
      if (this.#random.chance(0.3)) await this.deliverCreate(token)
    }
  }

  async #look(handle: string): Promise<void> {
    const status = await this.#call(this.#someProcess(), {
      name: 'hubu_operation_status',
      arguments: { operation_handle: handle },
    })
    if (status.kind === 'result') this.#watch.projected(status.value, this.intent.n)
    if (status.kind !== 'result' || typeof status.value.execution_id !== 'string' || this.#random.chance(0.5)) return
    await this.#call(this.#someProcess(), {
      name: 'gongbu_get_execution',
      arguments: { execution_id: status.value.execution_id },
    })
  }

  /** The same identity with other arguments: whatever the answer, nobody may be asked. */
  async #collide(): Promise<void> {
    const { intent, generation } = this
    await this.#call(this.#someProcess(), {
      name: intent.tool,
      arguments: { ...spendArguments(intent, generation), amount_cents: 999_999 },
      _meta: metaOf(intent, generation),
    })
  }

  async #call(process: RouterProcess | undefined, params: Record<string, unknown>): Promise<Reply> {
    if (process === undefined) {
      await this.#world.time.pause(500)
      return { kind: 'lost' }
    }
    const name = String(params.name)
    this.#tell(`delivers ${name} to ${process.name}`)
    const reply = await process.call(params)
    this.#tell(`${name} at ${process.name}: ${describe(reply)}`)
    if (reply.kind !== 'lost') this.#watch.heard(reply.bytes, this.intent.n)
    return reply
  }

  #someProcess(): RouterProcess | undefined {
    const serving = this.#processes.filter((process) => process.isServing)
    const [first] = serving
    return first === undefined ? undefined : this.#random.pick(serving)
  }

  #isActive(): boolean {
    return this.#world.time.nowMs < this.#world.plan.activeMs && this.#world.violation === null
  }

  #rest(leastMs: number, mostMs: number): Promise<void> {
    return this.#world.time.pause(this.#random.between(leastMs, mostMs))
  }

  #tell(what: string): void {
    this.#world.tell('agent', what, this.intent.n)
  }
}

/** The call has a row by now. */
function wasHandled(reply: Reply): boolean {
  return reply.kind === 'result' || (reply.kind === 'error' && reply.code.startsWith('hubu_'))
}

/** The router says that Hubu refused, and nothing in its words leaves room for an earlier try that succeeded. */
export function isCertainRefusal(reply: Reply): boolean {
  return (
    reply.kind === 'error' &&
    reply.code === 'hubu_application_error' &&
    !reply.message.includes('do not submit a replacement')
  )
}

function describe(reply: Reply): string {
  switch (reply.kind) {
    case 'lost':
      return 'lost'
    case 'tool_error':
      return `tool error ${reply.bytes.slice(0, 120)}`
    case 'error':
      return `${reply.code}`
    case 'result': {
      const { decision, state, result, status } = reply.value
      return [decision, state, status, result && JSON.stringify(result)].filter((one) => one !== undefined).join(' ')
    }
  }
}
