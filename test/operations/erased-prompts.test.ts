import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Registry } from '../../src/operations/registry.ts'
import { ask, codex, RegistryFile } from './registry-file.ts'

const prompt = 'a-prompt-that-must-go'

async function claimed(registry: Registry) {
  const turn = await registry.spend.begin(ask(codex('c-1'), 'hubu_authorize_spend', {}))
  if (turn.kind !== 'dispatch') throw new Error(turn.kind)
  await registry.spend.record(turn.handle, turn.leaseId, { decision: 'allow', auth_token_id: 'tok-1' })
  await registry.execution.bind('tok-1', { input: { prompt: `${prompt} ${'x'.repeat(20_000)}` } })
  await registry.worker.promote()
  const held = await registry.worker.claim(0)
  if (held === null) throw new Error('nothing to claim')
  return held
}

const holdsPrompt = (file: RegistryFile) =>
  readdirSync(file.folder.path).some((name) => readFileSync(file.folder.file(name)).includes(prompt))

const change = { state: 'reconciling' as const, code: 'execution_in_progress', nextInMs: 1000 }
const answer = { kind: 'execution', executionId: 'exec-1', status: 'executing', outcome: null } as const

test('a prompt is gone from the file and its log as soon as the execution is known', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const held = await claimed(registry)
  expect(holdsPrompt(file)).toBe(true)
  await registry.worker.settle(held, change, answer)
  expect(holdsPrompt(file)).toBe(false)
})

test('a prompt goes when its operation fails as well', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await registry.worker.settle(
    await claimed(registry),
    { state: 'failed', code: 'execution_request_invalid', nextInMs: null },
    null,
  )
  expect(holdsPrompt(file)).toBe(false)
})

test('when a reader is in the way, the prompt goes with the next opening that nobody hinders', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  const held = await claimed(registry)
  const reading = await file.tryOpen()
  if (reading.kind !== 'available') throw new Error(reading.reason)
  const rows = reading.database.prepare('select * from harness_operations').iterate()
  rows.next()
  await registry.worker.settle(held, change, answer)
  expect(holdsPrompt(file)).toBe(true)
  rows.return?.()
  expect((await file.tryOpen()).kind).toBe('available')
  expect(holdsPrompt(file)).toBe(false)
})

test('an orderly end leaves one file and no log', async () => {
  using file = new RegistryFile()
  const registry = await file.open()
  await claimed(registry)
  registry.close()
  expect(existsSync(`${file.path}-wal`)).toBe(false)
})
