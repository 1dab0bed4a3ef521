// Three servers from npm beside the sandbox, through both generations of the official client.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { gone } from '../support/processes.ts'
import { metaTools } from './lazy-router.ts'
import { realClientV1, realClientV2, type Progress } from './real-clients.ts'
import { realServers, textOf, type RealServers } from './real-servers.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const names = ['everything', 'files', 'memory']
/** Beyond the budget, and with characters of one to four bytes. */
const longText = 'ab Ünï 界 𝄞 "quoted"\n'.repeat(3_000)

async function found(real: RealServers, query: string): Promise<string[]> {
  const { matches } = await real.data('search_tools', { query, max_hits: 3 })
  return (matches as { namespaced: string }[]).map(({ namespaced }) => namespaced)
}

/** A stored result, page by page. */
async function paged(real: RealServers, callId: unknown): Promise<Buffer> {
  const pages: Buffer[] = []
  for (let cursor: unknown = 0; ;) {
    const page = await real.data('get_result', { callId, cursor })
    expect(page.status).toBe('ok')
    pages.push(Buffer.from(String(page.data), 'base64'))
    if (page.done === true) return Buffer.concat(pages)
    cursor = page.nextCursor
  }
}

describe.each([
  { kind: 'the client of SDK 1.32', connect: realClientV1 },
  { kind: 'the second-generation client', connect: realClientV2 },
])('$kind', ({ connect }) => {
  let real: RealServers
  beforeAll(async () => {
    real = await realServers(built.bin, connect)
  })
  afterAll(() => real[Symbol.asyncDispose]())

  test('learns what is behind the gateway, finds tools by what they do, and reads their schemas', async () => {
    const { client, data } = real
    for (const name of names) expect(client.instructions()).toContain(name)
    expect(await client.toolNames()).toEqual([...metaTools, 'hubu_submit_spend', 'hubu_authorize_spend'])
    await real.connected()
    const { servers } = await data('list_servers')
    expect(servers).toEqual(
      expect.arrayContaining(names.map((name) => expect.objectContaining({ name, connected: true }) as unknown)),
    )
    expect((await found(real, 'read a text file from disk'))[0]).toBe('files__read_text_file')
    expect((await found(real, 'write text to a file'))[0]).toBe('files__write_file')
    expect(await found(real, 'remember a fact about a person')).toContain('memory__create_entities')
    expect((await found(real, 'repeat what I say'))[0]).toBe('everything__echo')
    expect(await found(real, 'sum of two numbers')).toContain('everything__get-sum')
    expect(await data('resolve_tool', { query: 'read a text file from disk' })).toMatchObject({
      status: 'confident',
      ambiguous: false,
    })
    expect(await data('describe_tool', { tool: 'everything__get-sum' })).toMatchObject({
      namespaced: 'everything__get-sum',
      input_schema: { properties: { a: { type: 'number' } }, required: ['a', 'b'] },
    })
  })

  test('writes and reads files; a large one becomes a receipt and is paged back byte for byte', async () => {
    const file = path.join(real.folder, 'größe 𝄞.txt')
    const written = await real.tool('files', 'write_file', { path: file, content: longText })
    expect(written.isError).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toBe(longText)
    const { structuredContent: receipt } = await real.tool('files', 'read_text_file', { path: file })
    expect(receipt).toMatchObject({ status: 'stored', namespaced: 'files__read_text_file', budgetBytes: 32_768 })
    const whole = await paged(real, receipt?.callId)
    expect(whole.length).toBe(receipt?.originalBytes)
    expect(JSON.parse(whole.toString('utf8'))).toMatchObject({ structuredContent: { content: longText } })
    expect(await real.client.read(`hubu-result:///${String(receipt?.callId)}`)).toMatchObject({
      text: whole.toString('utf8'),
    })
    const outside = await real.tool('files', 'read_text_file', { path: '/etc/hostname' })
    expect([outside.isError, textOf(outside)]).toEqual([true, expect.stringContaining('Access denied')])
  })

  test('remembers and finds again, and sees pictures, annotations, structured values and errors as they were sent', async () => {
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes for engines – é 𝄞'] }]
    expect(await real.tool('memory', 'create_entities', { entities })).toMatchObject({
      structuredContent: { entities },
    })
    expect(await real.tool('memory', 'search_nodes', { query: 'ENGINES' })).toMatchObject({
      structuredContent: { entities, relations: [] },
    })
    const image = (await real.tool('everything', 'get-tiny-image')).content[1]
    expect(image).toMatchObject({ type: 'image', mimeType: 'image/png' })
    expect(Buffer.from(String(image?.data), 'base64').subarray(1, 4).toString()).toBe('PNG')
    const annotated = await real.tool('everything', 'get-annotated-message', {
      messageType: 'debug',
      includeImage: true,
    })
    expect(annotated.content.map(({ annotations }) => annotations)).toEqual([
      { priority: 0.3, audience: ['assistant'] },
      { priority: 0.5, audience: ['user'] },
    ])
    expect(await real.tool('everything', 'get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { temperature: 36, humidity: 82 },
    })
    const wrong = await real.tool('everything', 'get-sum', { a: 'x' })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('expected number')])
  })

  test("hears of a call's progress, and fetches the result of one that it did not wait for", async () => {
    const heard: Progress[] = []
    const long = {
      server: 'everything',
      tool: 'trigger-long-running-operation',
      arguments: { duration: 0.2, steps: 4 },
    }
    const done = await real.client.call({ name: 'call_tool', arguments: long }, ({ progress, total }) =>
      heard.push({ progress, total }),
    )
    expect(textOf(done)).toContain('completed')
    expect(heard).toContainEqual({ progress: 1, total: 4 })
    const { callId } = await real.data('call_tool', { ...long, detach: true })
    const poll = () => real.client.call({ name: 'poll_result', arguments: { callId } })
    let polled = await poll()
    while (polled.structuredContent?.status === 'pending') polled = await poll()
    expect(polled).toEqual(done)
  })

  test('is asked by a mounted server, under its name, and answers: its person, its model and its folders', async () => {
    const agreed = await real.tool('everything', 'trigger-elicitation-request')
    expect(agreed.content[1]?.text).toContain('Name: Ada')
    const said = await real.tool('everything', 'trigger-sampling-request', { prompt: 'Hi', maxTokens: 7 })
    expect(textOf(said)).toContain('hello')
    expect(real.client.asked).toEqual([
      '[everything] Please provide inputs for the following fields:',
      'at most 7 tokens',
    ])
    expect(textOf(await real.tool('everything', 'get-roots-list'))).toContain(path.basename(real.folder))
  })

  test('calls a tool that its server runs only as a task, and is asked while that runs', async () => {
    const research = { topic: 'python', ambiguous: true }
    const report = await real.tool('everything', 'simulate-research-query', research)
    expect(report.isError).toBeUndefined()
    expect(textOf(report)).toContain('Research Report: python')
    expect(real.client.asked.at(-1)).toMatch(/^\[everything\] The research query "python"/)
  })

  test("reads the servers' resources and prompts, and hears of a resource that changes", async () => {
    await real.connected()
    const uris = (await real.client.resources()).map(({ uri }) => uri)
    const graph = uris.find((uri) => uri.startsWith('mcphub://memory/'))
    expect(await real.client.read(String(graph))).toMatchObject({ mimeType: 'application/json' })
    const guide = uris.find((uri) => uri.startsWith('mcphub://everything/'))
    expect(await real.client.read(String(guide))).toMatchObject({
      text: expect.stringContaining('Everything') as string,
    })
    const template = (await real.client.templates()).find((one) => one.includes('/text/'))
    const filled = String(template?.replace('{resourceId}', '7'))
    expect(await real.client.read(filled)).toMatchObject({ text: expect.stringContaining('Resource 7') as string })
    await real.client.subscribe(String(graph))
    await real.tool('memory', 'create_entities', { entities: [{ name: 'Bo', entityType: 'x', observations: [] }] })
    while (real.client.changed.length === 0) await real.client.prompts()
    expect(real.client.changed).toEqual([graph])
    expect(await real.client.prompts()).toContain('everything__args-prompt')
    expect(await real.client.prompt('everything__args-prompt', { city: 'Lima' })).toMatchObject({
      text: "What's weather in Lima?",
    })
    expect(
      await real.client.completions('everything__completable-prompt', { name: 'department', value: 'Eng' }),
    ).toEqual(['Engineering'])
  })

  test('spends beside them, once for one call id, directly and through call_tool', async () => {
    const { agents } = (await real.tool('hubu', 'list_agents')).structuredContent as {
      agents: { account_id: string }[]
    }
    const spend = { account_id: agents[0]?.account_id, amount_cents: 25, reason: 'a picture' }
    const _meta = { callId: 'call-1' }
    const first = await real.client.call({ name: 'hubu_submit_spend', arguments: spend, _meta })
    expect(first.structuredContent).toMatchObject({ decision: 'allow' })
    const nested = { tool: 'hubu_submit_spend', arguments: spend }
    const again = await real.client.call({ name: 'call_tool', arguments: nested, _meta })
    expect(again.structuredContent).toEqual(first.structuredContent)
  })

  test('is shown every tool with `expose: all`, and takes a receipt where the tool declares an output schema', async () => {
    await using real = await realServers(built.bin, connect, { expose: 'all' })
    await real.connected()
    const listed = await real.client.toolNames()
    expect(listed).toEqual(expect.arrayContaining(['files__read_text_file', 'memory__read_graph', 'hubu_list_ledger']))
    const file = path.join(real.folder, 'long.txt')
    const write = { path: file, content: longText }
    expect((await real.client.call({ name: 'files__write_file', arguments: write })).isError).toBeUndefined()
    const read = await real.client.call({ name: 'files__read_text_file', arguments: { path: file } })
    expect(read.structuredContent).toMatchObject({ status: 'stored' })
    expect(await real.client.call({ name: 'memory__read_graph' })).toMatchObject({
      structuredContent: { entities: [], relations: [] },
    })
    const outside = await real.client.call({ name: 'files__read_text_file', arguments: { path: '/etc/hostname' } })
    expect(outside.isError).toBe(true)
  })

  test('sees as an agent only the servers of its scope; the others are never started', async () => {
    const agents = { clerk: { type: 'claude', path: '/nowhere', servers: ['files', 'hubu'] } }
    await using real = await realServers(built.bin, connect, { agents }, '--agent', 'clerk')
    await real.data('describe_tool', { tool: 'files__read_text_file' })
    const { servers } = await real.data('list_servers')
    expect((servers as { name: string }[]).map(({ name }) => name)).toEqual(['files', 'hubu'])
    expect((await real.tool('memory', 'read_graph')).isError).toBe(true)
    expect((await found(real, 'knowledge graph')).filter((name) => name.startsWith('memory__'))).toEqual([])
    expect([real.processes('memory'), real.processes('everything')]).toEqual([[], []])
  })

  test('leaves no process behind when it closes', async () => {
    await using real = await realServers(built.bin, connect)
    await real.connected()
    const started = names.flatMap((name) => real.processes(name))
    expect(started.length).toBeGreaterThanOrEqual(3)
    await real.client.close()
    await Promise.all(started.map(gone))
  })
})
