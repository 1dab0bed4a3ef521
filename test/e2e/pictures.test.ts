// Pictures of mounted servers are shown to the model, whatever the budget of texts is.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { mounted } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

interface Result {
  content: { type: string; text?: string; data?: string }[]
  structuredContent?: { status: string; callId: string; mediaType?: string }
  isError?: boolean
}

/** An official client whose server takes screenshots. */
async function photographer(more: object = {}) {
  const stub = await stubRouter()
  const folder = tempFolder()
  const tools = [{ name: 'picture', inputSchema: { type: 'object' } }]
  writeFileSync(folder.file('c.yaml'), JSON.stringify({ expose: 'all', servers: { s: mounted({ tools }) }, ...more }))
  const client = new Client({ name: 'test', version: '1' })
  const args = [built.bin, '--config', folder.file('c.yaml')]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: stub.env }))
  const call = async (name: string, asked: object) =>
    (await client.callTool({ name, arguments: { ...asked } })) as unknown as Result
  return {
    call,
    take: (asked: object) => call('s__picture', asked),
    async [Symbol.asyncDispose]() {
      await client.close()
      await stub[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')
const kindsOf = ({ content }: Result) => content.map(({ type }) => type)

describe('a picture', () => {
  test('of a usual screenshot goes out with its text, as the server gave them', async () => {
    await using world = await photographer()
    const result = await world.take({ bytes: 60_000 })
    expect(kindsOf(result)).toEqual(['text', 'image'])
    expect(result.content[1]?.data).toBe(base64(60_000))
    expect(result).not.toHaveProperty('structuredContent')
  })

  test('beside a text over the budget goes out with the receipt of both', async () => {
    await using world = await photographer()
    const result = await world.take({ bytes: 60_000, text: 40_000 })
    expect(result.structuredContent).toMatchObject({ status: 'stored', mediaType: 'image/png' })
    expect(result.content.at(-1)).toMatchObject({ type: 'image', data: base64(60_000) })
  })

  test('over its own budget is stored, and get_result shows it on request', async () => {
    await using world = await photographer({ image_budget: '64KB' })
    const stored = await world.take({ bytes: 60_000 })
    expect(kindsOf(stored)).not.toContain('image')
    expect(stored.content[0]?.text).toContain('encoding=image shows it')
    const { callId } = stored.structuredContent!
    const shown = await world.call('get_result', { callId, encoding: 'image' })
    expect(kindsOf(shown)).toEqual(['text', 'image'])
    expect(shown.content[1]?.data).toBe(base64(60_000))
    const beyond = await world.call('get_result', { callId, encoding: 'image', cursor: 1 })
    expect([beyond.isError, beyond.content[0]?.text]).toEqual([true, expect.stringContaining('pictures 0 to 0')])
  })

  test('of a kind that no client shows is stored as before', async () => {
    await using world = await photographer()
    const result = await world.take({ bytes: 60_000, type: 'image/x-raw' })
    expect(kindsOf(result)).not.toContain('image')
    const { callId } = result.structuredContent!
    const shown = await world.call('get_result', { callId, encoding: 'image' })
    expect(shown.content[0]?.text).toContain('holds no picture')
  })
})
