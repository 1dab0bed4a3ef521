// What agents see of earlier purchases: their own, and nothing that another session wrote.
import { isOperationsFound } from '#generated/validators/router.js'
import type { OperationsFound } from '#generated/types/router.js'
import { expect, test } from 'vitest'
import { createEarlierPurchases } from '../../../src/calls/find-call.ts'
import { noFindings } from '../../../src/json/findings.ts'
import { createOperationSearch } from '../../../src/operations/find/search.ts'
import { handleOf, JournalFile, someArgs } from '../journal/journal-file.ts'

async function twoAgents() {
  const file = new JournalFile()
  await file.begin()
  const one = file.process()
  const args = { account_id: 'canary-account', amount_cents: 1250, reason: 'canary-reason', merchant: 'canary-shop' }
  const own = file.buy(one, { digits: 'a', principal: 'p', args, tool: 'hubu_submit_spend' })
  file.answer(own, { decision: 'allow', decision_id: 'canary-decision', payment: { status: 'succeeded' } })
  const waiting = file.buy(one, { digits: 'b', principal: 'p', args: { ...args, amount_cents: 5 } })
  file.answer(waiting, { decision: 'needs_approval' })
  file.change(waiting, { approval_request_id: 'canary-approval' })
  file.buy(one, { digits: 'c', principal: 'q', args: someArgs })
  await one.sealer.sealAll()
  const of = (principal: string) => {
    const search = createOperationSearch(one.database, one.access, () => new Date(file.clock.nowMs()))
    const purchases = createEarlierPurchases({ registry: () => ({ search }), principal, clock: file.clock })
    const ask = async (args: Record<string, unknown> = {}) =>
      (await purchases.answer(args, noFindings)).structuredContent as OperationsFound
    return { ...purchases, ask }
  }
  return { file, of }
}

const digits = ({ operations }: OperationsFound) => operations.map(({ operation_handle: handle }) => handle.slice(-1))

test('an agent sees the purchases of its own principal, newest first, by amount, age and answer', async () => {
  const { file, of } = await twoAgents()
  using _ = file
  const { ask } = of('p')
  const all = await ask()
  expect(isOperationsFound(all)).toBe(true)
  expect(all).toMatchObject({
    operations: [
      { answer: 'waiting', amount_cents: 5, finished_at: null },
      { answer: 'paid', amount_cents: 1250, currency: 'USD', tool: 'hubu_submit_spend', state: 'succeeded' },
    ],
    more: false,
  })
  expect(digits(await ask({ amount_cents: 1250 }))).toEqual(['a'])
  expect(digits(await ask({ answer: 'waiting' }))).toEqual(['b'])
  expect(await ask({ limit: 1 })).toMatchObject({ operations: [{ answer: 'waiting' }], more: true })
  file.clock.advance(2 * 60_000)
  expect(digits(await ask({ within_minutes: 1 }))).toEqual([])
  expect(JSON.stringify(all)).not.toContain('canary')
})

test('a purchase of another principal is not there, not even by its handle', async () => {
  const { file, of } = await twoAgents()
  using _ = file
  expect(digits(await of('q').ask())).toEqual(['c'])
  const uri = `hubu-operation:///${handleOf('a').slice(-32)}`
  await expect(of('q').read(uri)).rejects.toMatchObject({ code: 'operation_handle_unknown' })
  expect((await of('p').read(uri)).json).toContain('paid')
})

test('without a journal amounts are null and the note says so, and no token of others sees anything', async () => {
  const { file, of } = await twoAgents()
  using _ = file
  for (const table of ['operation_journal', 'operation_facts', 'guard_grants', 'guard_refusals'])
    file.database.exec(`drop table ${table}`)
  const found = await of('p').ask()
  expect(digits(found)).toEqual(['c', 'b', 'a'])
  expect(found.operations.every(({ amount_cents: cents }) => cents === null)).toBe(true)
  expect(found.note).toContain('keeps no journal')
  expect(digits(await of('token:z').ask())).toEqual([])
})

test('while the registry is away the tool says so', async () => {
  const purchases = createEarlierPurchases({ registry: () => null, principal: 'p', clock: { nowMs: () => 0 } })
  const unavailable = { code: 'operation_registry_unavailable' }
  await expect(purchases.answer({}, noFindings)).rejects.toMatchObject(unavailable)
  await expect(purchases.read('hubu-operation:///recent')).rejects.toMatchObject(unavailable)
})
