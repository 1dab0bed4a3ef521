import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { toolNames } from '#generated/ownership.js'
import type { FetchedClients } from './fetch-clients.ts'
import { checked, type ClientResult } from './result.ts'

const run = promisify(execFile)

/** One way of using the inspector's command line, and what is wrong with its answer; undefined when nothing is. */
interface Scene {
  name: string
  play(ask: Ask): Promise<string | undefined>
}

/** Runs the inspector once; what it printed, parsed, or its complaint. */
type Ask = (...args: string[]) => Promise<{ value?: unknown; complaint: string }>

/** Plays a few scenes with the inspector's command line against a server command whose sandbox keeps its state. */
export async function runInspector(
  { node, inspector }: Pick<FetchedClients, 'node' | 'inspector'>,
  server: string[],
): Promise<ClientResult[]> {
  const ask: Ask = async (...args) => {
    try {
      const { stdout } = await run(node, [inspector, '--cli', ...server, '--method', ...args], {
        maxBuffer: 64 * 1024 * 1024,
      })
      return { value: JSON.parse(stdout.slice(stdout.indexOf('{'))), complaint: '' }
    } catch (error) {
      return { complaint: (error as { stderr?: string }).stderr ?? String(error) }
    }
  }
  const results: ClientResult[] = []
  for (const { name, play } of scenes) {
    const wrong = await play(ask)
    results.push(checked('inspector', name, wrong))
  }
  return results
}

const call = (ask: Ask, tool: string, ...more: string[]) => ask('tools/call', '--tool-name', tool, ...more)

const scenes: readonly Scene[] = [
  {
    name: 'lists every tool of the contract',
    async play(ask) {
      const { value, complaint } = await ask('tools/list')
      const names = (value as { tools?: { name: string }[] } | undefined)?.tools?.map(({ name }) => name) ?? []
      const missing = toolNames.filter((name) => !names.includes(name))
      return missing.length === 0 ? undefined : `missing ${missing.join(', ')} ${complaint}`
    },
  },
  {
    name: 'reads the budget',
    async play(ask) {
      const { value, complaint } = await call(ask, 'hubu_list_budgets')
      const { budgets } = structured<{ budgets?: { amount_limit_cents: number }[] }>(value)
      return budgets?.[0]?.amount_limit_cents === 5000 ? undefined : `no budget of 50 USD ${complaint}`
    },
  },
  {
    name: 'is told in words what is wrong with its arguments',
    async play(ask) {
      const { complaint } = await call(ask, 'hubu_list_budgets', '--tool-arg', 'surplus=1')
      return complaint.includes('surplus: is not a member of this tool') ? undefined : complaint
    },
  },
  {
    name: 'spends once for one call id',
    async play(ask) {
      const { agents } = structured<{ agents?: { account_id: string }[] }>((await call(ask, 'hubu_list_agents')).value)
      const args = ['--tool-arg', `account_id=${agents?.[0]?.account_id}`, 'amount_cents=5', 'reason=inspector']
      const spend = () => call(ask, 'hubu_authorize_spend', ...args, '--tool-metadata', 'callId=inspector-1')
      const first = await spend()
      const second = await spend()
      const { decision } = structured<{ decision?: string }>(first.value)
      if (decision !== 'allow') return `decision ${decision} ${first.complaint}`
      return JSON.stringify(first.value) === JSON.stringify(second.value) ? undefined : 'the redelivery differs'
    },
  },
]

function structured<T extends object>(result: unknown): Partial<T> {
  return (result as { structuredContent?: T } | undefined)?.structuredContent ?? {}
}
