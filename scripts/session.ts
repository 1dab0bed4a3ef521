// Plays one purchase on the sandbox of the build and writes it, word for word, to docs/session.md: `npm run session`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { format } from 'prettier'
import { pictureScope } from '../src/demo/journey.ts'

type Values = Record<string, unknown>

const root = fileURLToPath(new URL('..', import.meta.url))
const main = path.join(root, 'dist/main.js')
const page = path.join(root, 'docs/session.md')
/** A picture's bytes are shown up to here. */
const mostCharacters = 60

const home = mkdtempSync(path.join(tmpdir(), 'hubu-session-'))
const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_DATA_HOME: path.join(home, 'data') }
const client = new Client({ name: 'session', version: '1' })
try {
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'sandbox'], env }))
  writeFileSync(page, await format(await play(), { parser: 'markdown', printWidth: 120 }))
} finally {
  await client.close()
  rmSync(home, { recursive: true, force: true })
}

/** The page. Throws when a step does not come out as the page says. */
async function play(): Promise<string> {
  const parts: string[] = []
  const call = async (title: string, name: string, args: Values, callId: string): Promise<Values> => {
    const result = (await client.callTool({ name, arguments: args, _meta: { callId } })) as CallToolResult
    const values = (result.structuredContent ?? {}) as Values
    parts.push(
      `### ${title}`,
      request(name, args, callId),
      'The answer, as `structuredContent` and as text:',
      json(values),
    )
    return values
  }
  const list = await client.listTools()
  const bytes = Buffer.byteLength(JSON.stringify(list))
  const { agents } = (await call('Who can spend', 'hubu_list_agents', {}, 'call-1')) as { agents: Values[] }
  const spend = {
    account_id: agents[0]?.account_id,
    amount_cents: 250,
    reason: 'A lighthouse at dawn, for the cover',
    execution_scope: pictureScope,
  }
  const waiting = await call('Ask for the money', 'hubu_authorize_spend', spend, 'call-2')
  const { approval_request_id: id } = waiting.approval as { approval_request_id: string }
  const command = ['approvals', 'approve', id, '--sandbox', '--yes']
  const review = execFileSync(process.execPath, [main, ...command], { env, encoding: 'utf8' })
  parts.push(
    '### A person approves it, in a terminal of their own',
    `\`\`\`console\n$ hubu-unified-mcp approvals approve ${id.slice(0, 8)} --sandbox --yes\n${review}\`\`\``,
  )
  const handle = { operation_handle: waiting.operation_handle }
  await until(handle, ({ state }) => state === 'authorized')
  const authorized = await call(
    'Read the status: it was completed by itself',
    'hubu_operation_status',
    handle,
    'call-3',
  )
  const [, token] = /auth_token_id (\S+) once/.exec(String(authorized.guidance)) ?? []
  const create = {
    schema_version: 2,
    spend_auth_token_id: token,
    input: { prompt: 'a lighthouse at dawn', image_count: 1 },
    input_schema_version: 1,
    workload_type: 'image_generation',
    provider: 'sandbox',
    adapter: 'fixture',
    model: 'studio-image-v1',
  }
  await call('Have the work done', 'gongbu_create_execution', create, 'call-4')
  const done = await until(handle, ({ terminal }) => terminal === true)
  if (done.state !== 'succeeded') throw new Error(`the purchase ended as ${String(done.state)}`)
  await call('Read the status until it is terminal', 'hubu_operation_status', handle, 'call-5')
  await call('What was paid', 'hubu_list_budgets', {}, 'call-6')
  const head = [
    '# One purchase, word for word',
    'Written by `npm run session`, which plays it on the sandbox of the build; the ids are others each time. For whoever writes an agent: this is ' +
      'everything that goes over the wire for a purchase that needs a person. What each state asks of the agent is on [the page for agents](agents.md).',
    `\`tools/list\` of it has ${list.tools.length} tools and ${bytes} bytes of JSON. With \`expose: lazy\` an agent is shown eight meta-tools instead: [the gateway](gateway.md).`,
  ]
  return `${[...head, ...parts].join('\n\n')}\n`
}

/** Reads the status until it is as wanted. */
async function until(handle: Values, isDone: (status: Values) => boolean): Promise<Values> {
  for (;;) {
    const { structuredContent } = await client.callTool({ name: 'hubu_operation_status', arguments: handle })
    const status = structuredContent as Values
    if (isDone(status)) return status
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function request(name: string, args: Values, callId: string): string {
  return json({ method: 'tools/call', params: { name, arguments: args, _meta: { callId } } })
}

function json(value: unknown): string {
  const shorten = (_key: string, one: unknown): unknown =>
    typeof one === 'string' && one.length > mostCharacters * 8 ? `${one.slice(0, mostCharacters)} …` : one
  return `\`\`\`json\n${JSON.stringify(value, shorten, 2)}\n\`\`\``
}
