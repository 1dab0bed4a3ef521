// The inbox: what waits, what was decided, one review.
import { StudioError } from '../http/error-codes.ts'
import { formed, oneOf, wholeNumber } from '../http/query.ts'
import { approvedStatus, reviewOf, type ApprovalFacts, type WorkflowFacts } from '../views/inbox.ts'
import type { InboxItem, InboxStatus } from '../views/shown.ts'
import { agentNamed, displayNameIn, idIn, memberIn, quotedIn } from '../views/projections.ts'
import type { Instant } from '../views/words.ts'
import type { StudioRooms } from './rooms.ts'
import { get, json, type StudioRoute } from './route.ts'

/** A list waits so long for the reasons that it does not know yet. */
const reasonsWaitMs = 300

export const inboxRoutes: readonly StudioRoute[] = [
  get(
    '/api/inbox',
    async ({ rooms, query }) => {
      await rooms.places.catchUp()
      const { view = 'waiting', cursor = '0', limit = 50 } = query as { view?: string; cursor?: string; limit?: number }
      const at = Number(cursor)
      return json(view === 'waiting' ? await waitingList(rooms, at, limit) : await decidedList(rooms, at, limit))
    },
    { view: oneOf('waiting', 'decided'), cursor: formed(/^\d{1,6}$/), limit: wholeNumber(1, 100) },
  ),
  get('/api/approvals/APPROVAL', async ({ rooms, ids: [id] }) => {
    await rooms.places.catchUp()
    const found = await rooms.inbox.approval(id!)
    if (found.kind === 'unknown') throw new StudioError('not_found')
    if (found.kind === 'off') return json(found.off)
    return json({ state: 'ready', review: await reviewFor(rooms, found.value) })
  }),
]

/** A review with everything around it. */
export async function reviewFor(rooms: StudioRooms, facts: ApprovalFacts) {
  const { inbox, places, clock } = rooms
  const [names, budgets, workflow] = [
    await inbox.agentNames(),
    await inbox.budgets(),
    facts.status === 'denied' ? undefined : await inbox.workflow(facts.id),
  ]
  const asked = places.all().find(({ approvalId }) => approvalId === facts.id)
  const status = statusOf(facts, workflow, clock.nowMs())
  return reviewOf(facts, {
    status,
    since: workflow?.since ?? asked?.createdAt ?? null,
    expiresAt: status === 'approved' ? (workflow?.holdExpiresAt ?? null) : null,
    operation: places.handleOf(facts.id) ?? null,
    names,
    budgets,
  })
}

function statusOf({ status }: ApprovalFacts, workflow: WorkflowFacts | undefined, nowMs: number): InboxStatus {
  if (status === 'pending') return 'waiting'
  return status === 'denied' ? 'denied' : approvedStatus(workflow, nowMs)
}

async function waitingList(rooms: StudioRooms, at: number, limit: number) {
  const { inbox, clock } = rooms
  const found = await inbox.waiting()
  if (found.kind !== 'found') return found.kind === 'off' ? found.off : undefined
  const { workflows, isWhole } = found.value
  const shown = workflows.slice(at, at + limit)
  const unread = shown.filter(({ id }) => inbox.remembered(id) === undefined)
  if (unread.length > 0) await Promise.race([readAll(rooms, unread), clock.sleep(reasonsWaitMs)])
  const names = await inbox.agentNames()
  return {
    state: 'ready',
    items: shown.map((workflow) => itemOf(rooms, workflow, 'waiting', names)),
    next: at + limit < workflows.length ? String(at + limit) : null,
    total: workflows.length,
    more: !isWhole,
  }
}

/** One after the other: Hubu answers one question at a time. */
async function readAll({ inbox }: StudioRooms, workflows: readonly WorkflowFacts[]): Promise<void> {
  for (const { id } of workflows) if ((await inbox.decided(id)).kind === 'off') return
}

function itemOf(
  { inbox, places }: StudioRooms,
  workflow: WorkflowFacts,
  status: InboxStatus,
  names: ReadonlyMap<string, string>,
): InboxItem {
  const review = inbox.remembered(workflow.id)
  return {
    id: workflow.id,
    status,
    since: workflow.since,
    amount: workflow.amount,
    account: workflow.account,
    agent: agentNamed(workflow.agentId, names),
    vendor: vendorOf(workflow, review),
    reason: quotedIn(review?.reason),
    operation: places.handleOf(workflow.id) ?? null,
    expiresAt: status === 'approved' ? workflow.holdExpiresAt : null,
  }
}

function vendorOf(workflow: WorkflowFacts | undefined, review: ApprovalFacts | undefined): InboxItem['vendor'] {
  const scope = memberIn(review?.review, 'execution_scope')
  const free = memberIn(review?.review, 'merchant')
  return {
    provider: workflow?.provider ?? displayNameIn(memberIn(scope, 'provider')),
    merchant: quotedIn(free) ?? displayNameIn(memberIn(scope, 'billing_merchant')) ?? workflow?.merchant ?? null,
  }
}

async function decidedList(rooms: StudioRooms, at: number, limit: number) {
  const { inbox, places, sources, clock } = rooms
  const waiting = await inbox.waiting()
  if (waiting.kind === 'off') return waiting.off
  const still = new Set(waiting.kind === 'found' ? waiting.value.workflows.map(({ id }) => id) : [])
  const workflows = new Map((await inbox.asked()).map((one) => [one.id, one]))
  const ids = new Set([...sources.seen(), ...places.all().map(({ approvalId }) => approvalId), ...workflows.keys()])
  const times = new Map<string, Instant>(places.all().map(({ approvalId, createdAt }) => [approvalId, createdAt]))
  const timeOf = (id: string) => workflows.get(id)?.since ?? times.get(id) ?? ''
  const decided = [...ids].filter((id) => !still.has(id)).sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
  const names = await inbox.agentNames()
  const items: InboxItem[] = []
  for (const id of decided.slice(at, at + limit)) {
    const found = await inbox.decided(id)
    if (found.kind === 'off') return found.off
    if (found.kind !== 'found' || found.value.status === 'pending') continue
    const facts = found.value
    const workflow = facts.status === 'denied' ? undefined : (workflows.get(id) ?? (await inbox.workflow(id)))
    const status = statusOf(facts, workflow, clock.nowMs())
    items.push({
      id,
      status,
      since: timeOf(id) || (workflow?.since ?? new Date(0).toISOString()),
      amount: facts.amount,
      account: idIn(memberIn(facts.review, 'account_id')),
      agent: agentNamed(memberIn(facts.review, 'agent_id'), names),
      vendor: vendorOf(workflow, facts),
      reason: quotedIn(facts.reason),
      operation: places.handleOf(id) ?? null,
      expiresAt: status === 'approved' ? (workflow?.holdExpiresAt ?? null) : null,
    })
  }
  const next = at + limit < decided.length ? String(at + limit) : null
  return { state: 'ready', items, next, total: decided.length, more: false }
}
