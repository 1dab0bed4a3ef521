// What was spent, what is held, what is free.
import type { Amount, AgentName, Instant, Quoted } from '../../studio/views/words.ts'
import { address, go } from '../address.ts'
import { save } from '../api.ts'
import { Chart } from '../parts/chart.tsx'
import { dayAndTime, Empty, ErrorNote, Foreign, Money, OffNote, plainText, span } from '../parts/text.tsx'
import { useView } from '../view.ts'
import { now } from './inbox.tsx'

interface Budget {
  id: string
  agent: AgentName
  status: string
  limit: Amount
  spent: Amount
  held: Amount
  free: Amount
}
interface MoneyView {
  budgets: Budget[]
  targets: { id: string; target: Amount; allocated: Amount; exceededBy: Amount; status: string }[]
  holds: { id: string; amount: Amount; expiresAt: Instant; agent: AgentName; operation: string | null }[]
}
interface LedgerView {
  items: {
    id: string
    at: Instant
    kind: string
    agent: AgentName | null
    provider: Quoted | null
    merchant: Quoted | null
    cost: { amount: string; scale: number; currency: string } | null
    charge: Amount
    operation: string | null
  }[]
}
interface SeriesView {
  days: string[]
  lines: { agent?: AgentName | null; vendor?: AgentName | null; settled: string[] }[]
}

export function MoneyPage() {
  const { view, error } = useView<MoneyView>('/api/money', ['money'])
  const by = new URLSearchParams(address.value.query).get('by') === 'vendor' ? 'vendor' : 'agent'
  if (error) return <ErrorNote error={error} />
  if (view?.state === 'off') return <OffNote off={view} />
  if (view === undefined) return <p class="quiet">Reading…</p>
  const { budgets, targets, holds } = view
  return (
    <>
      {budgets.length === 0 && (
        <Empty>
          <p class="big">No budget yet.</p>
          <p class="quiet">Your client asks you when an agent calls hubu_create_budget.</p>
        </Empty>
      )}
      {budgets
        .filter(({ status }) => status !== 'revoked')
        .map((budget) => (
          <Bar key={budget.id} budget={budget} />
        ))}
      {holds.length > 0 && (
        <>
          <h2>Lapses soon</h2>
          <ul class="plain">
            {holds.map((hold) => (
              <li key={hold.id}>
                <Money amount={hold.amount} /> in {span(Date.parse(hold.expiresAt) - now.value)}{' '}
                {hold.operation && (
                  <a href={`#/operations/${hold.operation.slice(-32)}`}>{hold.operation.slice(-32, -20)}…</a>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {targets.length > 0 && (
        <>
          <h2>Spending targets</h2>
          <ul class="plain">
            {targets.map((target) => (
              <li key={target.id}>
                <Money amount={target.allocated} /> allocated of <Money amount={target.target} />
                {target.exceededBy.minor !== '0' && (
                  <strong>
                    , exceeded by <Money amount={target.exceededBy} />
                  </strong>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>Settled by day</h2>
      <div class="tabs">
        {(['agent', 'vendor'] as const).map((word) => (
          <button key={word} aria-pressed={by === word} onClick={() => go(`#/money?by=${word}`)}>
            by {word}
          </button>
        ))}
      </div>
      <Spending by={by} />
      <Ledger />
    </>
  )
}

function Bar({ budget }: { budget: Budget }) {
  const { limit, spent, held, free } = budget
  const whole = Math.max(1, Number(limit.minor))
  const part = (amount: Amount) => ({ width: `${Math.min(100, (Number(amount.minor) / whole) * 100)}%` })
  const isOver = free.minor.startsWith('-')
  return (
    <div class="budget" data-testid="budget-bar" data-id={budget.id}>
      <p>
        <strong>
          <Foreign text={budget.agent.name} />
        </strong>{' '}
        <Money amount={spent} /> spent · <Money amount={held} /> held · <Money amount={free} /> free of{' '}
        <Money amount={limit} />
        {isOver && <strong> – overrun</strong>}
        {budget.status !== 'active' && <span class="quiet"> ({budget.status})</span>}
      </p>
      <div class="meter" aria-hidden="true">
        <div class="spent" style={part(spent)} />
        <div class="held" style={part(held)} />
      </div>
    </div>
  )
}

function Spending({ by }: { by: 'agent' | 'vendor' }) {
  const { view } = useView<SeriesView>(`/api/money/series?days=30&by=${by}`, ['money'])
  if (view?.state !== 'ready') return view?.state === 'off' ? <OffNote off={view} /> : <p class="quiet">Reading…</p>
  const { days, lines } = view
  if (lines.length === 0) return <p class="quiet">Nothing was settled in the last 30 days.</p>
  const nameOf = (line: SeriesView['lines'][number]) => {
    const who = line.agent ?? line.vendor
    return who ? (who.name ? plainText(who.name) : who.id) : 'others'
  }
  const data = {
    times: days.map((day) => Date.parse(day) / 1000),
    lines: lines.map((line) => ({ name: nameOf(line), values: line.settled.map((minor) => Number(minor) / 100) })),
  }
  const rows = days.flatMap((day, at) =>
    lines.flatMap((line) => (line.settled[at] === '0' ? [] : [{ day, name: nameOf(line), minor: line.settled[at]! }])),
  )
  return (
    <>
      <Chart data={data} label={`Settled by day, one line for each ${by}; the table below says the same`} />
      <table>
        <thead>
          <tr>
            <th>Day</th>
            <th>{by}</th>
            <th class="number">Settled</th>
          </tr>
        </thead>
        <tbody>
          {rows.reverse().map(({ day, name, minor }) => (
            <tr key={`${day} ${name}`}>
              <td>{day}</td>
              <td>
                <bdi dir="ltr">{name}</bdi>
              </td>
              <td class="number">
                {minor.padStart(3, '0').slice(0, -2)}.{minor.padStart(3, '0').slice(-2)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Ledger() {
  const { view } = useView<LedgerView>('/api/money/ledger', ['money'])
  if (view?.state !== 'ready' || view.items.length === 0) return null
  const cost = ({ amount, scale, currency }: NonNullable<LedgerView['items'][number]['cost']>) => {
    const digits = amount.padStart(scale + 1, '0')
    return `${scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`} ${currency}`
  }
  return (
    <>
      <h2>Ledger</h2>
      <p class="actions">
        <button onClick={() => void save('/api/money/export?format=csv&what=ledger', 'ledger.csv')}>CSV</button>
        <button onClick={() => void save('/api/money/export?format=jsonl&what=ledger', 'ledger.jsonl')}>JSONL</button>
      </p>
      <table class="cards">
        <thead>
          <tr>
            {['Time', 'Provider', 'Vendor', 'Cost', 'Charged'].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.items.map((row) => (
            <tr key={row.id} data-testid="ledger-row">
              <td>
                {row.operation ? (
                  <a href={`#/operations/${row.operation.slice(-32)}`}>{dayAndTime(row.at)}</a>
                ) : (
                  dayAndTime(row.at)
                )}
              </td>
              <td>
                <Foreign text={row.provider} />
              </td>
              <td>
                <Foreign text={row.merchant} />
              </td>
              <td class="number">{row.cost ? cost(row.cost) : '–'}</td>
              <td class="number">
                <Money amount={row.charge} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
