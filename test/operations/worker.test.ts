import { expect, test } from 'vitest'
import type { ExecutionAnswer } from '../../src/operations/execution-outcome.ts'
import type { Registry } from '../../src/operations/registry.ts'
import { startWorker, type GongbuExecutions } from '../../src/operations/worker.ts'
import type { Worker } from '../../src/operations/worker-loop.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const retryable: ExecutionAnswer = { kind: 'retryable' }
const says = (status: Extract<ExecutionAnswer, { kind: 'execution' }>['status']): ExecutionAnswer => ({
  kind: 'execution',
  executionId: 'exec-1',
  status,
  outcome: null,
})

/** Gongbu by a list of answers, the last of which is repeated; notes what it was asked and when. */
function scripted(file: RegistryFile, ...answers: ExecutionAnswer[]) {
  const asked: string[] = []
  const atMs: number[] = []
  const ask = async (what: string) => {
    asked.push(what)
    atMs.push(file.time.nowMs)
    await file.time.pause(0)
    return (answers.length > 1 ? answers.shift() : answers[0]) as ExecutionAnswer
  }
  const gongbu: GongbuExecutions = {
    submit: (text) => ask(`POST ${text}`),
    observe: (id) => ask(`GET ${id}`),
  }
  return { gongbu, asked, atMs }
}

function start(
  file: RegistryFile,
  registry: Registry,
  gongbu: GongbuExecutions | null,
  tickMs = 1000,
): Worker & { naps: number[] } {
  const naps: number[] = []
  const { clock } = file.settings
  const worker = startWorker({
    operations: registry.worker,
    gongbu,
    tickMs,
    clock: {
      nowMs: clock.nowMs,
      sleep: (ms, signal) => {
        naps.push(ms)
        return clock.sleep(ms, signal)
      },
    },
  })
  return { ...worker, naps }
}

async function acknowledge(registry: Registry, n = 1): Promise<string> {
  const turn = await registry.spend.begin(ask(codex(`c-${n}`), 'hubu_authorize_spend', { n }))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  await registry.spend.record(turn.handle, turn.leaseId, { decision: 'allow', auth_token_id: `tok-${n}` })
  await registry.execution.bind(`tok-${n}`, { n })
  return turn.handle
}

/** An operation that the worker has just been woken for. */
async function running(...answers: ExecutionAnswer[]) {
  const file = new RegistryFile()
  const registry = await file.open()
  const script = scripted(file, ...answers)
  await acknowledge(registry)
  const worker = start(file, registry, script.gongbu)
  return { file, registry, worker, ...script, [Symbol.dispose]: () => file[Symbol.dispose]() }
}

const seconds = (atMs: number[]) => atMs.map((ms) => ms / 1000)

test('an execution that is done at once needs one POST and no GET', async () => {
  using it = await running(says('succeeded'))
  await it.file.time.pass(60_000)
  expect(it.asked).toEqual(['POST {"n":1}'])
  expect(it.file.row()).toMatchObject({
    operation_state: 'succeeded',
    gongbu_execution_id: 'exec-1',
    gongbu_request_json: null,
  })
})

test('progress is looked at once a tick until it ends', async () => {
  using it = await running(says('executing'), says('executing'), says('executing'), says('succeeded'))
  await it.file.time.pass(60_000)
  expect(it.asked).toEqual(['POST {"n":1}', 'GET exec-1', 'GET exec-1', 'GET exec-1'])
  expect(seconds(it.atMs)).toEqual([0, 1, 2, 3])
})

test('a failing dispatch posts the same bytes at 0, 1, 3, 7 and 15 seconds and then ends', async () => {
  using it = await running(retryable)
  await it.file.time.pass(120_000)
  expect(new Set(it.asked)).toEqual(new Set(['POST {"n":1}']))
  expect(seconds(it.atMs)).toEqual([0, 1, 3, 7, 15])
  expect(it.file.row()).toMatchObject({ operation_result_code: 'dispatch_retry_exhausted', dispatch_attempts: 5 })
})

test('a failing observation is repeated at 1, 2, 4, 8 and 16 seconds and then ends', async () => {
  using it = await running(says('executing'), retryable)
  await it.file.time.pass(120_000)
  expect(seconds(it.atMs)).toEqual([0, 1, 2, 4, 8, 16])
  expect(it.file.row()).toMatchObject({
    operation_result_code: 'observation_retry_exhausted',
    gongbu_execution_id: 'exec-1',
  })
})

test('four failing observations, one good one and four more do not exhaust it', async () => {
  const four = [retryable, retryable, retryable, retryable]
  using it = await running(says('executing'), ...four, says('executing'), ...four, says('succeeded'))
  await it.file.time.pass(120_000)
  expect(it.asked).toHaveLength(11)
  expect(it.file.row()).toMatchObject({ operation_state: 'succeeded', observation_failures: 0 })
})

test('an outcome that stays ambiguous is looked at after 30, 90, 210, 450 and 930 seconds and then ends', async () => {
  using it = await running(says('reconciliation_required'))
  await it.file.time.pass(929_000)
  expect(it.file.row()).toMatchObject({
    operation_state: 'reconciling',
    operation_result_code: 'provider_outcome_ambiguous',
  })
  await it.file.time.pass(60_000)
  expect(seconds(it.atMs)).toEqual([0, 30, 90, 210, 450, 930])
  expect(it.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
  expect(it.file.row()).toMatchObject({
    operation_state: 'failed',
    operation_result_code: 'reconciliation_exhausted',
    gongbu_status: 'reconciliation_required',
    reconciliation_attempts: 6,
  })
})

test('ambiguity that is first seen in a GET ends after six such answers in all', async () => {
  using it = await running(says('executing'), says('reconciliation_required'))
  await it.file.time.pass(2_000_000)
  expect(seconds(it.atMs)).toEqual([0, 1, 31, 91, 211, 451, 931])
})

test('an ambiguous outcome that settles is found at its next look', async () => {
  using it = await running(says('reconciliation_required'), says('succeeded'))
  await it.file.time.pass(60_000)
  expect(it.asked).toHaveLength(2)
  expect(it.file.row().operation_state).toBe('succeeded')
})

test('an execution that never ends is followed for 24 hours and then given up without a request', async () => {
  using it = await running(says('executing'))
  await it.file.time.pass(5000)
  it.file.time.sleepThrough(86_400_000)
  const before = it.asked.length
  await it.file.time.pass(5000)
  expect(it.asked).toHaveLength(before)
  expect(it.file.row()).toMatchObject({
    operation_state: 'failed',
    operation_result_code: 'operation_deadline_exhausted',
  })
})

test('a process without Gongbu gives an operation up after 60 ticks in which nobody took it', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await acknowledge(registry)
  start(file, registry, null)
  await file.time.pass(59_000)
  expect(file.row().operation_state).toBe('queued')
  await file.time.pass(2500)
  expect(file.row()).toMatchObject({ operation_state: 'failed', operation_result_code: 'gongbu_unconfigured' })
})

test('a process without Gongbu leaves to another one what that takes', async () => {
  using file = new RegistryFile()
  const [without, withGongbu] = [await file.open(), await file.open()]
  await acknowledge(without)
  start(file, without, null)
  await file.time.pass(30_000)
  const { gongbu } = scripted(file, says('executing'))
  start(file, withGongbu, gongbu)
  await file.time.pass(300_000)
  expect(file.row().operation_state).toBe('reconciling')
})

test('a row that can neither be posted nor observed fails and holds up nobody', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const lame = await acknowledge(registry, 1)
  const sound = await acknowledge(registry, 2)
  file.sql('update harness_operations set gongbu_request_json = null where operation_handle = ?', lame)
  start(file, registry, scripted(file, says('succeeded')).gongbu)
  await file.time.pass(1000)
  expect(file.row(lame)).toMatchObject({
    operation_state: 'failed',
    operation_result_code: 'execution_request_unavailable',
  })
  expect(file.row(sound).operation_state).toBe('succeeded')
})

test('two workers on one file post an operation once', async () => {
  using file = new RegistryFile()
  const registries = [await file.open(), await file.open()]
  const { gongbu, asked } = scripted(file, says('executing'), says('succeeded'))
  await acknowledge(registries[0] as Registry)
  for (const registry of registries) start(file, registry, gongbu)
  await file.time.pass(30_000)
  expect(asked).toEqual(['POST {"n":1}', 'GET exec-1'])
})

test('a wake is an immediate look; with nothing open the worker looks for the leftovers of others every ten ticks', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const { gongbu, atMs } = scripted(file, says('succeeded'))
  const worker = start(file, registry, gongbu)
  await file.time.pass(25_000)
  expect(worker.naps).toEqual([10_000, 10_000, 10_000])
  await acknowledge(registry)
  worker.wake()
  await file.time.pass(0)
  expect(atMs).toEqual([25_000])
})

test('a wake that comes while the worker is busy is not lost', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const { gongbu, asked } = scripted(file, says('succeeded'))
  let release = () => {}
  const slow: GongbuExecutions = {
    ...gongbu,
    submit: async (text, row) => {
      if (text === '{"n":1}') await new Promise<void>((resolve) => (release = resolve))
      return gongbu.submit(text, row)
    },
  }
  await acknowledge(registry, 1)
  const worker = start(file, registry, slow)
  await file.time.pass(1000)
  await acknowledge(registry, 2)
  worker.wake()
  release()
  await file.time.pass(0)
  expect(asked).toEqual(['POST {"n":1}', 'POST {"n":2}'])
})

test('a registry that fails stops the worker for a quarter of a tick at a time and never ends it', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const { gongbu } = scripted(file, says('succeeded'))
  let isFailing = true
  const failing: Registry = {
    ...registry,
    worker: {
      ...registry.worker,
      promote: () => (isFailing ? Promise.reject(new Error('disk')) : registry.worker.promote()),
    },
  }
  await acknowledge(registry)
  const worker = start(file, failing, gongbu)
  await file.time.pass(1000)
  expect(worker.naps).toEqual([250, 250, 250, 250, 250])
  isFailing = false
  await file.time.pass(250)
  expect(file.row().operation_state).toBe('succeeded')
})

test('stopping waits for the request under way and records it; afterwards nothing happens', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const { gongbu, asked } = scripted(file, says('executing'))
  const slow: GongbuExecutions = {
    ...gongbu,
    submit: async (text, row) => {
      await file.time.pause(2000)
      return gongbu.submit(text, row)
    },
  }
  await acknowledge(registry)
  const worker = start(file, registry, slow)
  await file.time.pass(500)
  let isStopped = false
  void worker.stop().then(() => {
    isStopped = true
  })
  await file.time.pass(1000)
  expect(isStopped).toBe(false)
  await file.time.pass(1000)
  expect(isStopped).toBe(true)
  expect(file.row()).toMatchObject({ operation_state: 'reconciling', worker_lease_id: null })
  await file.time.pass(60_000)
  expect(asked).toHaveLength(1)
})
