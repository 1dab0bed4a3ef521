// What waits at Hubu, what was decided, and reviews. A decided review never changes, so it is read once.
import type { Clock } from '../../timing/clock.ts'
import { approvalIn, workflowIn, type ApprovalFacts, type WorkflowFacts } from '../views/inbox.ts'
import { listIn, memberIn, textIn } from '../views/projections.ts'
import type { Off } from '../views/words.ts'
import { incompatible, notOffered, type HubuDesk } from './desk.ts'

/** What waits, oldest first; `isWhole` false: more wait than are followed. */
export interface Waiting {
  workflows: WorkflowFacts[]
  isWhole: boolean
}

/** Something, or why it is not there. */
export type FoundAtHubu<T> = { kind: 'found'; value: T } | { kind: 'off'; off: Off } | { kind: 'unknown' }

/** Reads Hubu's side of the inbox. */
export interface InboxReader {
  waiting(): Promise<FoundAtHubu<Waiting>>
  /** An approval as it stands now. `unknown`: Hubu has none of this id. */
  approval(id: string): Promise<FoundAtHubu<ApprovalFacts>>
  /** The same, from memory where it cannot have changed. */
  decided(id: string): Promise<FoundAtHubu<ApprovalFacts>>
  /** A review that was read before, whatever became of it. */
  remembered(id: string): ApprovalFacts | undefined
  /** The newest workflows that a human was asked about; of a Hubu without history none. */
  asked(): Promise<WorkflowFacts[]>
  workflow(id: string): Promise<WorkflowFacts | undefined>
  agentNames(): Promise<ReadonlyMap<string, string>>
  budgets(): Promise<unknown[]>
}

const pageSize = 100
const mostPages = 10
const mostKept = 2000
/** Names change seldom. */
const namesKeptMs = 30_000

export function createInboxReader(desk: HubuDesk, clock: Pick<Clock, 'monotonicMs'>): InboxReader {
  const kept = new Map<string, ApprovalFacts>()
  let names: { atMs: number; value: ReadonlyMap<string, string> } | undefined

  function remember(facts: ApprovalFacts): void {
    kept.delete(facts.id)
    kept.set(facts.id, facts)
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  }

  async function workflows(status: string | undefined, pages: number): Promise<FoundAtHubu<Waiting>> {
    const found: WorkflowFacts[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < pages; page++) {
      const filter = status === undefined ? '' : `status=${status}&`
      const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const asked = await desk.get(`/spend/workflows?${filter}limit=${pageSize}${more}`)
      if (asked.kind === 'off') return { kind: 'off', off: asked.off }
      if (asked.kind === 'refused') return { kind: 'off', off: notOffered }
      const rows = memberIn(asked.value, 'workflows')
      if (!Array.isArray(rows)) return { kind: 'off', off: incompatible }
      found.push(...rows.flatMap((row) => workflowIn(row) ?? []))
      cursor = textIn(memberIn(asked.value, 'next_cursor'))
      if (cursor === undefined || seen.has(cursor)) break
      seen.add(cursor)
    }
    return { kind: 'found', value: { workflows: found.reverse(), isWhole: cursor === undefined } }
  }

  async function approval(id: string): Promise<FoundAtHubu<ApprovalFacts>> {
    const asked = await desk.get(`/spend/approval?approval_request_id=${id}`)
    if (asked.kind === 'off') return { kind: 'off', off: asked.off }
    if (asked.kind === 'refused') return { kind: 'unknown' }
    const facts = approvalIn(asked.value)
    if (facts === undefined) return { kind: 'off', off: incompatible }
    remember(facts)
    return { kind: 'found', value: facts }
  }

  return {
    waiting: () => workflows('needs_approval', mostPages),
    approval,
    decided(id) {
      const known = kept.get(id)
      return known === undefined || known.status === 'pending'
        ? approval(id)
        : Promise.resolve({ kind: 'found', value: known })
    },
    remembered: (id) => kept.get(id),
    async asked() {
      const found = await workflows(undefined, 1)
      return found.kind === 'found' ? found.value.workflows.filter(({ wasAsked }) => wasAsked).reverse() : []
    },
    async workflow(id) {
      const asked = await desk.get(`/spend/workflows/show?workflow_id=${id}`)
      return asked.kind === 'answer' ? workflowIn(memberIn(asked.value, 'workflow')) : undefined
    },
    async agentNames() {
      if (names !== undefined && clock.monotonicMs() - names.atMs < namesKeptMs) return names.value
      const asked = await desk.get('/agents')
      if (asked.kind !== 'answer') return names?.value ?? new Map()
      const rows = listIn(memberIn(asked.value, 'agents')).flatMap((row): [string, string][] => {
        const [id, name] = [textIn(memberIn(row, 'agent_id')), textIn(memberIn(row, 'display_name'))]
        return id === undefined || name === undefined ? [] : [[id, name]]
      })
      names = { atMs: clock.monotonicMs(), value: new Map(rows) }
      return names.value
    },
    async budgets() {
      const asked = await desk.get('/budgets')
      return asked.kind === 'answer' ? listIn(memberIn(asked.value, 'budgets')) : []
    },
  }
}
