import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deriveNames } from '../../src/operations/derived-names.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const unavailable = expect.objectContaining({ kind: 'unavailable', reason: 'state_unavailable' }) as unknown

/** Key and handle of a call that is delivered now. */
async function names(file: RegistryFile, callId = 'call-1') {
  const registry = await file.open()
  const turn = await registry.spend.begin(ask(codex(callId), 'hubu_authorize_spend', {}))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  await registry.spend.release(turn.handle, turn.leaseId)
  registry.close()
  return { key: turn.operationKey, handle: turn.handle }
}

const removeRegistry = ({ path }: RegistryFile) => {
  for (const side of ['', '-wal', '-shm']) rmSync(path + side, { force: true })
}

test('key and handle follow from the secret, the principal, the platform and the call', () => {
  const secret = Buffer.from(Array.from({ length: 32 }, (_, n) => n))
  expect(deriveNames(secret, { principal: 'local', platform: 'codex', harnessCallId: 'call-1' })).toEqual({
    key: 'hubu:operation:v1:codex:190118d535ed17aeafbec6d799ffa91c',
    handle: 'hubu:public-operation:v1:c18cb15a3356801f415390c9db6ca253',
  })
  expect(deriveNames(secret, { principal: 'token:alice', platform: 'codex', harnessCallId: 'call-1' })).toEqual({
    key: 'hubu:operation:v1:codex:cd8f56e737e1021360e622f95e9fcb5f',
    handle: 'hubu:public-operation:v1:1b97aa9e6d6aff70ec34ecb75d34eca7',
  })
})

test('the secret is made once, for its owner only, and the registry knows its fingerprint', async () => {
  using file = new RegistryFile()
  await names(file)
  const secret = `${file.path}.key-secret`
  const text = readFileSync(secret, 'utf8')
  expect(text).toMatch(/^[0-9a-f]{64}\n$/)
  if (process.platform !== 'win32') expect(statSync(secret).mode & 0o777).toBe(0o600)
  await names(file, 'call-2')
  expect(readFileSync(secret, 'utf8')).toBe(text)
  const [row] = file.sql<{ fingerprint: Buffer }>('select fingerprint from key_secret')
  expect(row?.fingerprint).toHaveLength(32)
  expect(text).not.toContain(row?.fingerprint.toString('hex'))
})

test('a registry that is deleted gives a redelivered call the key and the handle that it had', async () => {
  using file = new RegistryFile()
  const before = await names(file)
  removeRegistry(file)
  expect(await names(file)).toEqual(before)
  expect((await names(file, 'call-2')).key).not.toBe(before.key)
})

test('a recorded secret that is missing, another one or a link makes the registry unavailable until it is back', async () => {
  using file = new RegistryFile()
  const before = await names(file)
  const secret = `${file.path}.key-secret`
  const text = readFileSync(secret)
  rmSync(secret)
  expect(await file.tryOpen()).toEqual(unavailable)
  expect(existsSync(secret)).toBe(false)
  for (const wrong of ['0'.repeat(64), 'no secret', '']) {
    writeFileSync(secret, wrong)
    expect(await file.tryOpen()).toEqual(unavailable)
    expect(readFileSync(secret, 'utf8')).toBe(wrong)
  }
  rmSync(secret)
  const elsewhere = file.folder.file('elsewhere')
  writeFileSync(elsewhere, text)
  symlinkSync(elsewhere, secret)
  expect(await file.tryOpen()).toEqual(unavailable)
  rmSync(secret)
  writeFileSync(secret, text)
  expect(await names(file)).toEqual(before)
})

test('a registry of an earlier release gets a secret without a word, and its rows keep their keys', async () => {
  using file = new RegistryFile()
  await names(file)
  file.sql('drop table key_secret')
  rmSync(`${file.path}.key-secret`)
  file.sql("update harness_operations set operation_key = 'hubu:operation:v1:codex:drawn'")
  expect((await names(file)).key).toBe('hubu:operation:v1:codex:drawn')
  expect(file.sql('select * from key_secret')).toHaveLength(1)
})

test.each([
  ['frozen', 'tok-1'],
  ['claimed', null],
  ['settled', null],
  [undefined, null],
])(
  'a forgotten authorization that Hubu repeats keeps its id only while its hold is frozen: %s',
  async (status, kept) => {
    using file = new RegistryFile()
    const registry = await file.open()
    const turn = await registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
    if (turn.kind !== 'dispatch') throw new Error(turn.kind)
    const answer = {
      decision: 'allow',
      auth_token_id: 'tok-1',
      idempotent_replay: true,
      ...(status !== undefined && { budget_hold: { status } }),
    }
    const text = await registry.spend.record(turn.handle, turn.leaseId, answer)
    expect(file.row()).toMatchObject({ decision: 'allow', auth_token_id: kept, result_json: text })
    expect(text.includes('tok-1')).toBe(kept !== null)
    const told = await registry.execution.status(turn.handle)
    expect(told.state).toBe(kept === null ? 'failed' : 'authorized')
  },
)

test('a repeated answer to a call that the registry did send before keeps its id', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const begin = () => registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  const first = await begin()
  if (first.kind !== 'dispatch') throw new Error(first.kind)
  await registry.spend.release(first.handle, first.leaseId)
  const again = await begin()
  if (again.kind !== 'dispatch') throw new Error(again.kind)
  const answer = { decision: 'allow', auth_token_id: 'tok-1', idempotent_replay: true }
  await registry.spend.record(again.handle, again.leaseId, answer)
  expect(file.row().auth_token_id).toBe('tok-1')
})
