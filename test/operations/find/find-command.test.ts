// What people find, in real registry files with and without a journal.
import { PassThrough } from 'node:stream'
import { openDatabase } from '../../../src/storage/database.ts'
import { expect, test } from 'vitest'
import { findCommand, type FindFlags } from '../../../src/cli/commands/operations-find.ts'
import { handleOf, JournalFile, someArgs, type Purchase } from '../journal/journal-file.ts'

async function find(file: JournalFile, flags: FindFlags = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const source = { statePath: file.registry.path, now: new Date(file.clock.nowMs()) }
  const code = await findCommand(flags, { stdout, stderr }, source)
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

/** The digits that were found. */
async function found(file: JournalFile, flags: FindFlags): Promise<string[]> {
  const { out } = await find(file, { ...flags, json: true })
  const { operations } = JSON.parse(out) as { operations: { operation_handle: string }[] }
  return operations.map(({ operation_handle: handle }) => handle.slice(-2).replace(/^0/, ''))
}

/** Four purchases: paid, waiting, refused and one that was never answered; sealed unless said otherwise. */
async function shop(isSealed = true) {
  const file = new JournalFile()
  await file.begin()
  const process = file.process()
  const buy = (purchase: Purchase) => {
    file.clock.advance(1000)
    return file.buy(process, purchase)
  }
  const title = { ...someArgs, amount_cents: 1250, reason: 'Ein Bild für die Titelseite', merchant: 'Acme Café' }
  const paid = buy({ digits: 'a', tool: 'hubu_submit_spend', args: title })
  file.answer(paid, { decision: 'allow', payment: { status: 'succeeded', ledger_transaction_id: 'l-1' } })
  const waiting = buy({ digits: 'b', args: { ...someArgs, amount_cents: 1251 }, principal: 'cursor' })
  file.answer(waiting, { decision: 'needs_approval' })
  file.change(waiting, { approval_request_id: 'apr-1' })
  const held = buy({ digits: 'c', args: { ...someArgs, amount_cents: 1300 } })
  file.answer(held, { decision: 'allow', auth_token_id: 'secret-token' })
  buy({ digits: 'd', args: { ...someArgs, amount_cents: 5 } })
  if (isSealed) await process.sealer.sealAll()
  return { file, process }
}

for (const isSealed of [true, false])
  test(`amounts, times, words and names lead to a purchase, ${isSealed ? 'sealed' : 'a moment after it began'}`, async () => {
    const { file } = await shop(isSealed)
    using _ = file
    expect(await found(file, { amount: '12.50' })).toEqual(['a'])
    expect(await found(file, { cents: '1250' })).toEqual(['a'])
    expect(await found(file, { amount: '12..13' })).toEqual(['c', 'b', 'a'])
    expect(await found(file, { words: 'BILD titel' })).toEqual(['a'])
    expect(await found(file, { words: 'titel acme' })).toEqual(['a'])
    expect(await found(file, { words: 'cafe' })).toEqual([])
    expect(await found(file, { words: 'ild' })).toEqual([])
    expect(await found(file, { words: 'POSTER' })).toEqual(['d', 'c', 'b'])
    expect(await found(file, { principal: 'cursor' })).toEqual(['b'])
    expect(await found(file, { client: 'test' })).toEqual(['d', 'c', 'b', 'a'])
    expect(await found(file, { client: 'codex', answer: 'held' })).toEqual(['c'])
    expect(await found(file, { answer: 'paid' })).toEqual(['a'])
    expect(await found(file, { answer: 'waiting' })).toEqual(['b'])
    expect(await found(file, { answer: 'unknown' })).toEqual(['d'])
    expect(await found(file, { answer: 'refused' })).toEqual([])
    expect(await found(file, { state: 'authorized' })).toEqual(['c'])
    expect(await found(file, { state: 'succeeded' })).toEqual(['a'])
    expect(await found(file, { tool: 'hubu_submit_spend' })).toEqual(['a'])
    expect(await found(file, { approval: 'apr-1' })).toEqual(['b'])
    expect(await found(file, { since: '2s' })).toEqual(['d', 'c', 'b'])
    expect(await found(file, { until: '2s', limit: '1' })).toEqual(['b'])
    expect(await found(file, { handle: handleOf('a').slice(-32) })).toEqual(['a'])
    expect(await found(file, { handle: '0000' })).toEqual(['d', 'c', 'b', 'a'])
  })

test('an authorization leads to its purchase also after it ran out and was erased, and is never printed', async () => {
  const { file } = await shop()
  using _ = file
  expect(await found(file, { authorization: 'secret-token' })).toEqual(['c'])
  file.change(handleOf('c'), { auth_token_id: null, result_json: '{"decision":"allow"}' })
  const erased = await find(file, { authorization: 'secret-token' })
  expect(erased).toMatchObject({ code: 0 })
  expect(erased.out).not.toContain('secret-token')
  expect(await found(file, { authorization: 'another' })).toEqual([])
})

test('handles are cut to what no other operation begins with', async () => {
  const { file, process } = await shop()
  using _ = file
  const digits = 'abcdef0123456789'.repeat(2)
  for (const last of ['7', '8']) file.buy(process, { digits: digits.slice(0, 12) + last.repeat(20), args: someArgs })
  const { out } = await find(file, { limit: '1' })
  expect(out).toContain(` ${digits.slice(0, 12)}8 `)
  // Those of this registry differ in their last digit.
  expect((await find(file, { answer: 'paid' })).out).toContain(handleOf('a').slice(-32))
})

test('without filters everything is shown, one line each, what was longer cut and what was foreign quoted', async () => {
  const { file, process } = await shop()
  using _ = file
  const reason = 'x"\n2026-11-30T00:00:00.000Z  999.00 USD  paid\u001b[31m and much more than forty characters'
  file.buy(process, { digits: 'e', args: { ...someArgs, reason } })
  const { out, code } = await find(file)
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^TIME +AMOUNT +ANSWER +AGENT +TOOL +OPERATION +REASON$/)
  expect(lines).toHaveLength(6)
  expect(lines[1]).toContain('"x\\"\\n2026-11-30T00:00:00.000Z  999.00 USD "')
  expect(lines.at(-1)).toMatch(/ 12\.50 USD +paid +local +submit_spend +0{31}a +"Ein Bild für die Titelseite"$/)
  expect((await find(file, { limit: '2' })).out).toContain('Older ones fit as well; --limit 20 shows more.')
})

test('operations from before the journal are found by what Hubu answered, and those without are counted', async () => {
  const { file } = await shop()
  using _ = file
  const request = { amount_cents: 700, reason: 'old poster', merchant: null }
  file.answer(handleOf('a'), {
    decision: 'allow',
    payment: { status: 'succeeded' },
    attempt_history: [{ request: { ...request, amount_cents: 1 } }, { request }],
  })
  file.answer(handleOf('b'), {
    decision: 'needs_approval',
    approval: { review: { amount_cents: 900, reason: 'new poster' } },
  })
  for (const table of ['operation_journal', 'operation_facts', 'guard_grants', 'guard_refusals'])
    file.database.exec(`drop table ${table}`)
  expect(await found(file, { cents: '700' })).toEqual(['a'])
  expect(await found(file, { cents: '900', words: 'new' })).toEqual(['b'])
  expect(await found(file, { words: 'poster' })).toEqual(['b', 'a'])
  expect(await found(file, { principal: 'local' })).toEqual([])
  expect((await find(file, { words: 'poster' })).out).toMatch(/\n2 operations could not be looked into: /)
  expect((await find(file)).out).toMatch(/ {2}9\.00 USD +waiting +codex /)
})

test('nothing that fits, a wrong filter and a file that cannot be read are told apart', async () => {
  const { file } = await shop()
  using _ = file
  expect(await find(file, { amount: '99' })).toMatchObject({ code: 1, out: 'No operation fits.\n' })
  const wrong: FindFlags[] = [
    { amount: '1.005' },
    { amount: '1', cents: '100' },
    { since: 'soon' },
    { words: '...' },
    { handle: '12' },
    { limit: '1001' },
  ]
  for (const flags of wrong) expect(await find(file, flags), JSON.stringify(flags)).toMatchObject({ code: 2, out: '' })
  for (const [path, message] of [
    [undefined, /No registry is configured/],
    [file.registry.folder.path, /not a registry/],
    [file.registry.folder.file('none'), /does not exist yet/],
  ] as const) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    expect(await findCommand({}, { stdout, stderr }, { statePath: path, now: new Date() })).toBe(1)
    expect(String(stderr.read())).toMatch(message)
  }
  const locker = openDatabase(file.registry.path)
  locker.exec('begin exclusive')
  try {
    // In a file with a log, readers do not wait for who writes.
    expect(await find(file, { answer: 'paid' })).toMatchObject({ code: 0 })
  } finally {
    locker.close()
  }
})

test('with the backends asked, a contradiction is shown and is a failure', async () => {
  const { file } = await shop()
  using _ = file
  const asked: unknown[] = []
  const run = async (verdict: 'confirmed' | 'contradicted') => {
    const stdout = new PassThrough()
    const backends = {
      ask: (ours: unknown, ids: unknown) => {
        asked.push([ours, ids])
        return Promise.resolve({ verdict, detail: 'Hubu says: not_paid' })
      },
      close: () => Promise.resolve(),
    }
    const source = { statePath: file.registry.path, now: new Date(file.clock.nowMs()), backends }
    const code = await findCommand({ answer: 'paid' }, { stdout, stderr: stdout }, source)
    return { code, out: String(stdout.read()) }
  }
  expect(await run('confirmed')).toMatchObject({ code: 0, out: expect.stringMatching(/ confirmed\n$/) as unknown })
  const contradicted = await run('contradicted')
  expect(contradicted.code).toBe(1)
  expect(contradicted.out).toContain('contradicted: Hubu says: not_paid')
  expect(asked[0]).toEqual(['paid', { execution: null, decision: null, ledger: 'l-1' }])
})
