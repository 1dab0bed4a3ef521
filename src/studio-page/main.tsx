// The page: what stands around every part, and which part is shown.
import { effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import './app.css'
import type { Inbox } from '../studio/views/shown.ts'
import type { Part } from '../studio/views/words.ts'
import { address, pageNames, type PageName } from './address.ts'
import { access, getJson, lock, lockReason, postJson } from './api.ts'
import { isHelpShown, keyList, startKeys } from './keys.ts'
import { announced, liveState, startLive, ticks } from './live.ts'
import { InboxPage } from './pages/inbox.tsx'
import { HealthPage, ServersPage, UsagePage } from './pages/machine.tsx'
import { MoneyPage } from './pages/money.tsx'
import { OperationsPage } from './pages/operations.tsx'
import { ResultsPage } from './pages/results.tsx'
import { ReviewDialog } from './parts/review-dialog.tsx'
import { checkReview, review } from './review-state.ts'
import { addressed, mayDecide, selected, waitingCount } from './selection.ts'
import { theme, turnTheme } from './theme.ts'
import { start, unlock, watchActivity } from './unlock.ts'

const titles: Record<PageName, string> = {
  ...{ inbox: 'Inbox', operations: 'Operations', money: 'Money', results: 'Results' },
  ...{ usage: 'Usage', servers: 'Servers', health: 'Health' },
}
const pages: Record<PageName, () => preact.JSX.Element> = {
  ...{ inbox: InboxPage, operations: OperationsPage, money: MoneyPage, results: ResultsPage },
  ...{ usage: UsagePage, servers: ServersPage, health: HealthPage },
}

function App() {
  if (access.value === 'starting') return <p class="quiet start">Unlocking…</p>
  return access.value === 'locked' ? <Lock /> : <Frame />
}

function Lock() {
  const [text, setText] = useState('')
  const open = (event: Event) => {
    event.preventDefault()
    void unlock(text)
  }
  return (
    <main class="lock" data-testid="lock">
      <h1>Studio · locked</h1>
      {lockReason.value && <p role="status">{lockReason.value}</p>}
      <p>
        Take a link from the terminal where the studio runs (press Enter there), or “New link” in a page that is open.
      </p>
      <form onSubmit={open}>
        <label>
          Key or link
          <input
            data-testid="lock-key"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <button class="primary" data-testid="lock-open">
          Unlock
        </button>
      </form>
    </main>
  )
}

interface StateView {
  sandbox: boolean
  canDecide: boolean
}

function Frame() {
  const [isSandbox, setSandbox] = useState(false)
  const { page } = address.value
  const Page = pages[page]
  useEffect(() => {
    void getJson<StateView>('/api/state').then((reply) => {
      if (!reply.ok) return
      setSandbox(reply.value.sandbox)
      mayDecide.value = reply.value.canDecide
    })
  }, [ticks.value.all, ticks.value.inbox])
  const count = waitingCount.value
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="bar">
        <strong>Studio</strong>
        {isSandbox && <span class="badge">sandbox, fictional money</span>}
        <span class="live" data-testid="live" data-state={liveState.value}>
          {liveState.value}
        </span>
        <span class="spacer" />
        <button data-testid="new-link" onClick={() => void newLink()}>
          New link
        </button>
        <button onClick={() => (isHelpShown.value = true)} aria-label="Keys">
          ?
        </button>
        <button data-testid="theme" onClick={turnTheme}>
          {theme.value === 'dark' ? 'Light' : 'Dark'}
        </button>
        <button onClick={() => void endSession()}>Lock</button>
      </header>
      <nav aria-label="Pages">
        {pageNames.map((name) => (
          <a
            key={name}
            href={`#/${name}`}
            data-testid={`nav-${name}`}
            aria-current={name === page ? 'page' : undefined}
          >
            {titles[name]}
            {name === 'inbox' && (
              <span class={count > 0 ? 'count' : 'count none'} data-testid="waiting-count">
                {count}
                <span class="unseen"> wait</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <main id="content">
        <h1 data-testid="title" tabIndex={-1}>
          {titles[page]}
        </h1>
        <Page />
      </main>
      <p class="unseen" aria-live="polite">
        {announced.value}
      </p>
      {review.value && <ReviewDialog key={review.value.id} />}
      {isHelpShown.value && <Help />}
    </>
  )
}

function skip(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('[data-testid="title"]')?.focus()
}

async function newLink(): Promise<void> {
  const reply = await postJson<{ link: string }>('/api/session/link', {})
  if (!reply.ok) return void (announced.value = reply.error.message)
  await navigator.clipboard.writeText(reply.value.link).catch(() => {})
  announced.value = 'A link for another browser was copied. It works once, for two minutes.'
}

async function endSession(): Promise<void> {
  await postJson('/api/session/end', {})
  lock()
}

function Help() {
  const box = useRef<HTMLButtonElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div class="veil">
      <div class="dialog" role="dialog" aria-modal="true" aria-label="Keys" data-testid="help">
        <h2>Keys</h2>
        <dl>
          {keyList.map(([keys, what]) => (
            <>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
        <button ref={box} onClick={() => (isHelpShown.value = false)}>
          Close
        </button>
      </div>
    </div>
  )
}

/** How many wait, wherever the person is. */
async function countWaiting(): Promise<void> {
  const reply = await getJson<Part<Inbox>>('/api/inbox?limit=1')
  if (reply.ok && reply.value.state === 'ready') waitingCount.value = reply.value.total
}

effect(() => {
  const count = waitingCount.value
  document.title = `${count > 0 ? `(${count}) ` : ''}${titles[address.value.page]} · Studio`
})
effect(() => {
  if (addressed.value !== undefined) selected.value = addressed.value
})
effect(() => {
  const { all, inbox } = ticks.value
  if (access.value !== 'open' || (all ?? 0) + (inbox ?? 0) === 0) return
  void countWaiting()
  void checkReview()
})

const place = document.getElementById('page')!
place.replaceChildren()
render(<App />, place)
startLive()
startKeys()
watchActivity()
void start()
