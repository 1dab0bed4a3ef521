// A router process in the simulation: the real rooms, wired as serve.ts wires them, on ports that belong to the world.
import { testCaller } from '../support/caller.ts'
import { toHubuProbe, toGongbuProbe, stamp } from './probes.ts'
import { readExecution } from '../../src/backends/gongbu/response.ts'
import type { GongbuClient } from '../../src/backends/gongbu/client.ts'
import { toGongbuRequest } from '../../src/backends/gongbu/request.ts'
import type { HubuClient } from '../../src/backends/hubu/client.ts'
import { laneLimits } from '../../src/backends/http-client.ts'
import { Lane } from '../../src/backends/lane.ts'
import { assertHubuRoute } from '../../src/backends/hubu/request.ts'
import { readHubuReply } from '../../src/backends/hubu/response.ts'
import type { HandleCall } from '../../src/calls/surface.ts'
import { createWaitingDelivery } from '../../src/calls/waiting-delivery.ts'
import type { Deliveries } from '../../src/operations/journal/deliveries.ts'
import { startApprovalWorker } from '../../src/operations/waiting/approval-worker.ts'
import { toGongbuExecutions } from '../../src/calls/worker-executions.ts'
import { createMonitor } from '../../src/capabilities/monitor.ts'
import { RouterError } from '../../src/errors/router-error.ts'
import { openRegistry } from '../../src/operations/open-registry.ts'
import { createRegistry, type Registry } from '../../src/operations/registry.ts'
import { startWorker } from '../../src/operations/worker.ts'
import type { Worker } from '../../src/operations/worker-loop.ts'
import { Secret } from '../../src/redaction/secret.ts'
import { createClockWitness, type ClockWitness } from '../../src/timing/clock-witness.ts'
import { contractCalls, testSpendCall } from '../support/contract-calls.ts'
import { bearerCanary } from './bad-answers.ts'
import { throughDoor, type Weather } from './faulty-database.ts'
import { Life } from './life.ts'
import { intact } from '../support/intact-file.ts'
import { intentOf } from './naming.ts'
import type { Plan } from './plan.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { drawnNames, simulatedRules } from './process-rules.ts'
import type { Random } from './random.ts'
import type { Reply } from './reply.ts'
import type { Watch } from './watch.ts'
import { withPoints } from './with-points.ts'
import { totalTimeoutMs, type Backend, type Exchange } from './wire.ts'
import type { World } from './world.ts'

/** Everything outside a process. */
export interface Surroundings {
  world: World
  watch: Watch
  weather: Weather
  statePath: string
  hubu: Backend
  gongbu: Backend
  wires: { hubu: Exchange; gongbu: Exchange }
  planted: PlantedBug | null
}

const noFindings = { duplicateKey: false, protoKey: false, depth: 3, inexactNumber: false }

export class RouterProcess {
  readonly name: string
  readonly hasGongbu: boolean
  readonly #aheadMs: number
  readonly #around: Surroundings
  #lives = 0
  #life: Life | null = null
  #handle: HandleCall | null = null
  #deliveries: Deliveries | undefined

  constructor(around: Surroundings, name: string, { hasGongbu, aheadMs = 0 }: Plan['processes'][number]) {
    this.#around = around
    this.name = name
    this.hasGongbu = hasGongbu
    this.#aheadMs = aheadMs
  }

  get isServing(): boolean {
    return this.#handle !== null && this.#life?.isDead === false
  }

  die(where: string): void {
    this.#life?.die(where)
  }

  /** Starts a new life. Resolves when it serves, or never when it dies on the way. */
  async start(onDeath: () => void): Promise<void> {
    const { world, statePath, watch, weather } = this.#around
    const random = world.random(`${this.name} life ${++this.#lives}`)
    const life = new Life(world, this.name, random, this.#aheadMs)
    life.onDeath(onDeath)
    this.#life = life
    this.#handle = null
    world.tell(this.name, 'starts')
    const settings = { clock: life, random: random.next, randomHex: random.hex }
    const planted = this.#around.planted
    const witness = planted?.witness?.(life) ?? createClockWitness(life, () => {}, ['hubu', 'gongbu'])
    await life.point('start')
    const rules = simulatedRules(world.plan)
    const opened = await openRegistry({ ...settings, journalOf: stamp, statePath })
    if (opened.kind !== 'available') {
      world.blame('the registry opens', `it is ${opened.reason}: ${String(opened.cause)}`)
      return
    }
    life.openedAtMs = world.time.nowMs
    const guard = planted?.hasNoGuard === true ? intact : opened.guard
    const door = throughDoor(opened.database, {
      world,
      life,
      weather,
      onCommitted: (hasWritten) => watch.committed(life, hasWritten),
      planted: planted?.statement,
    })
    const { database } = door
    try {
      const nameOperation = planted?.drawsKeys === true ? drawnNames(random.hex) : opened.nameOperation
      const built = withPoints(
        life,
        await createRegistry({ ...settings, ...opened, rules, guard, nameOperation, database, witness }),
      )
      if (planted?.statement !== undefined && !door.hasPlanted())
        throw new Error(`no statement has a place for the planted fault: ${planted.name}`)
      this.#serve(
        life,
        planted?.registry?.(built, { database: opened.database, randomHex: random.hex }) ?? built,
        witness,
        random,
      )
    } catch (error) {
      if (!(error instanceof RouterError)) throw error
      life.die('opening the registry')
    }
  }

  /** Delivers one call; resolves when it is answered or the process has died. */
  call(params: Record<string, unknown>): Promise<Reply> {
    const life = this.#life
    const handle = this.#handle
    if (life === null || life.isDead || handle === null) return Promise.resolve({ kind: 'lost' })
    return new Promise((resolve) => {
      const forget = life.onDeath(() => this.#around.world.time.after(1, () => resolve({ kind: 'lost' })))
      const answer = (reply: Reply) => {
        if (life.isDead) return
        forget()
        resolve(reply)
      }
      const deliveries = this.#deliveries
      const connection = `${this.name} ${this.#lives}`
      const request = {}
      let concerned = ''
      deliveries?.wentOn(connection, request)
      const source = {
        cause: { kind: 'request' as const, id: request },
        signal: new AbortController().signal,
        concerns: (handle: string) => (concerned = handle),
        ...testCaller,
      }
      life.after(1, () => {
        handle(params, noFindings, source).then(
          (said) => {
            const bytes = said.json ?? JSON.stringify(said)
            const result = JSON.parse(bytes) as { structuredContent?: Record<string, unknown>; isError?: boolean }
            const value = result.structuredContent ?? {}
            if (concerned !== '') deliveries?.written(concerned, connection, request)
            answer(result.isError === true ? { kind: 'tool_error', bytes } : { kind: 'result', bytes, value })
          },
          (fault: unknown) => {
            const error = RouterError.from(fault)
            if (error.code === 'internal_error' && !life.isDead)
              this.#around.world.blame(
                'no call fails for a fault of ours',
                String((error.cause as Error | undefined)?.stack),
              )
            answer({ kind: 'error', bytes: JSON.stringify(error.toWire()), code: error.code, message: error.message })
          },
        )
      })
    })
  }

  #serve(life: Life, registry: Registry, witness: ClockWitness, { next: random, hex: randomHex }: Random): void {
    const { hubu, gongbu, planted } = this.#around
    const probe = async <T>(backend: Backend, read: (isUp: boolean) => T) => {
      await life.sleep(2)
      this.#hearDate(witness, backend)
      return read(backend.isUp)
    }
    const monitor = createMonitor({
      probes: {
        hubu: () => probe(hubu, toHubuProbe),
        ...(this.hasGongbu && { gongbu: () => probe(gongbu, toGongbuProbe) }),
      },
      stamp,
      registry: { state: 'available', reason_code: null, billable_operations_available: true },
      baseIntervalMs: 500,
      clock: life,
      random,
    })
    const hubuClient = this.#hubuClient(life, witness)
    const worker = this.#startWorker(life, registry, witness)
    registry.books?.sealer.start()
    const rooms = {
      monitor,
      hubu: planted?.hubu?.(hubuClient) ?? hubuClient,
      gongbu: this.hasGongbu ? this.#gongbuClient(life, witness, false) : undefined,
      registry: () => registry,
      trustClientApproval: false,
      secrets: [new Secret(bearerCanary)],
      reconciliation: () => ({ kind: 'missing' as const }),
      onAcknowledged: () => worker.wake(),
      onWaiting: () => waiting?.wake(),
      spendIdentity: this.#around.world.plan.isGuarded ? ('guarded' as const) : ('harness' as const),
      clock: life,
      random,
    }
    const spendCall = testSpendCall(rooms)
    const { access, spends } = registry.waiting
    const deliver = spendCall && createWaitingDelivery(spendCall)
    const waiting = deliver && startApprovalWorker({ access, waiting: spends, deliver, clock: life, randomHex })
    this.#deliveries = registry.books?.sealer.deliveries
    this.#handle = contractCalls({ ...rooms, spendCall })
  }

  /** What each answer of a backend says of the time, in whole seconds. */
  #hearDate(witness: ClockWitness, { name, isUp }: Backend): void {
    if (isUp) witness.heard(name, Math.floor(this.#around.world.wallNow().getTime() / 1000) * 1000)
  }

  #startWorker(life: Life, registry: Registry, witness: ClockWitness): Worker {
    const { world } = this.#around
    return startWorker({
      operations: registry.worker,
      gongbu: this.hasGongbu ? toGongbuExecutions(this.#gongbuClient(life, witness, true)) : null,
      tickMs: world.plan.tickMs,
      clock: life,
    })
  }

  #hubuClient(life: Life, witness: ClockWitness): HubuClient {
    const { watch, wires, planted, hubu } = this.#around
    const hearDate = () => this.#hearDate(witness, hubu)
    const limits = laneLimits('POST', totalTimeoutMs)
    const first = planted?.firstInFlight ?? limits.first
    const lane = new Lane({ ...limits, first, most: Math.max(first, limits.most) }, life)
    return {
      async send(request) {
        assertHubuRoute(request)
        const { intent, generation } = intentOf(
          String((JSON.parse(request.body ?? '{}') as { reason?: unknown }).reason),
        )
        await life.point('before the POST to Hubu', intent)
        const outcome = await lane.pass(async () => {
          const ended = watch.dispatched(`call ${intent}.${generation}`, life, intent)
          const answer = await wires.hubu(life, request, intent)
          ended()
          return answer
        })
        if (outcome.kind === 'answer') hearDate()
        await life.point('after the answer of Hubu', intent)
        return readHubuReply(request.method, outcome)
      },
      probe: () => Promise.reject(new Error('probed elsewhere')),
      close: () => Promise.resolve(),
    }
  }

  /** The worker's client is watched: it has an operation for itself. Direct reads have not. */
  #gongbuClient(life: Life, witness: ClockWitness, isWorker: boolean): GongbuClient {
    const { watch, wires, gongbu } = this.#around
    const ask = async (request: Parameters<Exchange>[1], key: string | undefined) => {
      const intent = key === undefined ? undefined : watch.intentOfKey(key)
      await life.point(`before the ${request.method} to Gongbu`, intent)
      const ended = isWorker && key !== undefined ? watch.dispatched(`execution for ${key}`, life, intent) : () => {}
      const outcome = await wires.gongbu(life, request, intent)
      ended()
      if (outcome.kind === 'answer') this.#hearDate(witness, gongbu)
      await life.point('after the answer of Gongbu', intent)
      return outcome
    }
    const no = () => Promise.reject(new Error('not simulated'))
    return {
      createExecution: async (text, { operationKey, executionId }) => {
        const outcome = await ask(toGongbuRequest('gongbu_create_execution', {}, text), operationKey)
        return readExecution(outcome, { schemaVersion: 2, operationKey, executionIds: [executionId] })
      },
      readExecution: async (executionId, bound) => {
        const outcome = await ask(
          toGongbuRequest('gongbu_get_execution', { execution_id: executionId }),
          bound?.operationKey,
        )
        const key = bound && { operationKey: bound.operationKey }
        return readExecution(outcome, { schemaVersion: 1, ...key, executionIds: [executionId, bound?.executionId] })
      },
      listArtifacts: no,
      readArtifact: no,
      probe: no,
      close: () => Promise.resolve(),
    }
  }
}
