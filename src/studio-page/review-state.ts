// The dialog in which a person decides: one look, one decision.
import { signal } from '@preact/signals'
import type { Approval, Decided, Review, Ticket } from './decision-views.ts'
import { getJson, postJson } from './api.ts'

/** What the dialog shows. */
export interface OpenReview {
  id: string
  wish: 'approve' | 'deny'
  ticket: Ticket | undefined
  review: Review | undefined
  /** How it ended; the dialog stays until it is closed. */
  outcome: { code: string; words: string } | undefined
  isSending: boolean
}

export const review = signal<OpenReview | undefined>(undefined)
let opener: HTMLElement | null = null

function set(id: string, change: Partial<OpenReview>): void {
  if (review.value?.id === id) review.value = { ...review.value, ...change }
}

/** Reads the request anew and opens the dialog. */
export function openReview(id: string, wish: 'approve' | 'deny'): void {
  if (review.value !== undefined) return
  opener = document.querySelector(`[data-testid="inbox-item"][data-id="${id}"]`)
  review.value = { id, wish, ticket: undefined, review: undefined, outcome: undefined, isSending: false }
  void look(id)
}

/** The first step, and again when a look has become too old. */
export async function look(id: string): Promise<void> {
  set(id, { outcome: undefined, ticket: undefined })
  const reply = await postJson<Ticket>(`/api/approvals/${id}/review`, {})
  if (reply.ok) set(id, { ticket: reply.value, review: reply.value.review })
  else set(id, { outcome: { code: reply.error.code, words: reply.error.message } })
}

export function closeReview(): void {
  review.value = undefined
  const place = opener?.isConnected ? opener : document.querySelector<HTMLElement>('[data-testid="title"]')
  place?.focus()
}

/** The second step, once. */
export async function decide(typed: string): Promise<void> {
  const open = review.value
  if (open?.ticket === undefined || open.isSending || open.outcome !== undefined) return
  const { id, wish, ticket } = open
  set(id, { isSending: true })
  const body = { decision: wish, ticket: ticket.ticket, typed: wish === 'approve' ? typed : '' }
  const reply = await postJson<Decided>(`/api/approvals/${id}/decision`, body)
  set(id, { isSending: false })
  if (reply.ok) return set(id, { outcome: { code: reply.value.status, words: wordsOf(reply.value) } })
  const { code, message } = reply.error
  set(id, { outcome: { code, words: message } })
  if (code === 'outcome_unknown' || code === 'away') void findOut(id)
}

function wordsOf({ status, already, expiresAt }: Decided): string {
  if (already) return `It had been ${status} already.`
  if (status === 'denied') return 'Denied. Nothing was spent; a corrected call is a new request.'
  const until =
    expiresAt === null
      ? ''
      : ` It can be used until ${new Date(expiresAt).toLocaleTimeString('en-GB')} by this machine's clock.`
  return `Approved.${until} A running router completes it by itself; otherwise the agent reads its status and goes on.`
}

/** Reads the request until it tells what became of it. */
async function findOut(id: string): Promise<void> {
  while (review.value?.id === id) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const reply = await getJson<Approval>(`/api/approvals/${id}`)
    if (!reply.ok || reply.value.state !== 'ready') continue
    const { status } = reply.value.review
    const words = status === 'waiting' ? 'Nothing was decided. It still waits.' : `It is decided: ${status}.`
    return set(id, { outcome: { code: status === 'waiting' ? 'still_waiting' : status, words } })
  }
}

/** Something changed: an open dialog looks whether its request was decided elsewhere. */
export async function checkReview(): Promise<void> {
  const open = review.value
  if (open === undefined || open.outcome !== undefined || open.isSending) return
  const reply = await getJson<Approval>(`/api/approvals/${open.id}`)
  if (!reply.ok || reply.value.state !== 'ready') return
  const { status } = reply.value.review
  if (status === 'waiting' || review.value?.isSending === true || review.value?.outcome !== undefined) return
  const code = status === 'denied' ? 'already_denied' : 'already_approved'
  set(open.id, { outcome: { code, words: `Decided elsewhere meanwhile: ${status}. Nothing changed here.` } })
}
