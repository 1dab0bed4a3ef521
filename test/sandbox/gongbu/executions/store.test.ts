import { expect, test } from 'vitest'
import { gongbuSchema } from '../../../../src/sandbox/gongbu/executions/schema.ts'
import { scopeOf, type ExecutionScope } from '../../../../src/sandbox/gongbu/executions/scope.ts'
import { openExecutionStore } from '../../../../src/sandbox/gongbu/executions/store.ts'
import type { AuthorizationSnapshot, Execution } from '../../../../src/sandbox/gongbu/executions/execution.ts'
import type { PriceSnapshot } from '../../../../src/sandbox/gongbu/prices/estimate.ts'
import { migrate, openDatabase } from '../../../../src/storage/database.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const at = '2031-03-04T05:06:07.000Z'
const later = '2031-03-04T05:06:08.000Z'
const scope = scopeOf('sandbox', 'fixture') as ExecutionScope

function execution(id: string, over: Partial<Execution> = {}): Execution {
  return {
    executionId: id,
    accountId: 'aga_demo',
    operationKey: `demo:${id}`,
    tokenId: `tok-${id}`,
    status: 'pending',
    outcome: null,
    failureCode: null,
    claimId: null,
    normalizedInput: '{}',
    inputSchemaVersion: '9223372036854775807',
    workloadType: 'image_generation',
    provider: 'sandbox',
    adapter: 'fixture',
    model: 'm',
    targetVersion: 'v1',
    targetDigest: 'd',
    price: { estimated_amount_minor: 1 } as PriceSnapshot,
    scope,
    amountMinor: 1,
    currency: 'USD',
    version: 0,
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    completedAt: null,
    preflightPassedAt: null,
    claimStartedAt: null,
    releaseStartedAt: null,
    providerOutcome: null,
    artifactOutcome: null,
    settlementOutcome: null,
    ...over,
  }
}

function openStore() {
  const folder = tempFolder()
  const database = openDatabase(folder.file('gongbu.sqlite3'))
  migrate(database, gongbuSchema)
  const changes: string[] = []
  const store = openExecutionStore(database, (id, status) => changes.push(`${id} ${status}`))
  const insert = (one: Execution) => store.insert(one, { tokenId: one.tokenId, scope } as AuthorizationSnapshot)
  return {
    store,
    insert,
    changes,
    [Symbol.dispose]() {
      database.close()
      folder[Symbol.dispose]()
    },
  }
}

test('an execution is found as it was stored, by id, token and operation', () => {
  using room = openStore()
  const one = execution('a')
  room.insert(one)
  expect(room.store.byId('a')).toEqual(one)
  expect(room.store.byToken('tok-a')).toEqual(one)
  expect(room.store.byOperation('aga_demo', 'demo:a')).toEqual(one)
  expect(room.store.byOperation('aga_other', 'demo:a')).toBeUndefined()
  expect(room.store.snapshot('a')).toMatchObject({ tokenId: 'tok-a' })
})

test('a change is a compare-and-set on the version', () => {
  using room = openStore()
  const one = execution('a')
  room.insert(one)
  const next = room.store.change(one, { status: 'preflighting', startedAt: later }, later)
  expect(next).toEqual({ ...one, status: 'preflighting', startedAt: later, updatedAt: later, version: 1 })
  expect(room.store.byId('a')).toEqual(next)
  expect(() => room.store.change(one, { status: 'preflighting' }, later)).toThrow(/meanwhile/)
  expect(() => room.store.change(next, { status: 'settling' }, later)).toThrow(/does not move/)
  expect(room.changes).toEqual(['a pending', 'a preflighting'])
})

test('a final execution does not change any more', () => {
  using room = openStore()
  const one = execution('a', { status: 'succeeded' })
  room.insert(one)
  expect(() => room.store.change(one, { outcome: 'other' }, later)).toThrow(/does not move/)
})

test('a token and an operation of an account belong to one execution, and a refused insert leaves nothing', () => {
  using room = openStore()
  room.insert(execution('a'))
  expect(() => room.insert(execution('b', { tokenId: 'tok-a' }))).toThrow(/UNIQUE/)
  expect(() => room.insert(execution('b', { operationKey: 'demo:a' }))).toThrow(/UNIQUE/)
  expect(room.store.byId('b')).toBeUndefined()
  room.insert(execution('b', { operationKey: 'demo:a', accountId: 'aga_other' }))
})

test('what is not final is open, oldest first', () => {
  using room = openStore()
  room.insert(execution('c', { status: 'reconciliation_required' }))
  room.insert(execution('b', { status: 'claimed', createdAt: later }))
  room.insert(execution('a', { createdAt: later }))
  for (const status of ['succeeded', 'failed', 'released'] as const) room.insert(execution(status, { status }))
  expect(room.store.open()).toEqual(['c', 'a', 'b'])
})
