import { expect, test } from 'vitest'
import { createBody, startHarness } from '../support/harness.ts'

const input = { prompt: 'p', image_count: 1, options: { b: [1, { y: 1, x: 2 }], a: 1.5 } }

test('the same content is the same execution, asked of Hubu once', async () => {
  await using gongbu = await startHarness()
  const first = await gongbu.create('tok-a', { input })
  const again = await gongbu.create('tok-a', { input })
  const reordered = await gongbu.create('tok-a', {
    input: { options: { a: 1.5, b: [1, { x: 2, y: 1 }] }, image_count: 1, prompt: 'p' },
  })
  const text = JSON.stringify(createBody('tok-a', { input })).replace('"p"', '"\\u0070"').replaceAll('":', '" : ')
  const respelled = await gongbu.send('POST', '/v2/executions', { body: text })
  for (const reply of [again, reordered, respelled])
    expect([reply.status, reply.body.schema_version, reply.body.execution_id]).toEqual([
      200,
      2,
      first.body.execution_id,
    ])
  expect(gongbu.hubu.of('resolve')).toHaveLength(1)
})

test('other content under the same token is a conflict', async () => {
  await using gongbu = await startHarness()
  await gongbu.create('tok-a', { input })
  const others = [
    { input: { ...input, prompt: 'q' } },
    { input: { ...input, prompt: 'p ' } },
    { input: { ...input, options: { b: [{ y: 1, x: 2 }, 1], a: 1.5 } } },
    { input: { ...input, style: 'x' } },
    { input: { ...input, token: 'x' } },
    { input, model: 'sized-image-v1' },
    { input, model: ' padded' },
    { input, provider: 'other' },
    { input, workload_type: 'other' },
    { input, input_schema_version: 2 },
  ]
  for (const other of others) {
    const reply = await gongbu.create('tok-a', other)
    expect([reply.status, reply.body], JSON.stringify(other)).toEqual([
      409,
      { schema_version: 2, error: { code: 'immutable_scope_conflict', message: expect.any(String) } },
    ])
  }
  const text = JSON.stringify(createBody('tok-a', { input })).replace('"b":[1,', '"b":[1.0,')
  expect((await gongbu.send('POST', '/v2/executions', { body: text })).status).toBe(409)
  expect((await gongbu.create('tok-a', { input, input_schema_version: 0 })).status).toBe(400)
  expect(gongbu.hubu.of('resolve')).toHaveLength(1)
})

test('a replay of finished work needs no Hubu', async () => {
  await using gongbu = await startHarness()
  const done = await gongbu.runToEnd('tok-a')
  await gongbu.hubu.down()
  const replay = await gongbu.create('tok-a')
  expect([replay.status, replay.body]).toEqual([200, { ...done, schema_version: 2 }])
  await gongbu.hubu.up()
})

test('a replay ignores a disabled target, a new price and a restart', async () => {
  await using gongbu = await startHarness()
  const done = await gongbu.runToEnd('tok-a')
  await gongbu.restart({ providersEnabled: false, prices: { version: 'none', rules: [] } })
  const replay = await gongbu.create('tok-a')
  expect([replay.status, replay.body.execution_id]).toEqual([200, done.execution_id])
  expect((await gongbu.create('tok-b')).body.error.reason_code).toBe('target_not_selectable')
})

test('another token for an operation that has an execution is a conflict', async () => {
  await using gongbu = await startHarness()
  await gongbu.runToEnd('tok-a')
  gongbu.hubu.spend('tok-b', { operation_key: 'demo:tok-a' })
  expect((await gongbu.create('tok-b')).status).toBe(409)
  expect((await gongbu.create('tok-b', { input: { prompt: 'other', image_count: 1 } })).status).toBe(409)
  expect(gongbu.hubu.of('claim')).toHaveLength(1)
})

test('twenty equal creates at once are one execution and one provider call, all of them answered 200', async () => {
  await using gongbu = await startHarness()
  let open = () => undefined as void
  const hold = new Promise<void>((resolve) => (open = resolve))
  gongbu.hubu.fail('resolve', ...Array.from({ length: 20 }, () => ({ hold })))
  const creating = Array.from({ length: 20 }, () => gongbu.create('tok-a'))
  await gongbu.eventually(() => gongbu.hubu.of('resolve').length >= 20)
  open()
  const replies = await Promise.all(creating)
  expect(replies.map((one) => one.status)).toEqual(Array.from({ length: 20 }, () => 200))
  const ids = new Set(replies.map((one) => one.body.execution_id as string))
  expect(ids.size).toBe(1)
  for (const id of ids) await gongbu.ended(id)
  expect(gongbu.hubu.of('settle')).toHaveLength(1)
  expect((await gongbu.artifacts([...ids][0] ?? '')).body.artifacts).toHaveLength(1)
})

test('a repetition that Hubu refuses because the first one has claimed is still a replay', async () => {
  await using gongbu = await startHarness()
  let open = () => undefined as void
  const hold = new Promise<void>((resolve) => (open = resolve))
  gongbu.hubu.fail('resolve', {}, { hold, raw: '{"error":"claimed"}', status: 400 })
  const first = gongbu.create('tok-a')
  await gongbu.eventually(() => gongbu.hubu.of('resolve').length >= 1)
  const second = gongbu.create('tok-a')
  const done = await gongbu.ended((await first).body.execution_id)
  open()
  const late = await second
  expect([late.status, late.body.execution_id]).toEqual([200, done.execution_id])
})

test('of two different creates of one token at once, one is stored and the other a conflict', async () => {
  await using gongbu = await startHarness()
  let open = () => undefined as void
  const hold = new Promise<void>((resolve) => (open = resolve))
  gongbu.hubu.fail('resolve', { hold }, { hold })
  const creating = ['even', 'odd'].map((prompt) => gongbu.create('tok-a', { input: { prompt, image_count: 1 } }))
  await gongbu.eventually(() => gongbu.hubu.of('resolve').length >= 2)
  open()
  const statuses = (await Promise.all(creating)).map((one) => one.status)
  expect(statuses.sort()).toEqual([200, 409])
})

test('a create whose scheduling fails is 500 and goes on when it is repeated', async () => {
  let failures = 1
  await using gongbu = await startHarness({
    hooks: {
      beforeSchedule: () => {
        if (failures-- > 0) throw new Error('the scheduler is away')
      },
    },
  })
  const refused = await gongbu.create('tok-a')
  expect([refused.status, refused.body.error.code]).toEqual([500, 'internal_error'])
  const done = await gongbu.runToEnd('tok-a')
  expect(done.status).toBe('succeeded')
  expect(gongbu.hubu.names()).toEqual(['resolve', 'validate', 'claim', 'inspect', 'settle'])
})
