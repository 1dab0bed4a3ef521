// A sandbox of the built bin with an SDK client on it, and the bin's other commands.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { execFile } from 'node:child_process'

export type Value = Record<string, unknown>

/** What a tool call came to: a value, or the JSON-RPC error. */
export type Outcome = { value: Value } | { error: { code: number; data?: { code: string } } }

/** A running sandbox. */
export interface StartedSandbox extends AsyncDisposable {
  client: Client
  /** The process that the client started. */
  processId: number
  /** The agent's account in a seeded sandbox. */
  accountId: string
  /** The value of a call that succeeds. */
  call(name: string, args?: Value, callId?: string): Promise<Value>
  /** Whatever a call comes to. */
  attempt(name: string, args?: Value, callId?: string): Promise<Outcome>
  toolNames(): Promise<string[]>
  /** Resolves at the next change of the list of tools. */
  nextListChange(): Promise<void>
}

const scope = {
  schema_version: 1,
  provider: 'provider:local:fixture',
  executor: 'executor:gongbu:image',
  capability: 'capability:image:generate',
  billing_merchant: 'merchant:local',
}

/** The arguments of a spend for one picture. */
export const spendOf = (accountId: string, amountCents = 1, reason = 'One picture'): Value => ({
  account_id: accountId,
  amount_cents: amountCents,
  reason,
  execution_scope: scope,
})

/** A policy that leaves every spend to a human. */
export const askAlways = `id: ask\nversion: "1"\ndefault_effect: needs_approval\nrules: []\n`

/** The arguments of a create. */
export const createOf = (authTokenId: unknown, prompt = 'a circle'): Value => ({
  schema_version: 2,
  spend_auth_token_id: authTokenId,
  input: { prompt, image_count: 1 },
  input_schema_version: 1,
  workload_type: 'image_generation',
  provider: 'sandbox',
  adapter: 'fixture',
  model: 'deterministic-image-v1',
})

/** Starts a seeded sandbox with quick polls and ticks, with presets of faults; its agent gets the policy, if one is given. */
export async function startSandbox(
  bin: string,
  folder: string,
  { faults = [], env = {}, policy }: { faults?: string[]; env?: Record<string, string>; policy?: string } = {},
): Promise<StartedSandbox> {
  const client = new Client({ name: 'test', version: '1' })
  const waiting: (() => void)[] = []
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => waiting.splice(0).forEach((one) => one()))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'sandbox', '--data-folder', folder, ...faults.flatMap((name) => ['--fault', name])],
    env: {
      PATH: process.env.PATH ?? '',
      HUBU_UNIFIED_OPERATION_TICK_MS: '20',
      HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: '50',
      ...(policy !== undefined && { HUBU_MCP_TRUST_CLIENT_APPROVAL: '1' }),
      ...env,
    },
  })
  await client.connect(transport)
  const call = async (name: string, args: Value = {}, callId?: string): Promise<Value> => {
    const meta = callId === undefined ? {} : { _meta: { callId } }
    const result = await client.callTool({ name, arguments: args, ...meta })
    const [first] = result.content as { text?: string }[]
    return (result.structuredContent ?? JSON.parse(first?.text ?? '{}')) as Value
  }
  const sandbox: StartedSandbox = {
    client,
    processId: transport.pid ?? 0,
    accountId: '',
    call,
    attempt: (name, args, callId) =>
      call(name, args, callId).then(
        (value) => ({ value }),
        (error: { code: number; data?: { code: string } }) => ({ error }),
      ),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    nextListChange: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: () => client.close(),
  }
  const listed = await sandbox.attempt('hubu_list_agents')
  const agents = 'value' in listed ? (listed.value.agents as { account_id: string; agent_id: string }[]) : []
  if (policy !== undefined) await call('hubu_apply_policy', { policy_yaml: policy, agent_id: agents[0]?.agent_id })
  return { ...sandbox, accountId: agents[0]?.account_id ?? '' }
}

/** Runs a command of the bin to its end. */
export function runCommand(bin: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bin, ...args],
      { env: { PATH: process.env.PATH } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
    child.stdin?.end()
  })
}
