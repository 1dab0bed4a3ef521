// What the built bin writes down about calls, and what it never writes down.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOnly } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, textOf, type LazyRouter } from './lazy-router.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** In arguments and in the result that repeats them, in the text of a backend's error, and in those of a mounted server. */
const canary = {
  arguments: 'Za1R-arguments',
  backendError: 'Zb2E-backend',
  error: 'no such thing',
  toolError: 'broken',
}

/** The recorded calls, oldest first. */
const rowsIn = (file: string) =>
  readOnly(file, (database) => database.prepare('select * from tool_call order by id').all()) as Record<
    string,
    unknown
  >[]

async function end(router: LazyRouter): Promise<void> {
  expect(await router.end()).toEqual([0, null])
}

test('every forwarded call has one row with sizes and a class of error, and no text of it', async () => {
  await using stub = await stubRouter({
    hubu: ({ path }) => (path === '/ledger' ? { status: 400, json: { error: canary.backendError } } : undefined),
  })
  using folder = tempFolder()
  const agents = { tiny: { type: 'claude', path: '/x' } }
  const names = ['echo', 'fail', 'violate', 'rows', 'die']
  const s = mounted({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) })
  using router = await lazyRouter(built.bin, stub, { servers: { s }, agents }, { given: folder, agent: 'tiny' })
  const given = { note: canary.arguments }
  const answers = [
    await router.callTool('s__echo', given),
    await router.callTool('call_tool', { tool: 's__echo', arguments: given }),
    await router.callTool('s__fail'),
    await router.callTool('s__violate'),
    await router.callTool('hubu_list_ledger'),
  ].map((answer) => JSON.stringify(answer))
  // The agent itself is told all of it.
  const told = [canary.arguments, canary.arguments, canary.error, canary.toolError, canary.backendError]
  expect(told.filter((text, n) => !answers[n]?.includes(text))).toEqual([])
  // What is never forwarded.
  for (const [name, args] of [
    ['search_tools', { query: canary.arguments }],
    ['s__nothing', given],
    ['ghost__x', given],
    ['get_result', { callId: canary.arguments }],
    ['hubu_unified_capabilities', {}],
  ] as const)
    await router.callTool(name, args)
  const { callId } = await router.data('call_tool', { tool: 's__echo', detach: true })
  while (textOf(await router.callTool('poll_result', { callId })).includes('"pending"')) continue
  await router.callTool('s__rows')
  await router.callTool('s__die')
  await end(router)
  const rows = rowsIn(folder.file('results'))
  expect(rows.map((row) => [row.public_name, row.via, row.is_ok, row.error_class, row.agent])).toEqual([
    ['s__echo', 'mount', 1, null, 'tiny'],
    ['s__echo', 'call_tool', 1, null, 'tiny'],
    ['s__fail', 'mount', 0, 'json_rpc -32000', 'tiny'],
    ['s__violate', 'mount', 0, 'tool_error', 'tiny'],
    ['hubu_list_ledger', 'contract', 0, 'hubu_application_error', 'tiny'],
    ['s__echo', 'detach', 1, null, 'tiny'],
    ['s__rows', 'mount', 1, null, 'tiny'],
    ['s__die', 'mount', 0, 'outcome_unknown connection_lost', 'tiny'],
  ])
  expect(rows[0]).toMatchObject({ server: 's', tool: 'echo', argument_bytes: JSON.stringify(given).length })
  expect(rows[0]?.received_bytes).toBe(rows[0]?.sent_bytes)
  const [received, sent] = [Number(rows[6]?.received_bytes), Number(rows[6]?.sent_bytes)]
  expect([received > 60_000, sent > 100 && sent < 40_000]).toEqual([true, true])
  const files = readdirSync(folder.path).filter((name) => name.startsWith('results'))
  const bytes = Buffer.concat(files.map((name) => readFileSync(folder.file(name))))
  expect(Object.values(canary).filter((text) => bytes.includes(text))).toEqual([])
})

test('a call that its client cancels is recorded as of unknown outcome', async () => {
  await using stub = await stubRouter()
  using folder = tempFolder()
  using log = tempFolder()
  using router = await lazyRouter(
    built.bin,
    stub,
    { servers: { s: mounted({ log: log.file('log') }) } },
    { given: folder },
  )
  await router.callTool('s__echo')
  router.sendLine('{"jsonrpc":"2.0","id":"hanging","method":"tools/call","params":{"name":"s__hang"}}')
  await router.callTool('s__echo')
  router.sendLine('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"hanging"}}')
  await router.callTool('s__echo')
  await end(router)
  expect(rowsIn(folder.file('results')).map((row) => [row.tool, row.error_class])).toEqual([
    ['echo', null],
    ['echo', null],
    ['hang', 'outcome_unknown cancelled'],
    ['echo', null],
  ])
})
