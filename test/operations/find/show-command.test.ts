// The story of one operation, as people and their programs read it.
import { PassThrough } from 'node:stream'
import { isOperationReport } from '#generated/validators/router.js'
import { expect, test } from 'vitest'
import { showCommand } from '../../../src/cli/commands/operations-show.ts'
import { handleOf, JournalFile, someArgs } from '../journal/journal-file.ts'

async function show(file: JournalFile, digits: string, flags: { json?: boolean } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const source = { statePath: file.registry.path, now: new Date(file.clock.nowMs()) }
  const code = await showCommand(handleOf(digits), flags, { stdout, stderr }, source)
  return { code, out: String(stdout.read() ?? '') }
}

/** A purchase whose answer was cut off, then delivered again by another process, and whose execution came late. */
async function longStory() {
  const file = new JournalFile()
  await file.begin()
  const first = file.process()
  const args = { ...someArgs, amount_cents: 1250, reason: 'a "poster"\nanswer: refused' }
  const handle = file.buy(first, { digits: 'a', principal: 'cursor', args })
  file.clock.advance(1500)
  file.answer(handle, { decision: 'allow', auth_token_id: 'canary-token' })
  first.sealer.deliveries.written(handle, 'c1', 1)
  await first.sealer.sealAll()
  const second = file.process()
  file.clock.advance(60_000)
  second.sealer.deliveries.written(handle, 'c2', 1)
  second.sealer.deliveries.used(handle)
  const at = new Date(file.clock.nowMs()).toISOString()
  file.change(handle, { gongbu_create_started_at: at, operation_state: 'succeeded', gongbu_status: 'succeeded' })
  file.change(handle, { gongbu_execution_id: 'exec-9', operation_updated_at: at, auth_token_id: null })
  await second.sealer.sealAll()
  file.buy(second, { digits: 'b', principal: 'cursor', args })
  return { file, handle }
}

test('the answer stands first and the story last, with what both processes wrote, in order', async () => {
  const { file } = await longStory()
  using _ = file
  const { out, code } = await show(file, 'a')
  expect(code).toBe(0)
  expect(out).toMatch(/^answer: +paid 12\.50 USD\. The money moved, once\.\n/)
  for (const line of [
    /^principal: +cursor$/m,
    /^client: +test$/m,
    /^call named by: +the harness$/m,
    /^answer taken: +taken, 2026-/m,
    /^reason: +"a \\"poster\\"\\nanswer: refused"$/m,
    /^twins: +000000000000$/m,
    /^execution: +exec-9, succeeded$/m,
  ])
    expect(out).toMatch(line)
  const [, story = ''] = out.split('\nwhat happened:\n')
  expect(
    story
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(28).trim()),
  ).toEqual([
    'requested: by test, for cursor',
    '+1.5s  answered: allow',
    '+0.0s  answer written',
    '+60.0s  answer taken: the agent used it',
    '+0.0s  acknowledged',
    expect.stringContaining('seen at Gongbu: succeeded, execution exec-9'),
    expect.stringContaining('finished: succeeded'),
  ])
  expect(out).not.toContain('canary')
})

test('as JSON it is the report of the contract', async () => {
  const { file, handle } = await longStory()
  using _ = file
  const { out } = await show(file, 'a', { json: true })
  const report: unknown = JSON.parse(out)
  expect(isOperationReport(report), JSON.stringify(isOperationReport.errors)).toBe(true)
  expect(report).toMatchObject({
    operation_handle: handle,
    answer: 'paid',
    identity: 'harness',
    answer_taken: 'taken',
    twins: [handleOf('b')],
  })
  expect(out).not.toContain('canary')
})

test('an operation from before the journal tells its own times and says so', async () => {
  const { file } = await longStory()
  using _ = file
  for (const table of ['operation_journal', 'operation_facts', 'guard_grants', 'guard_refusals'])
    file.database.exec(`drop table ${table}`)
  const { out } = await show(file, 'a')
  expect(out).toMatch(/^answer: +paid\. /)
  expect(out).toMatch(/requested: before the journal\n/)
  expect(out).not.toMatch(/^principal/m)
})

test('where nobody knows, the ways to find out stand in their order', async () => {
  const { file } = await longStory()
  using _ = file
  const { out } = await show(file, 'b')
  expect(out).toMatch(
    /what you can do: +Let the harness deliver the same call again.*ask the backends.*operations show 0{12} --check.*a person decide/,
  )
})
