// The dialog of a decision.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Review } from '../../studio/views/shown.ts'
import { closeReview, decide, look, review } from '../review-state.ts'
import { Foreign, Money, Quotation, dayAndTime } from './text.tsx'

const canLookAgain = new Set(['ticket_unusable', 'review_changed', 'no_budget', 'typed_wrong', 'still_waiting'])

export function ReviewDialog() {
  const open = review.value!
  const { id, wish, ticket, review: shown, outcome, isSending } = open
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const isRight = wish === 'deny' || (ticket !== undefined && typed.trim() === ticket.expect)
  const isReady = ticket !== undefined && isRight && !isSending && outcome === undefined
  const trap = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return closeReview()
    if (event.key !== 'Tab') return
    const all = [...box.current!.querySelectorAll<HTMLElement>('button:enabled, input, a[href], [tabindex="0"]')]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = event.shiftKey ? (at <= 0 ? all.length - 1 : at - 1) : at === all.length - 1 ? 0 : at + 1
    all[next]?.focus()
    event.preventDefault()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (isReady) void decide(typed)
  }
  const enter = (event: KeyboardEvent) => {
    // A key that is held down decides nothing.
    if (event.key === 'Enter' && (event.repeat || !isReady)) event.preventDefault()
  }
  return (
    <div class="veil">
      <div
        class="dialog"
        role="dialog"
        aria-modal="true"
        aria-labelledby="review-title"
        data-testid="review"
        data-id={id}
        ref={box}
        onKeyDown={trap}
      >
        <h2 id="review-title" tabIndex={-1} ref={heading}>
          {wish === 'approve' ? 'Approve this spend?' : 'Deny this spend?'}
        </h2>
        {shown ? <ReviewBody shown={shown} /> : outcome === undefined && <p class="quiet">Reading it anew…</p>}
        {outcome === undefined && ticket !== undefined && (
          <form onSubmit={submit} onKeyDown={enter}>
            {wish === 'approve' && (
              <label>
                Type the amount, <strong>{ticket.expect}</strong>, to approve it
                <input
                  data-testid="typed"
                  value={typed}
                  onInput={(event) => setTyped(event.currentTarget.value)}
                  autocomplete="off"
                  inputMode="decimal"
                />
              </label>
            )}
            <button class={wish === 'approve' ? 'primary' : 'danger'} data-testid="confirm" disabled={!isReady}>
              {wish === 'approve' ? 'Approve this spend' : 'Deny this spend'}
            </button>
          </form>
        )}
        {outcome && (
          <p class="outcome" data-testid="outcome" data-code={outcome.code} role="status">
            {outcome.words}
          </p>
        )}
        <p class="actions">
          {outcome && canLookAgain.has(outcome.code) && <button onClick={() => void look(id)}>Look at it again</button>}
          <button data-testid="close" onClick={closeReview}>
            {outcome ? 'Close' : 'Not now'}
          </button>
        </p>
      </div>
    </div>
  )
}

function ReviewBody({ shown }: { shown: Review }) {
  const { budget, policy } = shown
  const profile = shown.leaseProfile.parts.map((part) => ('t' in part ? part.t : '')).join('')
  return (
    <>
      <p class="amount" data-testid="review-amount">
        <Money amount={shown.amount} />
      </p>
      <dl>
        <dt>Vendor</dt>
        <dd>
          <Foreign text={shown.provider} /> → <Foreign text={shown.merchant ?? shown.billingMerchant} />
          {shown.merchant && <span class="quiet"> (free text, not from the catalog)</span>}
        </dd>
        <dt>Account</dt>
        <dd>
          <code>{shown.account}</code> · <Foreign text={shown.agent.name} /> <code>{shown.agent.id}</code>
        </dd>
        <dt>Budget</dt>
        <dd>
          {budget === null ? (
            'not covered'
          ) : (
            <>
              limit <Money amount={budget.limit} />, free <Money amount={budget.free} />, afterwards{' '}
              <Money amount={budget.after} />
              {!budget.enough && <strong> – not covered</strong>}
            </>
          )}
        </dd>
        <dt>Policy</dt>
        <dd>
          <Foreign text={policy.summary} />
          {policy.reasons.map((reason, at) => (
            <div key={at}>
              <Foreign text={reason} />
            </div>
          ))}
        </dd>
        {profile !== 'default' && (
          <>
            <dt>Lease profile</dt>
            <dd>
              <Foreign text={shown.leaseProfile} />
            </dd>
          </>
        )}
      </dl>
      <Quotation text={shown.reason} />
      <p class="quiet small">
        request {shown.id}
        {shown.operation && ` · operation ${shown.operation.slice(-32, -20)}`}
        {shown.since && ` · waiting since ${dayAndTime(shown.since)}`}
      </p>
    </>
  )
}
