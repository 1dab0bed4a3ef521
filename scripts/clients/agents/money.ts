import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Home } from './home.ts'
import { policyYaml } from './two-pictures.ts'
import type { Program } from './wire.ts'

/** What a home's sandbox has spent and what it still holds, in cents. */
export interface Money {
  spentCents: number
  heldCents: number
}

/** What the sandbox of a home, which goes on where it was, says of its money. */
export async function moneyOf(home: Home, program: Program): Promise<Money> {
  return sumOf(await call(home, program, 'hubu_list_budgets'))
}

/** The sums of Hubu's list of budgets. */
export function sumOf(listed: unknown): Money {
  const { budgets } = listed as { budgets: Record<string, number>[] }
  const sum = (member: string) => budgets.reduce((total, budget) => total + (budget[member] ?? 0), 0)
  return { spentCents: sum('consumed_amount_cents'), heldCents: sum('frozen_amount_cents') }
}

/** The agent of the sandbox. */
export interface SandboxAgent {
  agent_id: string
  account_id: string
}

/** Gives the agent of a home's sandbox the policy of the scenes, as the person who owns the money does; the agent. */
export async function applyPolicy(home: Home, program: Program): Promise<SandboxAgent> {
  const { agents } = await call<{ agents: SandboxAgent[] }>(home, program, 'hubu_list_agents')
  const [agent] = agents
  if (agent === undefined) throw new Error('the sandbox has no agent')
  await call(home, program, 'hubu_apply_policy', { policy_yaml: policyYaml, agent_id: agent.agent_id })
  return agent
}

async function call<T>(home: Home, { bin }: Program, tool: string, args: Record<string, unknown> = {}): Promise<T> {
  const client = new Client({ name: 'hubu-clients', version: '1' })
  const env = { PATH: process.env.PATH ?? '', HOME: home.path, HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'sandbox'], env, stderr: 'ignore' }),
  )
  try {
    const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: args })
    if (isError) throw new Error(`${tool}: ${JSON.stringify(content)}`)
    return structuredContent as T
  } finally {
    await client.close()
  }
}
