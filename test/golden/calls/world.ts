// A whole router without its stdio, against two stub backends and a registry file, with time and ids of its own.
import { testCaller } from '../../support/caller.ts'
import { believed } from '../../support/believed-clock.ts'
import { noFindings } from '../../../src/json/findings.ts'
import { createGongbuClient } from '../../../src/backends/gongbu/client.ts'
import { createHubuClient } from '../../../src/backends/hubu/client.ts'
import { toGongbuExecutions } from '../../../src/calls/worker-executions.ts'
import { createMonitor } from '../../../src/capabilities/monitor.ts'
import { RouterError } from '../../../src/errors/router-error.ts'
import { openRegistry } from '../../../src/operations/open-registry.ts'
import { createRegistry, type Registry } from '../../../src/operations/registry.ts'
import { startWorker } from '../../../src/operations/worker.ts'
import { Secret } from '../../../src/redaction/secret.ts'
import { realClock, type Clock } from '../../../src/timing/clock.ts'
import { contractCalls } from '../../support/contract-calls.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { stubBackend, type Canned, type Exchange, type SeenRequest } from '../../support/stub-backend.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { probeAnswer, stamp, type BackendState } from './probes.ts'

/** What is true before the first step of a case. */
export interface Given {
  hubu: BackendState
  gongbu: BackendState
  registry: 'available' | 'unavailable'
  clientApproval: 'trusted' | 'not trusted'
  /** Whether a capability for reconciliation is configured. */
  reconciliation: 'configured' | 'missing'
}

/** One thing that happens: a call of the client, or one round of the worker. */
export type Step =
  | { kind: 'call'; params: { name: string; arguments?: unknown; _meta?: unknown }; answers?: Answers }
  | { kind: 'worker'; answers: Answers }

/** What the backends answer during a step, in order. */
export interface Answers {
  hubu?: Canned[]
  gongbu?: Canned[]
}

/** What crossed the borders during a step. */
export interface RecordedStep {
  request: unknown
  http: ({ backend: 'hubu' | 'gongbu' } & Exchange)[]
  answer?: unknown
}

const tickMs = 1000

/** Plays the steps and returns what crossed the borders in each of them. */
export async function play(given: Given, steps: readonly Step[]): Promise<RecordedStep[]> {
  using folder = tempFolder()
  let queued: Answers = {}
  const answerOf = (backend: 'hubu' | 'gongbu') => (request: SeenRequest) =>
    queued[backend]?.shift() ?? probeAnswer(backend, given[backend], request.path) ?? unexpected
  await using hubuStub = await stubBackend(answerOf('hubu'))
  await using gongbuStub = await stubBackend(answerOf('gongbu'))

  const bearer = { hubu: new Secret('hubu-token'), gongbu: new Secret('gongbu-token') }
  const capability = new Secret('reconciliation-capability')
  const hubu =
    given.hubu === 'unconfigured' ? undefined : createHubuClient({ endpoint: hubuStub.url, bearer: bearer.hubu })
  const gongbu =
    given.gongbu === 'unconfigured'
      ? undefined
      : createGongbuClient({ endpoint: gongbuStub.url, bearer: bearer.gongbu })
  let nowMs = Date.parse('2026-11-29T12:00:00.000Z')
  // Waiting takes no time of the wall clock: what is recorded does not depend on it.
  const clock: Clock = { ...new FakeClock({ sleepMs: (ms) => ms }), nowMs: () => nowMs, every: () => () => {} }
  const random = () => 0.5
  const isOpened = given.registry === 'available' && steps.some(usesRegistry)
  const registry = isOpened ? await makeRegistry(folder.file('registry'), clock, random) : null
  const monitor = createMonitor({
    probes: { ...(hubu && { hubu: hubu.probe }), ...(gongbu && { gongbu: gongbu.probe }) },
    stamp,
    registry: registryCapability(given),
    baseIntervalMs: 30_000,
    clock: { nowMs: clock.nowMs, monotonicMs: () => 0, after: realClock.after },
    random,
  })
  const handleCall = contractCalls({
    monitor,
    hubu,
    gongbu,
    registry: () => registry,
    trustClientApproval: given.clientApproval === 'trusted',
    secrets: [bearer.hubu],
    reconciliation: () =>
      given.reconciliation === 'configured' ? { kind: 'capability', secret: capability } : { kind: 'missing' },
    onAcknowledged: () => {},
    clock,
    random,
  })

  /** One request of the worker, one tick later, and what it made of the answer. */
  async function workOnce(): Promise<void> {
    if (registry === null || gongbu === undefined) throw new Error('the worker needs the registry and Gongbu')
    nowMs += tickMs
    const worker = startWorker({
      operations: registry.worker,
      gongbu: toGongbuExecutions(gongbu),
      tickMs,
      clock: {
        nowMs: clock.nowMs,
        sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
      },
    })
    await gongbuStub.whenSeen(gongbuStub.exchanges.length + 1)
    await worker.stop()
  }

  async function take(step: Step): Promise<RecordedStep> {
    const seen = { hubu: hubuStub.exchanges.length, gongbu: gongbuStub.exchanges.length }
    queued = structuredClone(step.answers ?? {})
    const outcome =
      step.kind === 'call'
        ? { request: { method: 'tools/call', params: step.params }, answer: await answered(step.params) }
        : { request: 'the worker takes one step', answer: await workOnce() }
    const http = [
      ...hubuStub.exchanges.slice(seen.hubu).map((exchange) => ({ backend: 'hubu' as const, ...exchange })),
      ...gongbuStub.exchanges.slice(seen.gongbu).map((exchange) => ({ backend: 'gongbu' as const, ...exchange })),
    ]
    return { request: outcome.request, http, answer: outcome.answer }
  }

  const source = { cause: { kind: 'monitor' as const }, signal: new AbortController().signal, ...testCaller }
  const answered = (params: unknown) =>
    handleCall(params, noFindings, source).then(
      (result) => ({ result: result.json === undefined ? result : (JSON.parse(result.json) as object) }),
      (error: unknown) => {
        if (error instanceof RouterError) return { error: error.toWire() }
        throw error
      },
    )

  try {
    await monitor.initialSnapshot()
    if (given.hubu === 'gone') await hubuStub.stop()
    if (given.gongbu === 'gone') await gongbuStub.stop()
    const recorded: RecordedStep[] = []
    for (const step of steps) recorded.push(await take(step))
    return recorded
  } finally {
    monitor.stop()
    registry?.close()
    await Promise.all([hubu?.close(), gongbu?.close()])
  }
}

/** A request that no case expects is seen in the recording by this answer. */
const unexpected: Canned = { status: 599, json: { error: 'the case expects no such request' } }

/** Opening a file costs more than a call does, so cases that never touch the registry go without one. */
function usesRegistry(step: Step): boolean {
  return step.kind === 'worker' || registryTools.has(step.params.name)
}

const registryTools = new Set([
  ...['hubu_operation_status', 'hubu_submit_spend', 'hubu_authorize_spend'],
  ...['gongbu_create_execution', 'gongbu_get_execution'],
])

async function makeRegistry(statePath: string, clock: Clock, random: () => number): Promise<Registry> {
  let ids = 0
  const randomHex = () => (++ids).toString(16).padStart(32, '0')
  const opened = await openRegistry({ statePath, clock, random, randomHex })
  if (opened.kind === 'unavailable') throw new Error(`no registry: ${opened.reason}`, { cause: opened.cause })
  // Drawn in the order of the calls, so that what is recorded does not depend on a secret.
  ids = 1
  const nameOperation = ({ platform }: { platform: string }) => ({
    key: `hubu:operation:v1:${platform}:${randomHex()}`,
    handle: `hubu:public-operation:v1:${randomHex()}`,
  })
  return createRegistry({ ...opened, nameOperation, clock, witness: believed(clock), random, randomHex })
}

function registryCapability({ registry }: Given) {
  const isUp = registry === 'available'
  return {
    state: registry,
    reason_code: isUp ? null : ('state_unavailable' as const),
    billable_operations_available: isUp,
  }
}
