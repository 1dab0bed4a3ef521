// The history routes. They only look, and never show free texts.
import { agentOfAccount, ownedAgent } from '../agents/agents.ts'
import { ownedBudget } from '../budgets/budgets.ts'
import { Refusal, required } from '../refusal.ts'
import { read, type Call, type Route } from '../route.ts'
import { cutPage, historySchema, readHistoryQuery, readPage } from './page.ts'
import { budgetCoverage, transactionJson, transactionRows } from './transactions.ts'
import { workflowJson, workflows, workflowStatuses } from './workflows.ts'

/** The routes about history. */
export const historyRoutes: readonly Route[] = [
  read('/ledger/transactions', (call) => {
    const { hubu, owner } = call
    const query = readHistoryQuery(call.query.raw, ['agent_id', 'account_id', 'budget_id', 'limit', 'cursor'])
    const agentId = filteredAgent(call, query)
    const budgetId = query.get('budget_id')
    if (budgetId !== undefined && !query.has('agent_id')) throw new Refusal('budget_id needs agent_id')
    const budget = budgetId === undefined ? undefined : ownedBudget(hubu.rows, owner, budgetId)
    if (budget !== undefined && budget.agent_id !== agentId) throw new Refusal('budget_id belongs to another agent')
    const binding = bindingOf(call, 'transactions', query)
    const page = readPage(query, binding)
    const found = transactionRows(hubu.rows, owner, { agentId, budgetId: budget?.id }, page)
    const { shown, next } = cutPage(found, page, binding)
    return {
      schema_version: historySchema,
      transactions: shown.map(transactionJson),
      coverage: budget === undefined ? null : budgetCoverage(hubu.rows, owner, budget.agent_id, budget),
      next_cursor: next,
    }
  }),
  read('/spend/workflows', (call) => {
    const { hubu, owner } = call
    const query = readHistoryQuery(call.query.raw, ['agent_id', 'account_id', 'status', 'limit', 'cursor'])
    const agentId = filteredAgent(call, query)
    const status = query.get('status')
    if (status !== undefined && !workflowStatuses.some((known) => known === status))
      throw new Refusal(`unknown workflow status; known are ${workflowStatuses.join(', ')}`)
    const binding = bindingOf(call, 'workflows', query)
    const page = readPage(query, binding)
    const now = hubu.now()
    const found = workflows(hubu.rows, owner, now, { agentId, after: page.after })
      .filter((workflow) => status === undefined || workflow.status === status)
      .map((workflow) => ({ ...workflow, id: workflow.row.id, created_at: workflow.row.created_at }))
    const { shown, next } = cutPage(found, page, binding)
    return {
      schema_version: historySchema,
      workflows: shown.map((workflow) => workflowJson(hubu.rows, now, workflow)),
      next_cursor: next,
    }
  }),
  read('/spend/workflows/show', (call) => {
    const { hubu, owner } = call
    const query = readHistoryQuery(call.query.raw, ['workflow_id', 'agent_id', 'operation_key'])
    const [workflowId, agentId, operationKey] = ['workflow_id', 'agent_id', 'operation_key'].map((key) =>
      query.get(key),
    )
    const byKey = agentId !== undefined && operationKey !== undefined
    if (byKey === (workflowId !== undefined) || (workflowId !== undefined && agentId !== operationKey))
      throw new Refusal('pass either workflow_id or agent_id with operation_key')
    const agent = agentId === undefined ? undefined : ownedAgent(hubu.rows, owner, agentId)
    const now = hubu.now()
    const found = workflows(hubu.rows, owner, now, { agentId: agent?.id }).find(({ row }) =>
      workflowId === undefined ? row.operation_key === operationKey : row.id === workflowId,
    )
    return {
      schema_version: historySchema,
      workflow: workflowJson(hubu.rows, now, required(found, 'no such workflow')),
    }
  }),
]

/** The internal id of the agent that agent_id and account_id name; a 400 for foreign ids and for two different agents. */
function filteredAgent({ hubu, owner }: Call, query: ReadonlyMap<string, string>): string | undefined {
  const [agentId, accountId] = [query.get('agent_id'), query.get('account_id')]
  const byAgent = agentId === undefined ? undefined : ownedAgent(hubu.rows, owner, agentId)
  const byAccount = accountId === undefined ? undefined : agentOfAccount(hubu.rows, owner, accountId)
  if (byAgent !== undefined && byAccount !== undefined && byAgent.id !== byAccount.id)
    throw new Refusal('account_id belongs to another agent')
  return (byAgent ?? byAccount)?.id
}

/** What a cursor belongs to: route, owner and filters. */
function bindingOf({ owner }: Call, name: string, query: ReadonlyMap<string, string>): string[] {
  const filters = ['agent_id', 'account_id', 'budget_id', 'status'].map((key) => query.get(key) ?? '')
  return [name, owner.id, ...filters]
}
