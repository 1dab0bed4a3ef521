// The command that init writes is started as the client would start it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildBin } from '../../support/built-bin.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { askTools, autoTools } from '../workbench.ts'
import { commandLine } from './command-line.ts'

interface Entry {
  command: string
  args: string[]
  env: Record<string, string>
}

interface Answer {
  id?: number
  result?: { tools?: { name: string }[]; isError?: boolean }
  error?: { data?: { code: string } }
}

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** Starts an entry with nothing but its own environment and what every program has; asks for the tools and calls two. */
async function talk({ command, args, env }: Entry, home: string): Promise<Record<number, Answer>> {
  const surroundings = { PATH: process.env['PATH'] ?? '', HOME: home }
  const child = spawn(command, args, { env: { ...surroundings, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (message: object): void => void child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n')
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  send({ id: 1, method: 'initialize', params: info })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/list' })
  send({ id: 3, method: 'tools/call', params: { name: 'hubu_list_budgets', arguments: {} } })
  send({ id: 4, method: 'tools/call', params: { name: 'hubu_create_budget', arguments: { amount_cents: 100 } } })
  const answers: Record<number, Answer> = {}
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as Answer
    if (message.id !== undefined) answers[message.id] = message
    if ([1, 2, 3, 4].every((id) => id in answers)) child.stdin.end()
  }
  if (child.exitCode === null) await once(child, 'exit')
  return answers
}

const entryIn: Record<string, (home: string) => Entry> = {
  codex: (home) => {
    const file = parse(readFileSync(path.join(home, '.codex/config.toml'), 'utf8'))
    return (file as never as { mcp_servers: { hubu: Entry } }).mcp_servers.hubu
  },
  claude: (home) =>
    (JSON.parse(readFileSync(path.join(home, '.claude.json'), 'utf8')) as { mcpServers: { hubu: Entry } }).mcpServers
      .hubu,
}

describe.each(['codex', 'claude'])('the command that init wrote for %s', (client) => {
  it('starts a sandbox whose tools are exactly those that have a rule, and a read works', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, built.bin)
    expect((await line.run('init', client, '--sandbox', '--write')).code).toBe(0)
    const answers = await talk(entryIn[client]!(line.home), line.home)
    const names = answers[2]!.result!.tools!.map((tool) => tool.name)
    expect(names.toSorted()).toEqual([...autoTools, 'get_result', ...askTools].toSorted())
    expect(answers[3]!.result).toBeDefined()
    expect(answers[3]!.result!.isError ?? false).toBe(false)
    expect(answers[4]!.error!.data!.code).toBe('approval_gate_required')
  })

  it('with trust runs protected tools, for which the client asks', async () => {
    using folder = tempFolder()
    const line = commandLine(folder, built.bin)
    expect((await line.run('init', client, '--sandbox', '--write', '--trust-client-approval')).code).toBe(0)
    const answers = await talk(entryIn[client]!(line.home), line.home)
    expect(answers[4]!.error?.data?.code).not.toBe('approval_gate_required')
  })
})
