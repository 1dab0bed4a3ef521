// Pure: the story of one operation, from its journal entries or, where there are none, from its row's own times.
import type { TimelineEntry } from '#generated/types/router.js'
import type { StoredEntry } from '../journal/journal.ts'
import type { OperationView } from '../operation-view.ts'

type Entry = StoredEntry['entry']

/** One line for each entry, oldest first. */
export function timelineOf(entries: readonly StoredEntry[]): TimelineEntry[] {
  return entries.map(({ entry }) => {
    const [word, ...details] = tellers[entry.kind]?.(entry) ?? [entry.kind]
    const at = typeof entry.happened_at === 'string' ? entry.happened_at : entry.at
    return { at, word, detail: details.filter((detail) => detail !== '').join(', '), in_journal: true }
  })
}

/** What the row itself tells of an operation that is older than the journal. */
export function timelineBefore(view: OperationView): TimelineEntry[] {
  const steps: [string, string | null][] = [
    ['requested', view.createdAt],
    ['sent to Hubu', view.dispatchedAt],
    ['answered', view.answeredAt],
    ['acknowledged', view.acknowledgedAt],
    ['last change', view.updatedAt],
  ]
  return steps.flatMap(([word, at]) =>
    at === null ? [] : [{ at, word, detail: 'before the journal', in_journal: false }],
  )
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const named = (name: string, value: unknown): string => (text(value) === '' ? '' : `${name} ${text(value)}`)

/** By the kind of an entry: a word, and what more there is to say. */
const tellers: Partial<Record<Entry['kind'], (entry: Entry) => [string, ...string[]]>> = {
  opened: (entry) => ['requested', `by ${text(entry.client) || text(entry.platform)}`, named('for', entry.principal)],
  sent: (entry) => ['sent to Hubu again', named('attempt', entry.attempt)],
  answered: (entry) => [
    'answered',
    text(entry.decision),
    named('payment', entry.payment),
    named('approval request', entry.approval_request_id),
    named('until', entry.expires_at),
  ],
  delivered: (entry) => [`answer ${text(entry.delivery)}`, bases[text(entry.basis)] ?? ''],
  bound: () => ['acknowledged'],
  dispatching: (entry) => ['sent to Gongbu', named('attempt', entry.attempt)],
  dispatched: (entry) => [`Gongbu ${outcomes[text(entry.outcome)] ?? ''}`, text(entry.code)],
  observed: (entry) => ['seen at Gongbu', text(entry.status), text(entry.code), named('execution', entry.execution_id)],
  finished: (entry) => ['finished', text(entry.state), text(entry.code)],
  approval_shown: () => ['approval shown to a person'],
  approval_decided: (entry) => ['approval decided', text(entry.decision)],
  guard_refused: (entry) => ['equal purchase refused', text(entry.reason)],
  confirmed: (entry) => ['one more confirmed', named('by a', entry.by), named('until', entry.until)],
  forgotten: () => ['texts erased'],
}

const outcomes: Record<string, string> = { answered: 'answered', retry: 'is tried again', refused: 'refused' }

const bases: Record<string, string> = {
  used: 'the agent used it',
  went_on: 'the client went on',
  waited: 'the client stayed and did not cancel',
  cancelled: 'the client cancelled',
  pipe: 'the client was gone',
  stream: 'the connection broke',
}
