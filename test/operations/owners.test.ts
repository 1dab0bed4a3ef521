import { expect, test } from 'vitest'
import { ask, codex, RegistryFile } from './registry-file.ts'

const args = { account_id: 'a', amount_cents: 25, reason: 'r' }
const allowed = (token: string) => ({
  decision: 'allow',
  auth_token_id: token,
  authorization_expires_at: '2026-11-30T00:00:00.000Z',
})

test('equal call ids of two principals are two operations, and neither knows what the other has', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const buy = async (principal: string | undefined) => {
    const turn = await registry.spend.begin({
      ...ask(codex('c-1'), 'hubu_authorize_spend', args),
      ...(principal && { principal }),
    })
    if (turn.kind !== 'dispatch') throw new Error(turn.kind)
    await registry.spend.record(turn.handle, turn.leaseId, allowed(`token of ${principal ?? 'local'}`))
    return turn
  }
  const version = () => file.sql<{ user_version: number }>('pragma user_version')[0]!.user_version
  const local = await buy(undefined)
  expect(version()).toBe(4)
  const alice = await buy('token:alice')
  const bob = await buy('token:bob')
  expect(version()).toBe(5)
  expect(new Set([local, alice, bob].map(({ handle }) => handle)).size).toBe(3)
  expect(new Set([local, alice, bob].map(({ operationKey }) => operationKey)).size).toBe(3)

  expect(await registry.execution.status(alice.handle, 'token:alice')).toMatchObject({ operation_handle: alice.handle })
  for (const other of ['token:bob', 'local'])
    await expect(registry.execution.status(alice.handle, other)).rejects.toMatchObject({
      code: 'operation_handle_unknown',
    })
  await expect(registry.execution.status(local.handle, 'token:alice')).rejects.toMatchObject({
    code: 'operation_handle_unknown',
  })
  await expect(registry.execution.bind('token of token:alice', {}, 'token:bob')).rejects.toMatchObject({
    code: 'continuation_unknown',
  })
  await registry.execution.bind('token of token:alice', {}, 'token:alice')

  file.sql(`update harness_operations set gongbu_execution_id = 'exec-1' where operation_handle = '${alice.handle}'`)
  expect(await registry.execution.findByExecution('exec-1', 'token:alice')).toMatchObject({ handle: alice.handle })
  expect(await registry.execution.findByExecution('exec-1', 'token:bob')).toBe('foreign')
  expect(await registry.execution.findByExecution('exec-1')).toBe('foreign')
  expect(await registry.execution.executionsOf('token:alice', 5)).toEqual(['exec-1'])
})

test('a file that knows principals is opened again, by several processes, with its operations as they were', async () => {
  using file = new RegistryFile()
  const [one, two] = [await file.open(), await file.open()]
  const begin = (registry: typeof one, principal: string) =>
    registry.spend.begin({ ...ask(codex('c-1'), 'hubu_authorize_spend', args), principal })
  const first = await begin(one, 'token:alice')
  const again = await begin(two, 'token:alice')
  expect([first.kind, again.kind]).toEqual(['dispatch', 'busy'])
  expect((await begin(two, 'token:bob')).kind).toBe('dispatch')
  const third = await file.open()
  expect((await begin(third, 'token:alice')).kind).toBe('busy')
  expect(file.sql('pragma foreign_key_check')).toEqual([])
  expect(file.sql<{ n: number }>('select count(*) as n from installation_identity')[0]!.n).toBe(3)
})

test('a purchase that could not be written takes its owner back with it, and the next one brings it again', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const begin = (id: string) =>
    registry.spend.begin({ ...ask(codex(id), 'hubu_authorize_spend', args), principal: 'token:alice' })
  file.sql(`create trigger no_dispatch before update on harness_operations begin select raise(abort, 'no'); end`)
  await expect(begin('c-1')).rejects.toMatchObject({ code: 'operation_registry_error' })
  file.sql('drop trigger no_dispatch')
  expect((await begin('c-1')).kind).toBe('dispatch')
})

test('what is asked for again on behalf of its owner is never bought anew', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const asked = { ...ask(codex('c-1'), 'hubu_authorize_spend', args), owner: 'hubu-installation:v1:gone', buyer: null }
  await expect(registry.spend.begin(asked)).rejects.toMatchObject({ code: 'operation_registry_error' })
  expect(file.sql('select * from harness_operations')).toEqual([])
})
