// Oversized results through the official client.
import { createHash } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OkPage, ResultReceipt } from '#generated/types/router.js'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { rows, sentFor } from './oversized.ts'
import { startRouter } from './router-process.ts'

/** What Hubu lists, as text; a test may change it. */
let ledger = JSON.stringify(rows(400))
let built: Awaited<ReturnType<typeof buildBin>>
let stub: StubRouter
beforeAll(async () => {
  built = await buildBin()
  stub = await stubRouter({
    hubu: ({ path }) =>
      path === '/ledger' ? { status: 200, contentType: 'application/json', text: ledger } : undefined,
  })
})
afterAll(async () => {
  await stub[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

describe('through the official client', () => {
  async function connect(env: Record<string, string> = {}) {
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [built.bin],
      env: { ...stub.env, ...env },
    })
    await client.connect(transport)
    return { client, [Symbol.asyncDispose]: () => client.close() }
  }

  test('a receipt links to its resource, which is listed and read whole', async () => {
    ledger = JSON.stringify(rows(400))
    await using session = await connect()
    const { client } = session
    expect(client.getServerCapabilities()).toHaveProperty('resources')
    const answer = await client.callTool({ name: 'hubu_list_ledger' })
    const { callId } = answer.structuredContent as unknown as ResultReceipt
    const uri = `hubu-result:///${callId}`
    expect(answer.content).toEqual([
      expect.objectContaining({ type: 'text' }),
      expect.objectContaining({ type: 'resource_link', uri, mimeType: 'application/json' }),
    ])
    expect((await client.listResources()).resources.map((resource) => resource.uri)).toContain(uri)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['stored-result', 'operation'])
    const { contents } = await client.readResource({ uri })
    expect(contents).toEqual([{ uri, mimeType: 'application/json', text: sentFor(ledger) }])
    await expect(client.readResource({ uri: `${uri}0` })).rejects.toThrow('no resource has this uri')
    await expect(client.listResources({ cursor: 'x' })).rejects.toThrow('nextCursor')
  })

  test('an older client gets no kind of block that it does not know', async () => {
    ledger = JSON.stringify(rows(400))
    using router = startRouter(built.bin, stub.env)
    await router.request('initialize', { protocolVersion: '2024-11-05' })
    const { result } = await router.callTool('hubu_list_ledger')
    expect(result?.content?.map(({ type }) => type)).toEqual(['text'])
  })

  test('64 MiB come back with their hash, with the process restarted half way', { timeout: 240_000 }, async () => {
    ledger = JSON.stringify({ rows: Array.from({ length: 340_000 }, (_, n) => ({ n, text: 'x'.repeat(60) })) })
    const wanted = sentFor(ledger)
    expect(wanted.length).toBeGreaterThan(64 * 1024 * 1024)
    const hash = createHash('sha256')
    let callId = ''
    let cursor = 0
    const readUntil = async (end: number) => {
      await using session = await connect()
      if (callId === '') {
        const answer = await session.client.callTool({ name: 'hubu_list_ledger' })
        callId = (answer.structuredContent as unknown as ResultReceipt).callId
      }
      for (;;) {
        const answer = await session.client.callTool({ name: 'get_result', arguments: { callId, cursor } })
        const page = answer.structuredContent as unknown as OkPage
        hash.update(Buffer.from(page.data, 'base64'))
        cursor = page.nextCursor
        if (page.done || cursor >= end) return page
      }
    }
    expect((await readUntil(wanted.length / 2)).done).toBe(false)
    const last = await readUntil(Number.POSITIVE_INFINITY)
    const digest = hash.digest('hex')
    expect(cursor).toBe(wanted.length)
    expect(digest).toBe(createHash('sha256').update(wanted).digest('hex'))
    expect(last.sha256).toBe(digest)
  })
})
