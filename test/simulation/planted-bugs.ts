// Faults that the simulator must find: each replaces a part that is injected, so that src/ knows nothing of them.
import type { HubuClient } from '../../src/backends/hubu/client.ts'
import { failWith } from '../../src/operations/execution-outcome.ts'
import type { ExecutionOperations } from '../../src/operations/execution-operations.ts'
import type { GuardTurn } from '../../src/operations/guard/guard.ts'
import type { Registry } from '../../src/operations/registry.ts'
import type { SpendOperations } from '../../src/operations/spend-operations.ts'
import type { WorkerOperations } from '../../src/operations/worker-operations.ts'
import type { SqliteDatabase } from '../../src/storage/database.ts'
import type { Clock } from '../../src/timing/clock.ts'
import type { ClockWitness } from '../../src/timing/clock-witness.ts'
import { believed } from '../support/believed-clock.ts'

/** What a fault in the registry may use. */
export interface PlantingGround {
  database: SqliteDatabase
  randomHex(): string
}

/** A fault and where it sits. */
export interface PlantedBug {
  /** The fault in words. */
  name: string
  /** Changes this part of the registry's statements. */
  statement?: { part: string; instead: string }
  /** Keys and handles are drawn: those that follow from the call would heal the fault. */
  drawsKeys?: true
  /** Changes what the registry does. */
  registry?(registry: Registry, ground: PlantingGround): Registry
  /** Nobody looks whether the file at the path is still the one that was opened. */
  hasNoGuard?: true
  /** What confirms the wall clock of a process. */
  witness?(clock: Pick<Clock, 'nowMs'>): ClockWitness
  /** Sends so many requests at once to Hubu from the beginning. */
  firstInFlight?: number
  /** Changes what the spend call hears of Hubu. */
  hubu?(client: HubuClient): HubuClient
}

const inSpend = (change: (spend: SpendOperations, ground: PlantingGround) => Partial<SpendOperations>) => ({
  registry: (registry: Registry, ground: PlantingGround): Registry => ({
    ...registry,
    spend: { ...registry.spend, ...change(registry.spend, ground) },
  }),
})

const inExecution = (
  change: (execution: ExecutionOperations, ground: PlantingGround) => Partial<ExecutionOperations>,
) => ({
  registry: (registry: Registry, ground: PlantingGround): Registry => ({
    ...registry,
    execution: { ...registry.execution, ...change(registry.execution, ground) },
  }),
})

const inWorker = (change: (worker: WorkerOperations) => Partial<WorkerOperations>) => ({
  registry: (registry: Registry): Registry => ({
    ...registry,
    worker: { ...registry.worker, ...change(registry.worker) },
  }),
})

/** Changes what the guard says, in the very place where the registry asks it. */
const inGuard = (change: (turn: GuardTurn, ground: PlantingGround) => GuardTurn) => ({
  registry: (registry: Registry, ground: PlantingGround): Registry => {
    const { guard } = registry.books ?? {}
    const decide = guard?.decide
    if (guard !== undefined && decide !== undefined) guard.decide = (call) => change(decide(call), ground)
    return registry
  },
})

const anotherOne = (randomHex: () => string): GuardTurn => ({
  kind: 'new',
  generation: Number.parseInt(randomHex().slice(0, 8), 16),
  similar: undefined,
  allocated: () => {},
})

/** Every fault that the simulator is held to find. */
export const plantedBugs: readonly PlantedBug[] = [
  { name: 'every request is sent at once, however many wait in the backend', firstInFlight: 1000 },
  {
    name: 'the dispatch is marked after sending',
    drawsKeys: true,
    ...inSpend((spend, { database }) => {
      const find = database.prepare('select * from harness_operations where operation_handle = ?')
      const remove = database.prepare('delete from harness_operations where operation_handle = ?')
      const unmarked = new Map<string, Record<string, unknown>>()
      const mark = (handle: string) => {
        const row = unmarked.get(handle)
        if (row === undefined || !unmarked.delete(handle)) return
        const names = Object.keys(row)
        const values = names.map((name) => `:${name}`)
        database
          .prepare(`insert or ignore into harness_operations (${names.join()}) values (${values.join()})`)
          .run(row)
      }
      return {
        begin: async (...args) => {
          const turn = await spend.begin(...args)
          if (turn.kind !== 'dispatch' || turn.isRepeated) return turn
          unmarked.set(turn.handle, find.get(turn.handle) as Record<string, unknown>)
          remove.run(turn.handle)
          return turn
        },
        record: (handle, ...rest) => {
          mark(handle)
          return spend.record(handle, ...rest)
        },
        release: (handle, ...rest) => {
          mark(handle)
          return spend.release(handle, ...rest)
        },
      }
    }),
  },
  {
    name: 'the dispatch lease is released before the answer',
    ...inSpend((spend) => ({
      begin: async (...args) => {
        const turn = await spend.begin(...args)
        if (turn.kind === 'dispatch') await spend.release(turn.handle, turn.leaseId)
        return turn
      },
    })),
  },
  {
    name: 'a redelivery allocates a new key',
    ...inSpend((spend, { database, randomHex }) => {
      const change = database.prepare('update harness_operations set operation_key = ? where operation_handle = ?')
      return {
        begin: async (...args) => {
          const turn = await spend.begin(...args)
          if (turn.kind !== 'dispatch' || !turn.isRepeated) return turn
          const operationKey = `hubu:operation:v1:codex:${randomHex()}`
          change.run(operationKey, turn.handle)
          return { ...turn, operationKey }
        },
      }
    }),
  },
  {
    name: 'a pending approval is never asked about again',
    ...inSpend((spend, { database }) => {
      const pending = database.prepare<[string], string>(
        "select result_json from harness_operations where operation_handle = ? and decision = 'needs_approval'",
      )
      return {
        begin: async (...args) => {
          const turn = await spend.begin(...args)
          const result = turn.kind === 'dispatch' ? pending.pluck().get(turn.handle) : undefined
          if (turn.kind !== 'dispatch' || result === undefined) return turn
          await spend.release(turn.handle, turn.leaseId)
          const { handle, isGuarded, joinedAt, similar } = turn
          return { kind: 'stored', handle, isGuarded, joinedAt, similar, result, earlierAt: null, idsRepeat: false }
        },
      }
    }),
  },
  {
    name: 'an ambiguous answer of Hubu counts as a refusal',
    hubu: (client) => ({
      ...client,
      send: async (request, options) => {
        const reply = await client.send(request, options)
        return reply.kind === 'ambiguous'
          ? { kind: 'application_error', status: 400, errorText: 'failed', body: {} }
          : reply
      },
    }),
  },
  {
    name: 'a late answer replaces a stored decision',
    ...inSpend((spend, { database }) => {
      const forget = database.prepare('update harness_operations set decision = null where operation_handle = ?')
      return {
        record: (handle, ...rest) => {
          forget.run(handle)
          return spend.record(handle, ...rest)
        },
      }
    }),
  },
  {
    name: 'the private key stays in the stored result',
    ...inSpend((spend, { database }) => {
      const key = database.prepare('select operation_key from harness_operations where operation_handle = ?').pluck()
      return {
        record: async (handle, ...rest) => {
          const text = await spend.record(handle, ...rest)
          return JSON.stringify({ ...(JSON.parse(text) as object), trace: key.get(handle) })
        },
      }
    }),
  },
  {
    name: 'an execution is acknowledged before that is durable',
    ...inExecution((execution, { database, randomHex }) => {
      const forget = database.prepare(
        `update harness_operations set operation_state = null, gongbu_create_started_at = null, gongbu_request_hash = null,
           gongbu_request_json = null, operation_deadline_at = null where operation_handle = ? and operation_state = 'accepted'`,
      )
      return {
        bind: async (...args) => {
          const status = await execution.bind(...args)
          if (randomHex() < '4') forget.run(status.operation_handle)
          return status
        },
      }
    }),
  },
  {
    name: 'a refusal on a replay is permanent',
    ...inWorker((worker) => ({
      settle: (claimed, change, answer) => {
        const isRefusal = answer?.kind === 'permanent' && change.state === 'queued'
        return worker.settle(claimed, isRefusal ? failWith('execution_dispatch_failed') : change, answer)
      },
    })),
  },
  {
    name: 'a worker writes without its lease',
    statement: {
      part: 'and worker_lease_id = :lease and operation_state in',
      instead: 'and :lease is not null and operation_state in',
    },
  },
  {
    name: 'a worker claims what another one holds',
    statement: { part: 'or worker_lease_expires_at <= :cutoff', instead: 'or :cutoff is not null' },
  },
  {
    name: 'an equal call without an identity is always a purchase of its own',
    ...inGuard((turn, { randomHex }) => (turn.kind === 'join' ? anotherOne(randomHex) : turn)),
  },
  {
    name: 'an answer that nobody took is no reason to give it again',
    ...inGuard((turn, { randomHex }) =>
      turn.kind === 'join' && turn.row.result_json !== null ? anotherOne(randomHex) : turn,
    ),
  },
  {
    name: 'what waits for a human is not kept',
    registry: (registry) => {
      registry.waiting.spends.keep = () => {}
      return registry
    },
  },
  { name: 'nobody looks whether the file is still there', hasNoGuard: true },
  { name: 'keys are drawn, so that who loses the file loses them', drawsKeys: true },
  { name: 'what the wall clock says needs no witness', witness: believed },
  {
    name: 'the deadline is not looked at',
    statement: { part: 'or operation_deadline_at <= :proven', instead: '' },
    ...inWorker((worker) => ({
      claim: async (overdueMs) => {
        const claimed = await worker.claim(overdueMs)
        return claimed && { ...claimed, isOverdue: false }
      },
    })),
  },
]
