import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Home } from './home.ts'
import type { Program } from './wire.ts'

/** What a home's sandbox has spent and what it still holds, in cents. */
export interface Money {
  spentCents: number
  heldCents: number
}

/** Asks the sandbox of a home, which goes on where it was. */
export async function moneyOf(home: Home, { bin }: Program): Promise<Money> {
  const client = new Client({ name: 'hubu-clients', version: '1' })
  const env = { PATH: process.env.PATH ?? '', HOME: home.path }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'sandbox'], env, stderr: 'ignore' }),
  )
  try {
    const { structuredContent } = await client.callTool({ name: 'hubu_list_budgets', arguments: {} })
    const { budgets } = structuredContent as { budgets: Record<string, number>[] }
    const sum = (member: string) => budgets.reduce((total, budget) => total + (budget[member] ?? 0), 0)
    return { spentCents: sum('consumed_amount_cents'), heldCents: sum('frozen_amount_cents') }
  } finally {
    await client.close()
  }
}
