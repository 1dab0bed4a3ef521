import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Home } from './home.ts'
import type { Program } from './wire.ts'

/** What a home's sandbox has spent and what it still holds, in cents. */
export interface Money {
  spentCents: number
  heldCents: number
}

/** What the sandbox of a home, which goes on where it was, says of its money. */
export async function moneyOf(home: Home, program: Program): Promise<Money> {
  const { budgets } = await read<{ budgets: Record<string, number>[] }>(home, program, 'hubu_list_budgets')
  const sum = (member: string) => budgets.reduce((total, budget) => total + (budget[member] ?? 0), 0)
  return { spentCents: sum('consumed_amount_cents'), heldCents: sum('frozen_amount_cents') }
}

/** The account of the sandbox's agent. */
export async function accountOf(home: Home, program: Program): Promise<string> {
  const { agents } = await read<{ agents: { account_id: string }[] }>(home, program, 'hubu_list_agents')
  return agents[0]?.account_id ?? ''
}

async function read<T>(home: Home, { bin }: Program, tool: string): Promise<T> {
  const client = new Client({ name: 'hubu-clients', version: '1' })
  const env = { PATH: process.env.PATH ?? '', HOME: home.path }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'sandbox'], env, stderr: 'ignore' }),
  )
  try {
    return (await client.callTool({ name: tool, arguments: {} })).structuredContent as T
  } finally {
    await client.close()
  }
}
