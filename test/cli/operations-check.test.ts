import { describe, expect, test } from 'vitest'
import type { CliContext } from '../../src/cli/context.ts'
import { openBackends } from '../../src/cli/commands/operations-check.ts'
import { stubBackend, type Canned, type StubBackend } from '../support/stub-backend.ts'

const ids = { execution: null, decision: null, ledger: null }
const json = (value: unknown): Canned => ({ status: 200, json: value })

/** Asks as a command does, with these backends in the environment. */
function open(hubu: StubBackend | undefined, gongbu?: StubBackend) {
  const env = {
    ...(hubu && { HUBU_UNIFIED_HUBU_ENDPOINT: hubu.url.href, HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-bearer-of-a-test' }),
    ...(gongbu && {
      HUBU_UNIFIED_GONGBU_ENDPOINT: gongbu.url.href,
      HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'gongbu-bearer-of-a-test',
    }),
  }
  return openBackends({}, { process: { env }, place: {} } as unknown as CliContext)
}

describe("Hubu's ledger", () => {
  test('says paid of a transaction in it and not paid of another, and is read once for all that is asked', async () => {
    await using hubu = await stubBackend(() => json({ transactions: [{ id: 'one' }, { id: 'two' }] }))
    const backends = open(hubu)
    expect(await backends.ask('paid', { ...ids, ledger: 'one' })).toMatchObject({ verdict: 'confirmed' })
    expect(await backends.ask('unknown', { ...ids, ledger: 'two' })).toMatchObject({ verdict: 'found_out' })
    expect(await backends.ask('paid', { ...ids, ledger: 'three' })).toMatchObject({ verdict: 'contradicted' })
    await backends.close()
    expect(hubu.exchanges.map(({ request }) => request.path)).toEqual(['/ledger'])
  })

  test.each([{}, [], { transactions: null }, { transactions: {} }])(
    'of another shape (%j) says nothing',
    async (body) => {
      await using hubu = await stubBackend(() => json(body))
      const backends = open(hubu)
      expect(await backends.ask('paid', { ...ids, ledger: 'one' })).toMatchObject({ verdict: 'cannot_tell' })
      await backends.close()
    },
  )

  test('that cannot be had says nothing either', async () => {
    await using hubu = await stubBackend(() => ({ status: 404, json: { error: 'not found' } }))
    const backends = open(hubu)
    expect(await backends.ask('paid', { ...ids, ledger: 'one' })).toMatchObject({ verdict: 'cannot_tell' })
    await backends.close()
    const alone = open(undefined)
    expect(await alone.ask('paid', { ...ids, ledger: 'one' })).toMatchObject({ verdict: 'cannot_tell' })
    await alone.close()
  })
})

describe('the workflows of Hubu', () => {
  const pages = (request: { path: string }): Canned =>
    request.path.includes('cursor=second')
      ? json({ workflows: [{ decision_id: 'late', status: 'settled' }], next_cursor: null })
      : json({ workflows: [{ decision_id: 'early', status: 'needs_approval' }], next_cursor: 'second' })

  test('are looked through to the page that has the decision, each page once', async () => {
    await using hubu = await stubBackend(pages)
    const backends = open(hubu)
    expect(await backends.ask('unknown', { ...ids, decision: 'late' })).toEqual({
      verdict: 'found_out',
      detail: 'Hubu says: paid',
    })
    expect(await backends.ask('waiting', { ...ids, decision: 'early' })).toMatchObject({ verdict: 'confirmed' })
    expect(await backends.ask('held', { ...ids, decision: 'nowhere' })).toMatchObject({ verdict: 'cannot_tell' })
    await backends.close()
    expect(hubu.exchanges).toHaveLength(2)
  })

  test('are not followed for ever', async () => {
    await using hubu = await stubBackend(() => json({ workflows: [], next_cursor: 'again' }))
    const backends = open(hubu)
    expect(await backends.ask('held', { ...ids, decision: 'one' })).toMatchObject({ verdict: 'cannot_tell' })
    await backends.close()
    expect(hubu.exchanges).toHaveLength(10)
  })
})

test('an execution is asked of Gongbu, and what is no execution says nothing', async () => {
  await using gongbu = await stubBackend(() => json({ unexpected: true }))
  const backends = open(undefined, gongbu)
  const execution = '00000000-0000-4000-8000-000000000001'
  expect(await backends.ask('held', { ...ids, execution })).toMatchObject({ verdict: 'cannot_tell' })
  await backends.close()
  expect(gongbu.exchanges.length).toBeGreaterThan(0)
})
