// What a session has besides calls: pages of a stored result, questions of a mounted server, and news of a resource.
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mounted } from '../e2e/lazy-router.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const info = { name: 'hubu-test', version: '1' }
const capabilities = { elicitation: {} }
const accepted = { action: 'accept' as const, content: { colour: 'blue' } }

/** A client that says yes to every question, and where it hears of changed resources. */
interface Session {
  client: ClientV1 | ClientV2
  questions: string[]
  /** Resolves at the first change of this resource. */
  watch(uri: string): Promise<{ changed: Promise<void>; end(): Promise<unknown> }>
}

type Start = { command: string; args: string[]; env: Record<string, string> }

async function first(start: Start): Promise<Session> {
  const client = new ClientV1(info, { capabilities })
  const questions: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => (questions.push(params.message), accepted))
  await client.connect(new TransportV1(start))
  const watch = async (uri: string) => {
    const changed = new Promise<void>((resolve) =>
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void (params.uri === uri && resolve()),
      ),
    )
    await client.subscribeResource({ uri })
    return { changed, end: () => client.unsubscribeResource({ uri }) }
  }
  return { client, questions, watch }
}

const second =
  (mode: 'legacy' | { pin: string }) =>
  async (start: Start): Promise<Session> => {
    const client = new ClientV2(info, { capabilities, versionNegotiation: { mode } })
    const questions: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => (questions.push(params.message), accepted))
    await client.connect(new TransportV2(start))
    const watch = async (uri: string) => {
      const changed = new Promise<void>((resolve) =>
        client.setNotificationHandler(
          'notifications/resources/updated',
          ({ params }) => void (params.uri === uri && resolve()),
        ),
      )
      if (mode === 'legacy') {
        await client.subscribeResource({ uri })
        return { changed, end: () => client.unsubscribeResource({ uri }) }
      }
      const listening = await client.listen({ resourceSubscriptions: [uri] })
      return { changed, end: () => listening.close() }
    }
    return { client, questions, watch }
  }

type OkPage = { data: string; nextCursor: number; done: boolean }
type Given = { content: { text: string }[]; structuredContent: Record<string, unknown> }

describe.each([
  { kind: 'the client of SDK 1.32', connect: first },
  { kind: 'the second-generation client with a handshake', connect: second('legacy') },
  { kind: 'the second-generation client in the modern era', connect: second({ pin: '2026-07-28' }) },
])('$kind', ({ connect }) => {
  test('pages a stored result, is asked by a mounted server, and hears of a resource that changes', async () => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const tools = ['bulk', 'ask', 'touch'].map((name) => ({ name, inputSchema: { type: 'object' as const } }))
    const servers = { s: mounted({ offers: true, tools }) }
    writeFileSync(folder.file('c.yaml'), JSON.stringify({ expose: 'all', response_budget: '1KB', servers }))
    const env = { ...stub.env, HUBU_UNIFIED_RESULTS_PATH: folder.file('results') }
    const args = [built.bin, '--config', folder.file('c.yaml')]
    const { client, questions, watch } = await connect({ command: process.execPath, args, env })
    const call = async (name: string, given: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: given })) as unknown as Given

    const { callId } = (await call('s__bulk', { bytes: 3000 })).structuredContent as { callId: string }
    const pages: Buffer[] = []
    for (let cursor = 0, isDone = false; !isDone;) {
      const { data, nextCursor, done } = (await call('get_result', { callId, cursor }))
        .structuredContent as unknown as OkPage
      pages.push(Buffer.from(data, 'base64'))
      cursor = nextCursor
      isDone = done
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(JSON.parse(Buffer.concat(pages).toString())).toEqual({ content: [{ type: 'text', text: 'x'.repeat(3000) }] })

    const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } }
    const asked = await call('s__ask', { method: 'elicitation/create', params: { message: 'Which?', requestedSchema } })
    expect(JSON.parse(asked.content[0]!.text)).toEqual(accepted)
    expect(questions).toEqual(['[s] Which?'])

    const watching = await watch('mcphub://s/file%3A%2F%2F%2Fa%20b')
    await call('s__touch', { uri: 'file:///a b' })
    await watching.changed
    await watching.end()
    await client.close()
  })
})
