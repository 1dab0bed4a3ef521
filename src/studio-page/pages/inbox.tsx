// What waits for a person.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Inbox, InboxItem } from '../../studio/views/shown.ts'
import { address, mark } from '../address.ts'
import { liveState } from '../live.ts'
import { openReview } from '../review-state.ts'
import { mayDecide, rememberWaiting, selected } from '../selection.ts'
import { clockTime, Empty, ErrorNote, Foreign, Money, OffNote, plainText, Quotation, span } from '../parts/text.tsx'
import { useView } from '../view.ts'

/** Told once a second, for what runs out. */
export const now = signal(Date.now())
setInterval(() => (now.value = Date.now()), 1000)

const statusWords = {
  waiting: 'waiting',
  approved: 'approved, unused',
  used: 'approved and used',
  lapsed: 'approved, but not used in time',
  denied: 'denied',
}

const nextSteps: Record<InboxItem['status'], string> = {
  waiting: 'Decide it.',
  approved:
    "A running router completes it by itself; otherwise the agent goes on when it asks for the operation's status.",
  used: 'Nothing. It went on.',
  lapsed: 'Nothing was spent. A new purchase is a new call.',
  denied: 'Nothing was spent. A corrected call is a new request.',
}

export function InboxPage() {
  const isDecided = new URLSearchParams(address.value.query).get('view') === 'decided'
  const kind = isDecided ? 'decided' : 'waiting'
  const { view, error, again } = useView<Inbox>(`/api/inbox?view=${kind}&limit=100`, ['inbox'])
  const items = view?.state === 'ready' ? view.items : []
  useEffect(() => rememberWaiting(isDecided ? undefined : items), [view])
  // Reasons are read one by one; those that were not there yet come soon.
  useEffect(() => {
    if (!items.some(({ reason }) => reason === null)) return
    const timer = setTimeout(again, 1500)
    return () => clearTimeout(timer)
  }, [view])
  const current = items.find(({ id }) => id === selected.value)
  return (
    <>
      <div class="tabs">
        <a href="#/inbox" aria-current={isDecided ? undefined : 'page'}>
          Waiting
        </a>
        <a href="#/inbox?view=decided" aria-current={isDecided ? 'page' : undefined}>
          Decided
        </a>
      </div>
      {error && <ErrorNote error={error} />}
      {view?.state === 'off' && <OffNote off={view} />}
      {view?.state === 'ready' && items.length === 0 && <EmptyInbox isDecided={isDecided} />}
      {items.length > 0 && (
        <div class="split">
          <ul class="items" aria-label={isDecided ? 'Decided' : 'Waiting for you, oldest first'}>
            {items.map((item) => (
              <li key={item.id}>
                <Row item={item} />
              </li>
            ))}
            {view?.state === 'ready' && view.more && <li class="quiet">More than {view.total} wait.</li>}
          </ul>
          <section class="detail" aria-label="The chosen spend">
            {current ? <Detail item={current} /> : <p class="quiet">Choose one, or press j.</p>}
          </section>
        </div>
      )}
    </>
  )
}

function EmptyInbox({ isDecided }: { isDecided: boolean }) {
  if (isDecided)
    return (
      <Empty>
        <p>Nothing was decided yet.</p>
        <p class="quiet">What you approve or deny is listed here afterwards.</p>
      </Empty>
    )
  return (
    <Empty>
      <p class="big">Nothing waits for you.</p>
      <p class="quiet">
        A spend comes here when a rule of the policy asks for a person. In a sandbox that is from 1 to 10 USD.
      </p>
      <p class="quiet">Try it: tell an agent “Buy a poster for 2.50 USD with hubu_authorize_spend.”</p>
    </Empty>
  )
}

function Row({ item }: { item: InboxItem }) {
  const isCurrent = selected.value === item.id
  const choose = () => {
    selected.value = item.id
    mark(`#/inbox/${item.id}${address.value.query ? `?${address.value.query}` : ''}`)
  }
  return (
    <button
      class="item"
      data-testid="inbox-item"
      data-id={item.id}
      data-status={item.status}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={choose}
    >
      <span class="item-line">
        <strong>
          <Money amount={item.amount} />
        </strong>
        <Foreign text={item.vendor.merchant ?? item.vendor.provider} />
        <span class="quiet age">
          {item.status === 'waiting'
            ? `waiting ${span(now.value - Date.parse(item.since))}`
            : item.status === 'approved' && item.expiresAt
              ? `approved, ${span(Date.parse(item.expiresAt) - now.value)} left`
              : statusWords[item.status]}
        </span>
      </span>
      <span class="item-line quiet one-line">
        <Foreign text={item.agent.name} />
        {item.reason && (
          <span>
            {' · “'}
            <Foreign text={item.reason} />”
          </span>
        )}
      </span>
    </button>
  )
}

function Detail({ item }: { item: InboxItem }) {
  const shownId = item.id
  // The buttons of an item that is not the chosen one any more do nothing, even before they are gone.
  const open = (wish: 'approve' | 'deny') => () => {
    if (selected.value === shownId) openReview(shownId, wish)
  }
  return (
    <>
      <p class="amount">
        <Money amount={item.amount} />
      </p>
      <dl>
        <dt>Vendor</dt>
        <dd>
          <Foreign text={item.vendor.provider} /> → <Foreign text={item.vendor.merchant} />
        </dd>
        <dt>Agent</dt>
        <dd>
          <Foreign text={item.agent.name} /> <code>{item.agent.id}</code>
        </dd>
        <dt>Account</dt>
        <dd>
          <code>{item.account}</code>
        </dd>
        <dt>Since</dt>
        <dd>
          {clockTime(item.since)}, {statusWords[item.status]}
        </dd>
        <dt>Next</dt>
        <dd>{nextSteps[item.status]}</dd>
      </dl>
      {item.reason && <Quotation text={item.reason} />}
      <p class="actions">
        {item.status === 'waiting' && mayDecide.value && (
          <>
            <button class="primary" data-testid="approve" onClick={open('approve')}>
              Approve…
            </button>
            <button data-testid="deny" onClick={open('deny')}>
              Deny…
            </button>
          </>
        )}
        {item.status === 'waiting' && !mayDecide.value && (
          <span class="quiet">This page can show and not decide: it has no approval capability.</span>
        )}
        {item.operation && (
          <a href={`#/operations/${item.operation.slice(-32)}`}>operation {item.operation.slice(-32, -20)}…</a>
        )}
      </p>
      {liveState.value !== 'live' && <p class="quiet">What is shown may be old: the connection is being made anew.</p>}
      <p class="quiet small">
        {item.reason ? plainText(item.reason).length : 0} characters · request {item.id}
      </p>
    </>
  )
}
