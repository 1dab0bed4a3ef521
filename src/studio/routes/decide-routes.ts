// Deciding, in two steps: a look that gives a ticket, and a decision that uses it up.
import { member } from '../../json/read.ts'
import { redactErrorText } from '../../redaction/replace.ts'
import { quotedText } from '../../terminal/quoted-text.ts'
import { StudioError } from '../http/error-codes.ts'
import { ticketLifeMs } from '../session/tickets.ts'
import type { FoundAtHubu } from '../hubu/inbox-reader.ts'
import { reviewDigest, type ApprovalFacts } from '../views/inbox.ts'
import { reviewFor } from './inbox-routes.ts'
import type { StudioRooms } from './rooms.ts'
import { json, post, type StudioCall, type StudioRoute } from './route.ts'

export const decideRoutes: readonly StudioRoute[] = [
  post('/api/approvals/APPROVAL/review', review),
  post('/api/approvals/APPROVAL/decision', decision, { decision: 'string', ticket: 'string', typed: 'string' }),
]

async function review({ rooms, session, ids: [id] }: StudioCall) {
  demandMayDecide(rooms)
  const facts = factsIn(await rooms.inbox.approval(id!))
  if (facts.status !== 'pending') throw decidedAlready(facts.status)
  await rooms.places.catchUp()
  const shown = await reviewFor(rooms, facts)
  const expect = facts.amount.text
  const ticket = rooms.tickets.issue(session, facts.id, { reviewDigest: shown.digest, expect })
  const expiresAt = new Date(rooms.clock.nowMs() + ticketLifeMs).toISOString()
  return json({ ticket, expiresAt, review: shown, expect })
}

async function decision({ rooms, session, body, ids }: StudioCall) {
  const id = ids[0]!
  const { decision: wish, ticket, typed } = body as { decision: string; ticket: string; typed: string }
  if (wish !== 'approve' && wish !== 'deny') throw new StudioError('bad_request')
  if (wish === 'deny' && typed !== '') throw new StudioError('bad_request')
  demandMayDecide(rooms)
  const shown = rooms.tickets.find(ticket, session, id)
  if (shown === undefined) throw new StudioError('ticket_unusable')
  if (wish === 'approve' && typed.trim() !== shown.expect) {
    rooms.tickets.miss(ticket, session, id)
    throw new StudioError('typed_wrong')
  }
  // Before anything is asked: whatever happens next, this look decides nothing more.
  rooms.tickets.strike(ticket)
  const wanted = wish === 'approve' ? 'approved' : 'denied'
  const before = factsIn(await rooms.inbox.approval(id))
  if (reviewDigest(before.review) !== shown.reviewDigest) throw new StudioError('review_changed')
  if (before.status !== 'pending' && before.status !== wanted) throw decidedAlready(before.status)
  const already = before.status === wanted || (await resolve(rooms, id, wish))
  if (!already) rooms.settings.note(id, `${before.amount.text} ${before.amount.currency}`, wish)
  const after = await reviewAfter(rooms, id)
  rooms.bus.publish(['inbox', 'money', 'operations'], {
    waiting: await countWaiting(rooms),
    begun: [],
    ended: [{ id, status: wanted }],
  })
  rooms.bus.flush()
  return json({ status: wanted, already, expiresAt: after?.expiresAt ?? null, revision: rooms.bus.revision })
}

/** Sends the decision, once; whether it had been taken before. */
async function resolve(rooms: StudioRooms, id: string, wish: 'approve' | 'deny'): Promise<boolean> {
  const reply = await rooms.desk.post('/spend/approval/resolve', { approval_request_id: id, decision: wish })
  switch (reply.kind) {
    case 'success':
      return member(reply.value, 'idempotent_replay') === true
    case 'off':
    case 'unavailable':
    case 'cancelled':
      throw new StudioError('hubu_unavailable')
    case 'ambiguous':
    case 'invalid_response':
      throw new StudioError('outcome_unknown')
    case 'application_error': {
      const text = reply.errorText ?? ''
      if (reply.status >= 500) throw new StudioError('outcome_unknown')
      if (/already denied/.test(text)) throw decidedAlready('denied')
      if (/already approved/.test(text)) throw decidedAlready('approved')
      if (/no active USD budget|enough remaining balance/.test(text)) throw new StudioError('no_budget')
      if (/capability/.test(text))
        throw new StudioError('cannot_decide', { message: 'Hubu does not accept this approval capability.' })
      const said = redactErrorText(text, rooms.desk.secrets())
      throw new StudioError('hubu_refused', { members: { said: quotedText(said) } })
    }
  }
}

function demandMayDecide({ settings, desk }: StudioRooms): void {
  if (settings.isReadOnly) throw new StudioError('cannot_decide', { message: 'This page was started to look only.' })
  if (!desk.canDecide() && desk.state() !== 'not_running' && desk.state() !== 'unavailable')
    throw new StudioError('cannot_decide', {
      message: 'Deciding needs the approval capability: HUBU_APPROVAL_TOKEN or HUBU_APPROVAL_TOKEN_FILE.',
    })
}

function factsIn(found: FoundAtHubu<ApprovalFacts>): ApprovalFacts {
  if (found.kind === 'found') return found.value
  if (found.kind === 'unknown') throw new StudioError('not_found')
  throw new StudioError('hubu_unavailable', { message: `${found.off.message} Nothing was decided.` })
}

function decidedAlready(status: 'approved' | 'denied'): StudioError {
  return new StudioError(`already_${status}`, {
    message: `Decided elsewhere meanwhile: ${status}. Nothing changed here.`,
    members: { status },
  })
}

async function reviewAfter(rooms: StudioRooms, id: string) {
  const found = await rooms.inbox.approval(id)
  return found.kind === 'found' ? reviewFor(rooms, found.value) : undefined
}

async function countWaiting({ inbox }: StudioRooms): Promise<number> {
  const found = await inbox.waiting()
  return found.kind === 'found' ? found.value.workflows.length : 0
}
