import { describe, expect, test } from 'vitest'
import { isJournalVerification } from '#generated/validators/router.js'
import { verifyJournal } from '../../../src/operations/journal/verify.ts'
import { JournalFile } from './journal-file.ts'

const decided = { decision: 'allow', auth_token_id: 'tok', payment: null }

/** A journal of three purchases, two of them decided, all sealed. */
async function journal(): Promise<JournalFile> {
  const file = new JournalFile()
  await file.begin()
  const one = file.process()
  for (const digits of ['a', 'b', 'c']) file.buy(one, { digits, args: { account_id: digits, amount_cents: 5 } })
  for (const digits of ['a', 'b']) {
    const handle = `hubu:public-operation:v1:${digits.padStart(32, '0')}`
    file.answer(handle, { ...decided, auth_token_id: `tok-${digits}` })
    one.sealer.note(handle)
  }
  await one.sealer.sealAll()
  return file
}

const verify = (file: JournalFile) => {
  const found = verifyJournal(file.database)
  expect(isJournalVerification(found)).toBe(true)
  return found
}

test('a journal that holds is told with its size, its head and its times', async () => {
  using file = await journal()
  const count = file.entries().length
  expect(verify(file)).toMatchObject({
    holds: true,
    entries: count,
    head: { seq: count, link: expect.stringMatching(/^[a-f0-9]{64}$/) as string },
    problems: [],
    operations_without_entries: 0,
    openings: 5,
    forgotten_openings: 0,
  })
})

test('a changed byte is found at the entry after it, and at the last entry by what the row says', async () => {
  using file = await journal()
  const count = file.entries().length
  for (let seq = 1; seq < count; seq++) {
    const text = file.texts()[seq - 1]!
    file.database
      .prepare('update operation_journal set entry = ? where seq = ?')
      .run(text.replace('"v":1', '"v":2'), seq)
    expect(verify(file), `entry ${seq}`).toMatchObject({
      holds: false,
      problems: [{ kind: 'broken_link', seq: seq + 1 }],
    })
    file.database.prepare('update operation_journal set entry = ? where seq = ?').run(text, seq)
  }
  expect(verify(file).holds).toBe(true)
})

test('an entry that was taken out is found, and those taken off the end show in the head', async () => {
  using file = await journal()
  const { head, entries } = verify(file)
  file.database.exec(`delete from operation_journal where seq = ${entries}`)
  expect(verify(file)).toMatchObject({ entries: entries - 1, head: { seq: entries - 1 } })
  expect(verify(file).head?.link).not.toBe(head?.link)
  file.database.exec('delete from operation_journal where seq = 3')
  expect(verify(file)).toMatchObject({ holds: false })
  expect(verify(file).problems[0]).toMatchObject({ kind: 'missing_entry', seq: 3 })
})

describe('a row that says something else than its entries', () => {
  test.each([
    ["decision = 'deny'", 'decision'],
    [`result_json = '{"decision":"allow","payment":{"status":"succeeded"}}'`, 'result'],
    [`request_hash = 'sha256:' || '${'0'.repeat(64)}'`, 'request'],
  ])('is a contradiction: %s', async (change, what) => {
    using file = await journal()
    file.database.exec(`update harness_operations set ${change} where operation_handle like '%b'`)
    expect(verify(file)).toMatchObject({
      holds: false,
      problem_count: 1,
      problems: [{ kind: 'contradiction', detail: `the operation has another ${what}` }],
    })
  })

  test('is none while it is only ahead of what was sealed', async () => {
    using file = await journal()
    file.clock.advance(1000)
    file.answer(`hubu:public-operation:v1:${'c'.padStart(32, '0')}`, { ...decided, auth_token_id: 'tok-c' })
    expect(verify(file).holds).toBe(true)
  })

  test('is none when only the authorization id was erased from it', async () => {
    using file = await journal()
    file.database.exec(
      `update harness_operations set auth_token_id = null, result_json = json_remove(result_json, '$.auth_token_id')`,
    )
    expect(verify(file).holds).toBe(true)
  })

  test('is one when it is gone', async () => {
    using file = await journal()
    file.database.exec("delete from harness_operations where operation_handle like '%c'")
    expect(verify(file).problems).toMatchObject([
      { kind: 'contradiction', detail: 'its operation is not in the registry' },
    ])
  })
})

test('a kept text that is another one than was committed to is found, and so is one that somebody took away', async () => {
  using file = await journal()
  file.database.exec(`update operation_journal set opening = replace(opening, '"a"', '"x"') where seq = 2`)
  file.database.exec(
    `update operation_journal set opening = cast(replace(opening, 'account', 'accouns') as blob) where seq = 2`,
  )
  expect(verify(file).problems).toMatchObject([{ kind: 'opening', seq: 2 }])
  file.database.exec('update operation_journal set opening = null where seq = 2')
  expect(verify(file).problems).toMatchObject([
    { kind: 'opening', seq: 2, detail: 'its kept text is gone, and nobody has forgotten it' },
  ])
})

test('operations that are older than the journal are counted and are no problem', async () => {
  using file = new JournalFile()
  await file.begin()
  file.buy(file.process(), { digits: 'a' })
  file.database.exec(
    `insert into harness_operations (platform, installation_id, harness_call_id, request_hash, tool_name, operation_handle, created_at)
     select 'codex', installation_id, 'old', '${'h'.repeat(71)}', 'hubu_submit_spend', 'old', '2026-01-01T00:00:00.000Z' from installation_identity`,
  )
  expect(verify(file)).toMatchObject({ holds: true, operations_without_entries: 1 })
})
