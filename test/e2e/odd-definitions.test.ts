// One odd definition costs nobody else: both generations of the official client take every list of the router.
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oddTools } from '../downstream/admission/odd-tools.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { mounted } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const inputSchema = { type: 'object' }
const odd = oddTools.map(({ tool }, n) => ({ name: `odd${n}`, inputSchema, ...tool }))
const tools = [
  ...odd,
  { name: 'good', inputSchema, outputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
]

test.concurrent.each(['former', 'present'])(
  'the %s generation lists everything beside odd definitions',
  async (generation) => {
    await using stub = await stubRouter()
    using folder = tempFolder()
    const s = mounted({
      tools,
      does: Object.fromEntries(tools.flatMap((tool) => ('outputSchema' in tool ? [[tool.name, 'stray']] : []))),
      offers: true,
      resources: [{ uri: 'a:1', name: 'one' }, { uri: 'a:2', mimeType: null }, { uri: 'a:3' }],
      prompts: [{ name: 'p', arguments: null }, { name: 'q' }],
    })
    writeFileSync(folder.file('config.yaml'), JSON.stringify({ expose: 'all', servers: { s } }))
    const args = [built.bin, '--config', folder.file('config.yaml')]
    const start = { command: process.execPath, args, env: stub.env }
    const info = { name: 't', version: '1' }
    const client = generation === 'former' ? new ClientV1(info) : new ClientV2(info)
    await (client as ClientV1).connect(
      (generation === 'former' ? new TransportV1(start) : new TransportV2(start)) as TransportV1,
    )
    await client.callTool({ name: 'call_tool', arguments: { tool: 's__good' } })
    const listed = (await client.listTools()).tools.map(({ name }) => name)
    const shown = oddTools.flatMap(({ leftOut }, n) => (leftOut === undefined ? [] : [`s__odd${n}`]))
    expect(listed.filter((name) => name.startsWith('s__')).sort()).toEqual([...shown, 's__good'].sort())
    expect(listed).toContain('hubu_unified_capabilities')
    expect((await client.listResources()).resources.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['one', 'a:2', 'a:3']),
    )
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['s__p', 's__q'])
    for (const name of shown) expect(await client.callTool({ name }), name).not.toHaveProperty('isError', true)
    await client.close()
  },
)
