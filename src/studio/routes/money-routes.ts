// Budgets, holds, the ledger, and spending over time.
import { formed, oneOf, wholeNumber } from '../http/query.ts'
import { incompatible, notOffered } from '../hubu/desk.ts'
import { amountOf, digitsIn } from '../views/amount.ts'
import { workflowIn } from '../views/inbox.ts'
import { agentNamed, displayNameIn, idIn, instantIn, listIn, memberIn, textIn } from '../views/projections.ts'
import type { Off } from '../views/words.ts'
import { beginExport, csvLine, writeOn } from './export.ts'
import type { StudioRooms } from './rooms.ts'
import { get, json, written, type StudioCall, type StudioRoute } from './route.ts'

const pageSize = 100
/** So many pages of the ledger are read for a chart. */
const mostPages = 50
const dayMs = 24 * 60 * 60 * 1000

export const moneyRoutes: readonly StudioRoute[] = [
  get('/api/money', async ({ rooms }) => json(await moneyOf(rooms))),
  get('/api/money/ledger', async ({ rooms, query }) => json(await ledgerPage(rooms, query)), {
    budget: formed(/^[\w:.-]{1,128}$/),
    agent: formed(/^[\w:.-]{1,128}$/),
    cursor: formed(/^[\w=-]{1,1024}$/),
  }),
  get('/api/money/series', series, { days: wholeNumber(1, 90), by: oneOf('agent', 'vendor') }),
  get('/api/money/export', exportMoney, { format: oneOf('csv', 'jsonl'), what: oneOf('ledger', 'budgets') }),
]

async function moneyOf(rooms: StudioRooms) {
  const { desk, inbox, places } = rooms
  const asked = await desk.get('/budgets?all=1')
  if (asked.kind === 'off') return asked.off
  if (asked.kind === 'refused') return incompatible
  const [names, targets, held] = [
    await inbox.agentNames(),
    await desk.get('/user/spending-target'),
    await desk.get(`/spend/workflows?status=authorized&limit=${pageSize}`),
  ]
  await places.catchUp()
  const amount = (row: unknown, name: string) =>
    amountOf(digitsIn(memberIn(row, name)) ?? '0', textIn(memberIn(row, 'currency')) ?? 'usd')
  const period = (row: unknown) => ({
    status: idIn(memberIn(row, 'status')),
    startsAt: instantIn(memberIn(row, 'starting_at')) ?? null,
    endsAt: instantIn(memberIn(row, 'ending_before')) ?? null,
  })
  const budgets = listIn(memberIn(asked.value, 'budgets')).map((row) => ({
    id: idIn(memberIn(row, 'budget_id')),
    agent: agentNamed(memberIn(row, 'agent_id'), names),
    limit: amount(row, 'amount_limit_cents'),
    spent: amount(row, 'consumed_amount_cents'),
    held: amount(row, 'frozen_amount_cents'),
    free: amount(row, 'remaining_amount_cents'),
    ...period(row),
  }))
  const order = (status: string) => (status === 'active' ? 0 : 1)
  return {
    state: 'ready' as const,
    budgets: budgets.sort((a, b) => order(a.status) - order(b.status)),
    targets: listIn(targets.kind === 'answer' ? memberIn(targets.value, 'targets') : []).map((row) => ({
      id: idIn(memberIn(row, 'target_id')),
      target: amount(row, 'target_amount_cents'),
      allocated: amount(row, 'allocated_amount_cents'),
      exceededBy: amount(row, 'exceeded_by_cents'),
      ...period(row),
    })),
    holds: listIn(held.kind === 'answer' ? memberIn(held.value, 'workflows') : [])
      .flatMap((row) => workflowIn(row) ?? [])
      .filter(({ holdStatus, holdExpiresAt }) => holdStatus === 'frozen' && holdExpiresAt !== null)
      .map((row) => ({
        id: row.id,
        amount: row.amount,
        expiresAt: row.holdExpiresAt!,
        agent: agentNamed(row.agentId, names),
        operation: places.handleOf(row.id) ?? null,
      }))
      .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1)),
  }
}

async function ledgerPage({ desk, inbox, places }: StudioRooms, query: Record<string, unknown>, limit = pageSize) {
  const { budget, agent, cursor } = query as Record<string, string | undefined>
  const members = { agent_id: agent, budget_id: agent && budget, cursor, limit: String(limit) }
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  const asked = await desk.get(
    `/ledger/transactions?${given.map(([n, v]) => `${n}=${encodeURIComponent(v!)}`).join('&')}`,
  )
  if (asked.kind === 'off') return asked.off
  if (asked.kind === 'refused') return notOffered
  const names = await inbox.agentNames()
  const items = listIn(memberIn(asked.value, 'transactions')).map((row) => {
    const cost = memberIn(row, 'effective_cost')
    const scale = Number(memberIn(cost, 'scale'))
    const digits = textIn(memberIn(cost, 'amount'))
    const currency = textIn(memberIn(cost, 'currency')) ?? 'usd'
    return {
      id: idIn(memberIn(row, 'id')),
      at: instantIn(memberIn(row, 'created_at')) ?? new Date(0).toISOString(),
      kind: idIn(memberIn(row, 'kind')),
      agent: memberIn(row, 'agent_id') === null ? null : agentNamed(memberIn(row, 'agent_id'), names),
      provider: displayNameIn(memberIn(row, 'provider')),
      merchant: displayNameIn(memberIn(row, 'billing_merchant')),
      vendor: idIn(memberIn(memberIn(row, 'billing_merchant'), 'id')),
      cost:
        digits !== undefined && /^-?\d+$/.test(digits) && Number.isInteger(scale)
          ? { amount: digits, scale, currency: currency.toUpperCase() }
          : null,
      charge: amountOf(digitsIn(memberIn(row, 'budget_charge_delta_cents')) ?? '0', currency),
      operation: places.handleOf(String(memberIn(row, 'workflow_id'))) ?? null,
    }
  })
  return { state: 'ready' as const, items, next: textIn(memberIn(asked.value, 'next_cursor')) ?? null }
}

const isOff = (view: { state: string }): view is Off => view.state === 'off'

/** Every row since an instant, the newest first. */
async function ledgerSince(rooms: StudioRooms, since: string) {
  const rows = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const view = await ledgerPage(rooms, { cursor })
    if (isOff(view)) return view
    rows.push(...view.items.filter(({ at }) => at >= since))
    if (view.next === null || view.items.some(({ at }) => at < since)) break
    cursor = view.next
  }
  return rows
}

const mostLines = 8

async function series({ rooms, query }: StudioCall) {
  const { days = 30, by = 'agent' } = query as { days?: number; by?: 'agent' | 'vendor' }
  const nowMs = rooms.clock.nowMs()
  const names = Array.from({ length: days }, (_, at) =>
    new Date(nowMs - (days - 1 - at) * dayMs).toISOString().slice(0, 10),
  )
  const rows = await ledgerSince(rooms, `${names[0]}T00:00:00.000Z`)
  if (!Array.isArray(rows)) return json(rows)
  const lines = new Map<string, { label: unknown; total: bigint; settled: bigint[] }>()
  for (const { at, agent, vendor, merchant, charge } of rows) {
    const id = by === 'agent' ? (agent?.id ?? '') : vendor
    const label = by === 'agent' ? agent : { id: vendor, name: merchant }
    const line = lines.get(id) ?? { label, total: 0n, settled: names.map(() => 0n) }
    const day = names.indexOf(at.slice(0, 10))
    if (day >= 0) line.settled[day]! += BigInt(charge.minor)
    line.total += BigInt(charge.minor)
    lines.set(id, line)
  }
  const sorted = [...lines.values()].sort((a, b) => (a.total < b.total ? 1 : -1))
  const shown = sorted.slice(0, mostLines)
  const others = sorted.slice(mostLines)
  if (others.length > 0)
    shown.push({
      label: null,
      total: 0n,
      settled: names.map((_, day) => others.reduce((sum, line) => sum + line.settled[day]!, 0n)),
    })
  return json({
    state: 'ready',
    days: names,
    lines: shown.map(({ label, settled }) => ({ [by]: label, settled: settled.map(String) })),
  })
}

async function exportMoney({ rooms, query, response }: StudioCall) {
  const { format = 'csv', what = 'ledger' } = query as { format?: 'csv' | 'jsonl'; what?: 'ledger' | 'budgets' }
  const money = what === 'budgets' ? await moneyOf(rooms) : await ledgerSince(rooms, '')
  if (!Array.isArray(money) && isOff(money)) return json(money)
  const rows = Array.isArray(money) ? money : money.budgets
  beginExport(response, what, format)
  const cells = rows.map((row) =>
    'charge' in row
      ? [row.id, row.at, row.kind, row.agent?.id ?? null, row.vendor, row.charge.text, row.charge.currency]
      : [row.id, row.agent.id, row.status, row.limit.text, row.spent.text, row.held.text, row.free.text],
  )
  const head =
    what === 'ledger'
      ? ['id', 'at', 'kind', 'agent', 'vendor', 'charge', 'currency']
      : ['id', 'agent', 'status', 'limit', 'spent', 'held', 'free']
  const text =
    format === 'csv'
      ? `\ufeff${csvLine(head)}${cells.map(csvLine).join('')}`
      : rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await writeOn(response, text)
  response.end()
  return written
}
