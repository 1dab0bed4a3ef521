// What became of every purchase.
import { useEffect, useState } from 'preact/hooks'
import type { ListedOperation, Moment, OperationsPage as Found } from '../../studio/views/shown.ts'
import type { Part, Quoted } from '../../studio/views/words.ts'
import { address, go } from '../address.ts'
import { getJson, save } from '../api.ts'
import { clockTime, dayAndTime, Empty, ErrorNote, Money, OffNote, Quotation } from '../parts/text.tsx'
import { useView } from '../view.ts'

const states = [
  ...['awaiting_hubu_result', 'approval_required', 'authorized', 'accepted', 'queued', 'dispatching', 'reconciling'],
  ...['succeeded', 'failed'],
]
const tools = ['hubu_authorize_spend', 'hubu_submit_spend']

export function OperationsPage() {
  const { id, query } = address.value
  return id === undefined ? <List query={query} /> : <One digits={id.slice(-32)} />
}

function List({ query }: { query: string }) {
  const { view, error } = useView<Found>(`/api/operations?limit=50${query ? `&${query}` : ''}`, ['operations'])
  const [older, setOlder] = useState<{ query: string; items: ListedOperation[]; next: string | null }>()
  useEffect(() => setOlder(undefined), [query, view])
  const first = view?.state === 'ready' ? view : undefined
  const own = older?.query === query ? older : undefined
  const items = [...(first?.items ?? []), ...(own?.items ?? [])]
  const next = own === undefined ? (first?.next ?? null) : own.next
  const goOn = async () => {
    const reply = await getJson<Part<Found>>(`/api/operations?limit=50${query ? `&${query}` : ''}&cursor=${next}`)
    if (!reply.ok || reply.value.state !== 'ready') return
    setOlder({ query, items: [...(own?.items ?? []), ...reply.value.items], next: reply.value.next })
  }
  const isSearching = first !== undefined && items.length === 0 && next !== null
  // A search that found nothing in its time goes on by itself.
  useEffect(() => {
    if (isSearching) void goOn()
  }, [isSearching, next])
  return (
    <>
      <Filters query={query} />
      {error && <ErrorNote error={error} />}
      {view?.state === 'off' && <OffNote off={view} />}
      {first && items.length === 0 && next === null && <NoOperations isFiltered={query !== ''} />}
      {items.length > 0 && <Rows items={items} />}
      {next !== null && (
        <p class="actions">
          {isSearching ? <span class="quiet">Searching…</span> : <button onClick={() => void goOn()}>Older</button>}
        </p>
      )}
    </>
  )
}

function Filters({ query }: { query: string }) {
  const given = new URLSearchParams(query)
  const set = (name: string, value: string) => {
    const wanted = new URLSearchParams(query)
    if (value === '') wanted.delete(name)
    else wanted.set(name, value)
    go(`#/operations${wanted.size > 0 ? `?${wanted}` : ''}`)
  }
  const choice = (name: string, label: string, words: string[]) => (
    <select aria-label={label} value={given.get(name) ?? ''} onChange={(event) => set(name, event.currentTarget.value)}>
      <option value="">{label}: all</option>
      {words.map((word) => (
        <option key={word} value={word}>
          {word.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  )
  const file = (format: string) => () =>
    void save(`/api/operations/export?format=${format}${query ? `&${query}` : ''}`, `operations.${format}`)
  return (
    <div class="filters">
      {choice('state', 'State', states)}
      {choice('tool', 'Tool', tools)}
      <input
        data-testid="filter"
        aria-label="First digits of a handle, or an approval or execution id"
        placeholder="handle, execution or approval id"
        value={given.get('q') ?? ''}
        onChange={(event) => set('q', event.currentTarget.value.trim().toLowerCase().replace(/^.*:/, ''))}
      />
      <button onClick={file('csv')}>CSV</button>
      <button onClick={file('jsonl')}>JSONL</button>
    </div>
  )
}

function NoOperations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty>
        <p>Nothing matches these filters.</p>
        <button onClick={() => go('#/operations')}>Take the filters away</button>
      </Empty>
    )
  return (
    <Empty>
      <p class="big">No operations yet.</p>
      <p class="quiet">They appear with the first spend of an agent. Set its client up with `hubu-unified-mcp init`.</p>
    </Empty>
  )
}

function Rows({ items }: { items: readonly ListedOperation[] }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          {['Time', 'State', 'Money', 'Tool', 'Result', 'Next'].map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.handle} data-testid="operation-row" data-handle={item.handle} data-state={item.state}>
            <td>
              <a href={`#/operations/${item.handle.slice(-32)}`}>{dayAndTime(item.createdAt)}</a>
            </td>
            <td>
              <span class={`state ${item.state}`}>{item.state.replaceAll('_', ' ')}</span>
            </td>
            <td class="number">{item.amount ? <Money amount={item.amount} /> : '–'}</td>
            <td>{item.tool.replace('hubu_', '').replaceAll('_', ' ')}</td>
            <td>{item.result?.code.replaceAll('_', ' ') ?? '–'}</td>
            <td class="quiet wide">{item.nextStep}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface OneOperation {
  operation: ListedOperation
  timeline: Moment[]
  saw: Quoted | null
  hasJournal: boolean
  sentence: string
}

function One({ digits }: { digits: string }) {
  const { view, error } = useView<OneOperation>(`/api/operations/${digits}`, ['operations', 'inbox'])
  if (error) return <ErrorNote error={error} />
  if (view === undefined) return <p class="quiet">Reading…</p>
  if (view.state === 'off') return <OffNote off={view} />
  const { operation, timeline, saw, sentence, hasJournal } = view
  return (
    <article>
      <p class="actions">
        <a href="#/operations">← all operations</a>
        {operation.approvalRequestId && <a href={`#/inbox/${operation.approvalRequestId}`}>its request in the inbox</a>}
      </p>
      <p class="amount">
        {operation.amount ? <Money amount={operation.amount} /> : 'Amount not known'}{' '}
        <span class={`state ${operation.state}`}>{operation.state.replaceAll('_', ' ')}</span>
      </p>
      <p>{sentence}</p>
      <p class="quiet">{operation.nextStep}</p>
      <h2>What happened</h2>
      {!hasJournal && <p class="quiet">No journal is kept; this is what the row alone tells.</p>}
      <ol class="timeline">
        {timeline.map((moment, at) => (
          <li key={at} class={moment.inferred ? 'inferred' : ''} data-testid="timeline-event">
            <time dateTime={moment.at}>{clockTime(moment.at)}</time>
            <span>{moment.text}</span>
            <span class="quiet small">{moment.source}</span>
          </li>
        ))}
      </ol>
      {saw && (
        <details>
          <summary>What the agent saw</summary>
          <Quotation text={saw} who="The stored answer, without what is private:" />
        </details>
      )}
      <p class="quiet small">
        {operation.handle} · {operation.platform}
      </p>
    </article>
  )
}
