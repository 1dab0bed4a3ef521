import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/storage/database.ts'
import { callerToken, startHarness, type Harness } from '../support/harness.ts'
import type { Fault, HubuCall } from '../support/hubu-stub.ts'

const signal = (over: Record<string, unknown> = {}) => ({
  schema_version: 1,
  action_id: 'a-1',
  action: 'reinspect',
  evidence: {},
  ...over,
})
const wrongClaim: Fault = { patch: { status: 'settled' } }

/** An execution held by a misbehaving Hubu. */
async function held(gongbu: Harness, token: string, call: HubuCall, ...faults: Fault[]): Promise<string> {
  gongbu.hubu.fail(call, ...faults)
  const ended = await gongbu.runToEnd(token)
  expect(ended.status).toBe('reconciliation_required')
  return ended.execution_id
}

/** Sends a signal and waits until it was served. */
async function serve(gongbu: Harness, id: string, body: Record<string, unknown>): Promise<string> {
  const reply = await gongbu.reconcile(id, body)
  expect([reply.status, reply.body.schema_version, reply.body.status]).toEqual([202, 1, 'reconciliation_required'])
  await gongbu.eventually(() => rows(gongbu, 'SELECT 1 FROM operator_actions WHERE served_at IS NULL').length === 0)
  return (await gongbu.read(id)).body.status
}

function rows(gongbu: Harness, sql: string): Record<string, unknown>[] {
  const database = openDatabase(path.join(gongbu.folder, 'gongbu.sqlite3'))
  try {
    return database.prepare(sql).all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

test('only an execution that needs reconciliation takes a signal', async () => {
  await using gongbu = await startHarness()
  expect((await gongbu.reconcile('missing', 'not json')).status).toBe(404)
  const { execution_id: done } = await gongbu.runToEnd('tok-a')
  gongbu.hubu.fail('validate', { status: 400 })
  const { execution_id: failed } = await gongbu.runToEnd('tok-b')
  for (const id of [done, failed]) {
    for (const body of [signal(), signal({ action: 'release' }), 'not json']) {
      const reply = await gongbu.reconcile(id, body)
      expect([reply.status, reply.body.schema_version, reply.body.error.code]).toEqual([400, 1, 'invalid_request'])
    }
  }
})

test('the body of a signal is strict', async () => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'inspect', wrongClaim)
  const bodies = [
    'not json',
    '',
    {},
    [signal()],
    signal({ action: 'retry' }),
    signal({ action: 'Release' }),
    signal({ action_id: ' ' }),
    signal({ action_id: 7 }),
    signal({ evidence: [] }),
    signal({ evidence: null }),
    signal({ note: 'x' }),
    signal({ schema_version: 2 }),
    signal({ action_id: undefined }),
  ]
  for (const body of bodies) {
    const reply = await gongbu.reconcile(id, body)
    expect([reply.status, reply.body.error.code], JSON.stringify(body)).toEqual([400, 'invalid_request'])
  }
  expect(gongbu.hubu.of('release')).toEqual([])
})

test.each(['release', 'reinspect'])('a claim without an attempt is released on %s', async (action) => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'inspect', wrongClaim)
  const reply = await gongbu.reconcile(id, signal({ action }))
  expect([reply.status, reply.body.status]).toEqual([202, 'reconciliation_required'])
  const done = await gongbu.until(id, 'released')
  expect([done.outcome, done.failure]).toEqual(['recovered_release', null])
  await gongbu.eventually(() => !gongbu.timers.delays().includes(30_000))
  expect((await gongbu.reconcile(id, signal({ action }))).status).toBe(400)
})

test('a settle signal cannot settle what has no receipt, nor release it', async () => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'inspect', wrongClaim)
  expect(await serve(gongbu, id, signal({ action: 'settle' }))).toBe('reconciliation_required')
  expect([...gongbu.hubu.of('settle'), ...gongbu.hubu.of('release')]).toEqual([])
})

test('a lost settlement is settled on request and never released', async () => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'settle', { drop: 'before' })
  expect(await serve(gongbu, id, signal({ action: 'release' }))).toBe('reconciliation_required')
  expect(await serve(gongbu, id, signal({ action_id: 'a-2', action: 'settle' }))).toBe('succeeded')
  expect(gongbu.hubu.of('release')).toEqual([])
  expect(gongbu.hubu.of('settle')).toHaveLength(2)
})

test('a lost claim is claimed again before anything else', async () => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'claim', { drop: 'before' }, { status: 400 }, { status: 500 })
  expect(await serve(gongbu, id, signal({ action: 'release' }))).toBe('reconciliation_required')
  expect(await serve(gongbu, id, signal({ action_id: 'a-2' }))).toBe('reconciliation_required')
  expect(await serve(gongbu, id, signal({ action_id: 'a-3', action: 'settle' }))).toBe('reconciliation_required')
  expect(gongbu.hubu.of('claim')).toHaveLength(4)
  expect(await serve(gongbu, id, signal({ action_id: 'a-4', action: 'release' }))).toBe('released')
  expect(gongbu.hubu.of('claim')).toHaveLength(4)
})

test('a provider call that may have worked is never released or repeated', async () => {
  await using gongbu = await startHarness({ faults: { scenario: 'timeout_ambiguous' } })
  const ended = await gongbu.runToEnd('tok-a')
  expect([ended.status, ended.outcome]).toEqual(['reconciliation_required', 'mock_provider_delivery_ambiguous'])
  const id = ended.execution_id
  for (const [n, action] of ['release', 'settle', 'reinspect'].entries())
    expect(await serve(gongbu, id, signal({ action_id: `a-${n}`, action }))).toBe('reconciliation_required')
  for (const delay of [30_000, 120_000, 600_000]) {
    gongbu.timers.pass(delay)
    await gongbu.get('/livez')
  }
  expect((await gongbu.read(id)).body).toEqual(ended)
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect'])
})

test('an action id names one action with one evidence', async () => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'settle', ...Array.from({ length: 20 }, () => ({ status: 500 })))
  const settles = () => gongbu.hubu.of('settle').length
  const settle = (over: Record<string, unknown>) => serve(gongbu, id, signal({ action: 'settle', ...over }))
  await settle({ evidence: { n: 1, list: [{ b: 1, a: 2 }] } })
  expect(settles()).toBe(2)
  await settle({ evidence: { list: [{ a: 2, b: 1 }], n: 1 } })
  expect(settles()).toBe(3)
  await settle({ evidence: { n: 2 } })
  await serve(gongbu, id, signal({ action: 'reinspect', evidence: { n: 1, list: [{ b: 1, a: 2 }] } }))
  expect(settles()).toBe(3)
  await settle({ action_id: ' a-1', evidence: { n: 2 } })
  expect(settles()).toBe(4)
})

test('evidence is stored redacted and compared whole', async () => {
  await using gongbu = await startHarness()
  const id = await held(gongbu, 'tok-a', 'settle', ...Array.from({ length: 5 }, () => ({ status: 500 })))
  await serve(gongbu, id, signal({ evidence: { ticket: 'T-1', deep: [{ Api_Key: 'k-1' }] } }))
  await serve(gongbu, id, signal({ evidence: { ticket: 'T-1', deep: [{ Api_Key: 'k-2' }] } }))
  expect(gongbu.hubu.of('settle')).toHaveLength(2)
  expect(rows(gongbu, 'SELECT action_id, action, evidence FROM operator_actions')).toEqual([
    { action_id: 'a-1', action: 'reinspect', evidence: '{"deep":[{"Api_Key":"[REDACTED]"}],"ticket":"T-1"}' },
  ])
})

test('a signal that was accepted is served after a restart', async () => {
  await using gongbu = await startHarness()
  let open = () => undefined as void
  const hold = new Promise<void>((resolve) => (open = resolve))
  const id = await held(gongbu, 'tok-a', 'inspect', wrongClaim)
  gongbu.hubu.fail('release', { hold, drop: 'before' })
  expect((await gongbu.reconcile(id, signal({ action: 'release' }))).status).toBe(202)
  await gongbu.eventually(() => gongbu.hubu.of('release').length > 0)
  await gongbu.restart()
  expect((await gongbu.until(id, 'released')).outcome).toBe('recovered_release')
  open()
})

test('an operator token, when there is one, is the only one for signals', async () => {
  await using gongbu = await startHarness({}, { operatorToken: 'operator-1' })
  const id = await held(gongbu, 'tok-a', 'inspect', wrongClaim)
  const send = (authorization: string) =>
    gongbu.send('POST', `/v1/executions/${id}/reconciliation`, { body: signal(), authorization })
  expect((await send(`Bearer ${callerToken}`)).status).toBe(401)
  expect((await gongbu.send('GET', `/v1/executions/${id}`, { authorization: 'Bearer operator-1' })).status).toBe(401)
  expect((await send('Bearer operator-1')).status).toBe(202)
})

test('entering the state stores what is known, and the last attempt says so', async () => {
  await using gongbu = await startHarness({ recoveryDelaysMs: [1000] })
  await held(gongbu, 'tok-a', 'settle', ...Array.from({ length: 5 }, () => ({ status: 500 })))
  gongbu.timers.pass(1000)
  const state = () => rows(gongbu, 'SELECT attempts, exhausted, evidence FROM reconciliations')[0]
  await gongbu.eventually(() => state()?.exhausted === 1)
  expect(state()).toMatchObject({ attempts: 1, exhausted: 1 })
  expect(JSON.parse(String(state()?.evidence))).toMatchObject({
    operation_key: 'demo:tok-a',
    claim_id: 'claim tok-a',
    last_confirmed_status: 'settling',
    code: 'hubu_transport_ambiguous',
    artifact_count: 1,
    provider: { outcome: 'succeeded', usage: { images: 1 } },
    receipt: { amountMinor: 1, settledAt: null },
    price: { estimated_amount_minor: 1 },
    authorization: { agentId: 'agt_demo' },
  })
})
