import { expect, test } from 'vitest'
import type { Registry } from '../../src/operations/registry.ts'
import { SpendResultRefused } from '../../src/operations/spend-columns.ts'
import type { SpendTurn } from '../../src/operations/spend-turn.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const args = { account_id: 'account-1', amount_cents: 25, reason: 'test' }
const authorize = 'hubu_authorize_spend'

async function dispatch(registry: Registry, callId = 'c-1'): Promise<SpendTurn & { kind: 'dispatch' }> {
  const turn = await registry.spend.begin(ask(codex(callId), authorize, args))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  return turn
}

const record = (registry: Registry, { handle, leaseId }: { handle: string; leaseId: string }, result: object) =>
  registry.spend.record(handle, leaseId, result as Record<string, unknown>)

test('the order of arguments does not matter: one call, one row', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const first = await dispatch(registry)
  await registry.spend.release(first.handle, first.leaseId)
  const again = await registry.spend.begin(
    ask(codex('c-1'), authorize, {
      reason: 'test',
      amount_cents: 25,
      account_id: 'account-1',
    }),
  )
  expect(again).toMatchObject({
    kind: 'dispatch',
    handle: first.handle,
    operationKey: first.operationKey,
    isRepeated: true,
  })
  expect(first.isRepeated).toBe(false)
})

test('key and handle are independent, the key names the platform', async () => {
  using file = new RegistryFile()
  const turn = await dispatch(await file.open())
  expect(turn.operationKey).toMatch(/^hubu:operation:v1:codex:[0-9a-f]{32}$/)
  expect(turn.handle).toMatch(/^hubu:public-operation:v1:[0-9a-f]{32}$/)
  expect(turn.operationKey.slice(-32)).not.toBe(turn.handle.slice(-32))
})

test('eight openings that meet the same new call at once make one row, one key and one dispatch', async () => {
  using file = new RegistryFile()
  const registries = await Promise.all(Array.from({ length: 8 }, () => file.open()))
  const turns = await Promise.all(registries.map((each) => each.spend.begin(ask(codex('c-1'), authorize, args))))
  expect(turns.map(({ kind }) => kind).sort()).toEqual([...Array.from({ length: 7 }, () => 'busy'), 'dispatch'])
  expect(new Set(turns.map((turn) => 'handle' in turn && turn.handle)).size).toBe(1)
  expect(file.sql('select * from harness_operations')).toHaveLength(1)
})

test('the mark is durable before the dispatch is given away', async () => {
  using file = new RegistryFile()
  const { handle } = await dispatch(await file.open())
  expect(file.row(handle)).toMatchObject({ dispatch_started_at: file.now().toISOString(), decision: null })
})

test.each([
  ['a pending answer', { decision: 'needs_approval', approval: { approval_request_id: 'apr-1' } }],
  ['a denial', { decision: 'deny' }],
  ['another allowance', { decision: 'allow', auth_token_id: 'tok-2' }],
])('an allowance stays when %s comes late, and answers it', async (_what, late) => {
  using file = new RegistryFile()
  const registry = await file.open()
  const turn = await dispatch(registry)
  const first = await record(registry, turn, { decision: 'allow', auth_token_id: 'tok-1' })
  const before = file.row()
  expect(await record(registry, turn, late)).toBe(first)
  expect(file.row()).toEqual(before)
})

test('an allowance replaces a pending answer, with every column of its own', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const pending = { decision: 'needs_approval', decision_id: 'dec-2', approval: { approval_request_id: 'apr-1' } }
  await record(registry, await dispatch(registry), pending)
  expect(file.row()).toMatchObject({ decision: 'needs_approval', decision_id: 'dec-2', approval_request_id: 'apr-1' })
  await record(registry, await dispatch(registry), {
    decision: 'allow',
    decision_id: 'dec-1',
    spend_auth_token_id: 'tok-1',
  })
  expect(file.row()).toMatchObject({
    decision: 'allow',
    decision_id: 'dec-1',
    approval_request_id: null,
    auth_token_id: 'tok-1',
    worker_lease_id: null,
  })
})

test('what may not be stored is refused, and the row stays as it was', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const turn = await dispatch(registry)
  await record(registry, turn, { decision: 'needs_approval', note: 'first' })
  const again = await dispatch(registry)
  const before = file.row()
  const refused: object[] = [
    { decision: 'allow', deep: [{ operation_key: 'x' }] },
    { decision: 'allow', [`note ${turn.operationKey}`]: 1 },
    { decision: 'allow', note: 'x'.repeat(1_048_576) },
    { decision: 'allow', note: 'é'.repeat(524_288) },
    { decision: 'maybe' },
    {},
    { decision: 7 },
    { decision: 'allow', auth_token_id: 5 },
    { decision: 'allow', spend_auth_token_id: {} },
    { decision: 'allow', decision_id: 1 },
    { decision: 'needs_approval', approval: { approval_request_id: 1 } },
    { decision: 'allow', authorization_expires_at: 0 },
  ]
  for (const result of refused) await expect(record(registry, again, result)).rejects.toThrow(SpendResultRefused)
  expect(file.row()).toEqual(before)
  const { note: _note, ...limit } = { note: '', decision: 'deny', pad: '' }
  const most = { ...limit, pad: 'x'.repeat(1_048_576 - JSON.stringify(limit).length) }
  expect(await record(registry, again, most)).toHaveLength(1_048_576)
})

test('an authorization id belongs to one operation', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await record(registry, await dispatch(registry, 'c-1'), { decision: 'allow', auth_token_id: 'tok-1' })
  const second = await dispatch(registry, 'c-2')
  const before = file.row(second.handle)
  const stealing = record(registry, second, { decision: 'allow', spend_auth_token_id: 'tok-1' })
  await expect(stealing).rejects.toThrow(SpendResultRefused)
  expect(file.row(second.handle)).toEqual(before)
})

test('a denial that another process stored is the answer; nothing is marked', async () => {
  using file = new RegistryFile()
  const [mine, other] = [await file.open(), await file.open()]
  const turn = await dispatch(other)
  const result = await record(other, turn, { decision: 'deny' })
  const before = file.row()
  await file.time.pass(1000)
  expect(await mine.spend.begin(ask(codex('c-1'), authorize, args))).toMatchObject({
    kind: 'stored',
    result,
    earlierAt: null,
  })
  expect(file.row()).toEqual(before)
})

test('an expired id is erased at the next opening, the rest of the result stays', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const expires = new Date(file.now().getTime() + 1000).toISOString()
  const ids = { auth_token_id: 'tok-1', spend_auth_token_id: 'tok-1', authorization_expires_at: expires }
  await record(registry, await dispatch(registry), { decision: 'allow', ...ids, keep: { auth_token_id: 'deep' } })
  await file.time.pass(999)
  await file.open()
  expect(file.row().auth_token_id).toBe('tok-1')
  await file.time.pass(1)
  await file.open()
  const row = file.row()
  expect(row.auth_token_id).toBeNull()
  expect(JSON.parse(row.result_json ?? '')).toEqual({
    decision: 'allow',
    authorization_expires_at: expires,
    keep: { auth_token_id: 'deep' },
  })
  expect(row).toMatchObject({ decision: 'allow', authorization_expires_at: expires })
})

test.each(['soon', '', '2026-13-01T00:00:00Z', '2026-11-29', '2026-11-29T00:00:00', '1796000000'])(
  'an expiry of %j that cannot be read erases the id at the next call of anybody',
  async (expiry) => {
    using file = new RegistryFile()
    const registry = await file.open()
    const turn = await dispatch(registry)
    await record(registry, turn, { decision: 'allow', auth_token_id: 'tok-1', authorization_expires_at: expiry })
    await dispatch(registry, 'c-2')
    expect(file.row(turn.handle).auth_token_id).toBeNull()
  },
)

test.each([
  '2026-11-29T00:00:01Z',
  '2026-11-29T01:00:01+01:00',
  '2026-11-28T23:00:01.5-01:00',
  '2026-11-29t00:00:01z',
  '2026-11-29 00:00:01Z',
])('an expiry of %j is in the future and keeps the id', async (expiry) => {
  using file = new RegistryFile()
  const registry = await file.open()
  const turn = await dispatch(registry)
  await record(registry, turn, { decision: 'allow', auth_token_id: 'tok-1', authorization_expires_at: expiry })
  await dispatch(registry, 'c-2')
  expect(file.row(turn.handle).auth_token_id).toBe('tok-1')
})

test('with a thousand live ids the sweep rests, and an id that is used is erased all the same', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const turn = await dispatch(registry)
  const expires = new Date(file.now().getTime() + 3_600_000).toISOString()
  const result = { decision: 'allow', auth_token_id: 'tok-1', authorization_expires_at: expires }
  await record(registry, turn, result)
  for (const call of ['c-2', 'c-3']) {
    const { handle, leaseId } = await dispatch(registry, call)
    await record(registry, { handle, leaseId }, { ...result, auth_token_id: `tok-${call}` })
  }
  file.sql(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 997)
    insert into harness_operations (platform, installation_id, harness_call_id, request_hash, tool_name, operation_handle,
      auth_token_id, authorization_expires_at, created_at)
    select platform, installation_id, 'more-' || i, request_hash, tool_name, 'more-' || i, 'more-' || i,
      authorization_expires_at, created_at from harness_operations, n where operation_handle = '${turn.handle}'`)
  const tokens = () => file.sql<{ n: number }>('select count(auth_token_id) as n from harness_operations')[0]?.n
  await file.time.pass(1)
  await dispatch(registry, 'c-4')
  file.clockOffsetMs = 3_600_000
  await file.time.pass(99)
  await dispatch(registry, 'c-5')
  expect(tokens()).toBe(1000)

  const answer = await registry.spend.begin(ask(codex('c-1'), authorize, args))
  expect(answer).toMatchObject({
    kind: 'stored',
    result: JSON.stringify({ decision: 'allow', authorization_expires_at: expires }),
    earlierAt: expect.any(String),
  })
  expect(file.row(turn.handle).auth_token_id).toBeNull()
  await expect(registry.execution.bind('tok-c-2', {})).rejects.toMatchObject({ code: 'continuation_unknown' })
  await file.time.pass(1)
  await dispatch(registry, 'c-6')
  expect(tokens()).toBe(0)
})

test('an id without an expiry lives for ever', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const turn = await dispatch(registry)
  await record(registry, turn, { decision: 'allow', auth_token_id: 'tok-1', authorization_expires_at: null })
  await file.time.pass(10 * 365 * 86_400_000)
  await file.open()
  expect(file.row().auth_token_id).toBe('tok-1')
})

test('a row without its private key cannot be sent any more', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const { handle, leaseId } = await dispatch(registry)
  await registry.spend.release(handle, leaseId)
  file.sql('update harness_operations set operation_key = null')
  await expect(dispatch(registry)).rejects.toMatchObject({ code: 'operation_registry_error' })
})
