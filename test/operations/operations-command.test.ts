import { PassThrough } from 'node:stream'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { listCommand, operationsCommand, type ListFlags } from '../../src/cli/commands/operations.ts'
import { showCommand } from '../../src/cli/commands/operations-show.ts'
import { findCommand } from '../../src/cli/commands/operations-find.ts'
import { RouterWorld, args, create } from '../calls/router-world.ts'
import { execution } from '../calls/scripted-gongbu.ts'
import { answer } from '../calls/scripted-hubu.ts'
import { plainAppearance } from '../../src/terminal/appearance.ts'
import { openDatabase } from '../../src/storage/database.ts'

/** Runs one of the commands as the bin would; what it wrote and its exit code. */
async function run(command: (streams: { stdout: PassThrough; stderr: PassThrough }) => Promise<number>) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await command({ stdout, stderr })
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

const list = (it: RouterWorld, flags: ListFlags = {}) =>
  run((streams) => listCommand({ statePath: it.statePath, ...flags }, streams, {}, it.now()))
const show = (it: RouterWorld, handle: string, flags: object = {}) =>
  run((streams) => showCommand(handle, flags, streams, { statePath: it.statePath, now: it.now() }))

/** A registry with an execution under way, a pending approval, a denial and an unanswered spend. */
async function busyWorld() {
  const it = new RouterWorld()
  const router = await it.start()
  const authorize = async (callId: string) => {
    await it.time.pass(1000)
    return router.call('hubu_authorize_spend', { ...args, reason: 'canary-reason' }, { callId: `canary-${callId}` })
  }
  await authorize('running')
  it.gongbu.onPost = [() => execution(2, 'executing', String(it.hubu.keys[0]))]
  it.gongbu.onGet = [() => ({ kind: 'no_answer' })]
  await router.call('gongbu_create_execution', { ...create, input: { prompt: 'canary-prompt', image_count: 1 } })
  it.hubu.next.push(
    () => answer({ decision: 'needs_approval', approval: { approval_request_id: 'apr-7' } }),
    () => answer({ decision: 'deny', reason: 'canary-said' }),
    () => new Promise(() => {}),
  )
  await authorize('pending')
  await authorize('denied')
  await it.time.pass(1000)
  void router.call('hubu_submit_spend', args, { 'claudecode/toolUseId': 'canary-silent' })
  await it.time.pass(100)
  return it
}

test('a list shows every operation, the newest first, with its state, tries and next attempt', async () => {
  using it = await busyWorld()
  const { out, code } = await list(it)
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^OPERATION +TOOL +STATE +RESULT +TRIES +NEXT ATTEMPT +UPDATED$/)
  expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1, 4))).toEqual([
    ['submit_spend', 'awaiting_hubu_result', '-'],
    ['authorize_spend', 'failed', 'authorization_denied'],
    ['authorize_spend', 'approval_required', 'human_approval_required'],
    ['authorize_spend', 'reconciling', 'observation_retry_pending'],
  ])
  expect(lines[4]).toMatch(/ 0\/2\/0 +2026-11-29T00:00:\d\d\.\d{3}Z +2026-/)
})

test('nothing private is ever printed: keys, tokens, prompts, results, harness ids, tasks, leases', async () => {
  using it = await busyWorld()
  const printed = [await list(it), await list(it, { json: true })]
  for (const { operation_handle: handle } of it.rows())
    printed.push(await show(it, handle), await show(it, handle, { json: true }))
  const secrets = it
    .rows()
    .flatMap((row) => [row.operation_key, row.auth_token_id, row.worker_lease_id, row.installation_id])
  for (const { out, code } of printed) {
    expect(code).toBe(0)
    expect(out).not.toMatch(/canary|account-1|hubu:operation:v1:/)
    for (const secret of secrets) if (secret !== null) expect(out).not.toContain(secret)
  }
})

test('in a terminal a list fits, its handles are short and found again, and its words are explained; --full is whole', async () => {
  using it = await busyWorld()
  const look = { ...plainAppearance, isTerminal: true, width: 80 }
  const shown = (flags: ListFlags) =>
    run((streams) => listCommand({ statePath: it.statePath, ...flags }, { ...streams, look }, {}, it.now()))
  const { out } = await shown({})
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(out).toMatch(/\n\n.*\napproval_required +a human decides/s)
  expect(out).not.toContain('queued')
  const handles = it.rows().map((row) => String(row.operation_handle))
  const typed = out
    .split('\n')
    .slice(1, 5)
    .map((line) => line.split(' ')[0]!)
  expect(typed.map((digits) => digits.length)).toEqual([8, 8, 8, 8])
  for (const digits of typed) {
    const [whole] = handles.filter((handle) => handle.includes(`:${digits}`))
    expect((await show(it, digits)).out).toContain(whole)
    expect((await shown({ full: true })).out).toContain(whole)
  }
  const found = await run((streams) =>
    findCommand({}, { ...streams, look }, { statePath: it.statePath, now: it.now() }),
  )
  for (const line of found.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(found.out).toContain(typed[0])
  expect(found.out).toMatch(/\nwaiting +a human decides/)
})

test('a state can be asked for, and the number is limited', async () => {
  using it = await busyWorld()
  const found = JSON.parse((await list(it, { state: 'failed', json: true })).out) as {
    operations: { state: string }[]
    hasMore: boolean
  }
  expect(found).toMatchObject({
    operations: [{ state: 'failed', tool: 'hubu_authorize_spend', terminal: true }],
    hasMore: false,
  })
  const two = await list(it, { limit: '2' })
  expect(two.out.trimEnd().split('\n')).toHaveLength(4)
  expect(two.out).toContain('Older ones are left out; --limit 20 shows more.')
  expect(await list(it, { limit: '0' })).toMatchObject({ code: 2 })
  expect(await list(it, { state: 'authorized' })).toMatchObject({ code: 0, out: 'No operations.\n' })
})

test('one operation is shown by its handle or the first digits of it, with all its times and what to do', async () => {
  using it = await busyWorld()
  const row = it.rows().find(({ gongbu_execution_id: id }) => id !== null)
  const handle = String(row?.operation_handle)
  const { out } = await show(it, handle.slice(-32, -20))
  expect(out).toMatch(new RegExp(`^answer: +held\\. The money is reserved and not spent\\.\\nhandle: +${handle}\\n`))
  for (const line of [
    /tool: +hubu_authorize_spend, called by codex/,
    /state: +reconciling: observation_retry_pending/,
    /execution: +exec-1, executing/,
    /acknowledged: +2026-11-29T00:00:01/,
    /next attempt: +2026-/,
    /deadline: +2026-11-30T00:00:01/,
    /tries: +0 failed dispatches, 2 failed observations in a row, 0 ambiguous/,
    /what you can do: +Nothing. A running router goes on with it by itself until 2026-11-30/,
  ])
    expect(out).toMatch(line)
  expect(JSON.parse((await show(it, handle, { json: true })).out)).toMatchObject({
    operation_handle: handle,
    execution_id: 'exec-1',
    answer: 'held',
  })
})

test('handles that fit none or several operations are said to', async () => {
  using it = await busyWorld()
  for (const handle of ['ffff', 'hubu:public-operation:v1:', '%', 'zz', '', '12'])
    expect(await show(it, handle)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('No operation') as unknown,
    })
  it.sql(
    "update harness_operations set operation_handle = 'hubu:public-operation:v1:aaaa' || substr(operation_handle, 30)",
  )
  expect((await show(it, 'aaaa')).err).toContain('More than one handle')
})

test('each situation tells a human what to do now', async () => {
  using it = await busyWorld()
  const step = async (state: string) => {
    const found = JSON.parse((await list(it, { state, json: true })).out) as { operations: { nextStep: string }[] }
    return found.operations[0]?.nextStep
  }
  expect(await step('approval_required')).toContain('hubu-unified-mcp approvals show apr-7')
  expect(await step('failed')).toContain('Hubu denied it')
  expect(await step('awaiting_hubu_result')).toContain('A router is waiting')
  it.time.sleepThrough(600_000)
  expect(await step('awaiting_hubu_result')).toContain('Let the harness deliver the same call again')
  expect(await step('reconciling')).toContain('no router takes it')
})

test('what cannot be read is told in one sentence, and nothing is made or changed', async () => {
  using it = new RouterWorld()
  const text = it.folder.file('text')
  writeFileSync(text, 'not a registry, but long enough to be looked at more closely'.repeat(20))
  const other = it.folder.file('other.sqlite3')
  openDatabase(other).exec('create table t (x)')
  const link = it.folder.file('link')
  symlinkSync(text, link)
  const before = readFileSync(text)
  const cases: [string | undefined, RegExp][] = [
    [undefined, /No registry is configured. Set HUBU_UNIFIED_OPERATION_STATE_PATH/],
    [' ', /No registry is configured/],
    ['registry.sqlite3', /must be absolute/],
    [it.statePath, /does not exist yet/],
    [it.folder.path, /not a registry/],
    [text, /not a registry/],
    [other, /not a registry/],
    [link, /not a registry/],
  ]
  for (const [path, message] of cases) {
    const flags = path === undefined ? {} : { statePath: path }
    const listed = await run((streams) => listCommand(flags, streams, {}, it.now()))
    expect(listed, String(path)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) as unknown })
    const shown = await run((streams) => showCommand('aaaa', {}, streams, { statePath: path, now: it.now() }))
    expect(shown.err).toBe(listed.err)
    const found = await run((streams) => findCommand({}, streams, { statePath: path, now: it.now() }))
    expect(found).toEqual(listed)
  }
  expect(existsSync(it.statePath)).toBe(false)
  expect(readFileSync(text).equals(before)).toBe(true)
})

test('the environment names the registry when the flag does not, and the tree knows both commands', async () => {
  using it = await busyWorld()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const codes: number[] = []
  const program = new Command('hubu-unified-mcp').exitOverride()
  const env = { HUBU_UNIFIED_OPERATION_STATE_PATH: it.statePath }
  operationsCommand(program, {
    process: { stdout, stderr } as unknown as NodeJS.Process,
    wire: { stdout, stderr } as unknown as NodeJS.Process,
    place: { env, home: '/', platform: 'linux' },
    setExitCode: (code) => void codes.push(code),
  })
  await program.parseAsync(['operations', 'list', '--json', '--state', 'failed'], { from: 'user' })
  expect(JSON.parse(String(stdout.read()))).toMatchObject({ operations: [{ state: 'failed' }] })
  await program.parseAsync(['operations', 'show', 'ffff'], { from: 'user' })
  expect(codes).toEqual([0, 1])
})
