// A mounted server that knows the modern era alone, behind clients of both generations.
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const fixture = path.resolve('test/downstream/fixtures/modern-server.mjs')
const clientInfo = { name: 'test', version: '1' }
const accept = { action: 'accept' as const, content: { colour: 'blue' } }
const key = (name: string) => `io.modelcontextprotocol/${name}`

interface Called {
  content: { text: string }[]
  isError?: boolean
}
const valueOf = (result: unknown) =>
  JSON.parse((result as Called).content[0]?.text ?? 'null') as Record<string, unknown>

/** The arguments of a router with this server behind it. */
function mounting(folder: ReturnType<typeof tempFolder>, ...args: string[]): string[] {
  const servers = { m: { command: process.execPath, args: [fixture, ...args], enabled: true } }
  writeFileSync(folder.file('c.yaml'), JSON.stringify({ expose: 'all', servers }))
  return [built.bin, '--config', folder.file('c.yaml')]
}

test('a client with a handshake calls it, and is asked by requests whose answers go back in a retry', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const client = new Client(clientInfo, { capabilities: { elicitation: {} } })
  const messages: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    messages.push(params.message)
    return accept
  })
  const transport = { command: process.execPath, args: mounting(folder), env: stub.env }
  await client.connect(new StdioClientTransport(transport))
  const asked = await client.callTool({ name: 'm__ask' })
  expect(asked).not.toHaveProperty('resultType')
  expect(valueOf(asked)).toEqual({ answers: { colour: accept }, state: 'mine' })
  expect(messages).toEqual(['[m] Which colour?'])
  expect(await client.callTool({ name: 'm__odd' })).toMatchObject({ isError: true })
  const { methods, meta } = valueOf(
    await client.callTool({ name: 'm__seen', _meta: { traceparent: 't', callId: 'c' } }),
  )
  expect((methods as string[]).slice(0, 2)).toEqual(['initialize', 'server/discover'])
  expect(meta).toEqual({
    traceparent: 't',
    [key('protocolVersion')]: '2026-07-28',
    [key('clientInfo')]: expect.objectContaining({ name: 'hubu-unified-mcp' }) as object,
    [key('clientCapabilities')]: { elicitation: {} },
  })
  await client.close()
})

test('a client that can be asked nothing is told so, and the server knows it', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const client = new ModernClient(clientInfo, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new ModernTransport({ command: process.execPath, args: mounting(folder), env: stub.env }))
  const asked = (await client.callTool({ name: 'm__ask' })) as unknown as Called
  expect(asked.isError).toBe(true)
  expect(asked.content[0]?.text).toContain('asks something')
  const { meta } = valueOf(await client.callTool({ name: 'm__seen' }))
  expect(meta).toMatchObject({ [key('clientCapabilities')]: {}, [key('clientInfo')]: { name: 'hubu-unified-mcp' } })
  await client.close()
})

test('a client of the modern era is asked under the key of the server, and hears of the tools that it adds', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } }
  const client = new ModernClient(clientInfo, options)
  client.setRequestHandler('elicitation/create', () => accept)
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
  )
  await client.connect(new ModernTransport({ command: process.execPath, args: mounting(folder), env: stub.env }))
  expect(valueOf(await client.callTool({ name: 'm__ask' }))).toEqual({ answers: { colour: accept }, state: 'mine' })
  const subscription = await client.listen({ toolsListChanged: true })
  await client.callTool({ name: 'm__grow' })
  await changed
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' })
  expect(tools.map(({ name }) => name)).toContain('m__grown')
  await subscription.close()
  await client.close()
})

test('a server of a revision that nobody has is not mounted, and its reason says so', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  const client = new Client(clientInfo)
  const args = mounting(folder, '2099-01-01')
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: stub.env }))
  await client.callTool({ name: 'm__seen' })
  const { structuredContent } = await client.callTool({ name: 'list_servers' })
  expect(JSON.stringify(structuredContent)).toContain(
    'speaks a version of MCP that is not known here (it names 2099-01-01; known is 2026-07-28)',
  )
  await client.close()
})
