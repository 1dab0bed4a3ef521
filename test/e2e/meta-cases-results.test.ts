// On the built bin: receipts whichever way a call came in, and what is recorded of it.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OkPage, ResultReceipt } from '#generated/types/router.js'
import { openDatabase, readOnly } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { lazyRouter, mounted, namesOf, type LazyRouter } from './lazy-router.ts'
import { receiptOf } from './oversized.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

/** A router without backends, whose server `s` has these tools; `does` says what they do. */
function start(folder: ReturnType<typeof tempFolder>, does: Record<string, string>, config: object = {}) {
  const tools = Object.keys(does).map((name) => ({ name, inputSchema: { type: 'object' } }))
  const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path }
  return lazyRouter(built.bin, { env }, { servers: { s: mounted({ tools, does }) }, ...config }, { given: folder })
}

/** What `bulk` answers when it is asked for so many bytes, as it is stored. */
const whole = (bytes: number) => `{"content":[{"type":"text","text":"${'x'.repeat(bytes)}"}]}`

/** The answer of a detached call, when it is there. */
async function finished(router: LazyRouter, callId: unknown) {
  const poll = () => router.callTool('poll_result', { callId })
  let answer = await poll()
  while ((answer.result?.structuredContent as { status: string }).status === 'pending') answer = await poll()
  return answer
}

async function pages(router: LazyRouter, callId: string): Promise<string> {
  const data: Buffer[] = []
  let page: OkPage | undefined
  while (page?.done !== true) {
    page = (await router.data('get_result', { callId, cursor: page?.nextCursor ?? 0 })) as unknown as OkPage
    data.push(Buffer.from(page.data, 'base64'))
  }
  return Buffer.concat(data).toString('utf8')
}

test('an oversized result becomes a receipt and one row with its full size, whichever way the call came in', async () => {
  using folder = tempFolder()
  const config = { response_budget: '512B', pin: ['s__pinned'] }
  using router = await start(folder, { hidden: 'bulk', pinned: 'bulk' }, config)
  const args = { bytes: 4000 }
  const wrapped = { tool: 's__hidden', arguments: args }
  const answers = [
    await router.callTool('s__hidden', args),
    await router.callTool('s__pinned', args),
    await router.callTool('call_tool', wrapped),
    await finished(router, (await router.data('call_tool', { ...wrapped, detach: true })).callId),
  ]
  expect((await namesOf(router)).slice(8)).toEqual(['s__pinned'])
  for (const answer of answers)
    expect(receiptOf(answer)).toMatchObject({ status: 'stored', originalBytes: whole(4000).length, budgetBytes: 512 })
  await router.end()
  const rows = readOnly(folder.file('results'), (database) =>
    database.prepare('select public_name, via, received_bytes from tool_call order by id').raw().all(),
  )
  expect(rows).toEqual(
    [
      ['s__hidden', 'mount'],
      ['s__pinned', 'mount'],
      ['s__hidden', 'call_tool'],
      ['s__hidden', 'detach'],
    ].map((row) => [...row, whole(4000).length]),
  )
})

// The outcome of a detached call outlives the process.
test('an oversized detached result is a receipt whose pages give it back, before and after a restart', async () => {
  using folder = tempFolder()
  const start9 = () => start(folder, { t: 'bulk' }, { response_budget: '900B' })
  const first = await start9()
  const asked = { tool: 's__t', arguments: { bytes: 4000 }, detach: true }
  const { callId } = await first.data('call_tool', asked)
  const { result } = await finished(first, callId)
  const receipt = result?.structuredContent as ResultReceipt
  expect(receipt.status).toBe('stored')
  expect(await pages(first, receipt.callId)).toBe(whole(4000))
  await first.end()
  using second = await start9()
  expect((await finished(second, callId)).result).toEqual(result)
  expect(await pages(second, receipt.callId)).toBe(whole(4000))
})

test('one call is counted, in every window that holds it, and a record that cannot be written costs no result', async () => {
  using folder = tempFolder()
  using router = await start(folder, { t: 'log' })
  // 16 bytes of arguments and 14 of result.
  const call = () => router.callTool('s__t', { note: 'abcde' })
  expect((await call()).result).toEqual({ content: [] })
  const usage = await router.data('stats')
  expect(usage).toMatchObject({ totals: { calls: 1, est_tokens: 7, errors: 0 }, servers: [{ server: 's', calls: 1 }] })

  const stats = (window: string) =>
    new Promise<unknown>((resolve) => {
      const args = [built.bin, 'stats', `--since=${window}`, '--json']
      execFile(process.execPath, args, { env: { HUBU_UNIFIED_RESULTS_PATH: folder.file('results') } }, (error, out) =>
        resolve(error === null ? (JSON.parse(out) as { totals: { calls: number } }).totals.calls : error.code),
      )
    })
  const windows = ['24h', '90m', '7d', ' 2h ', '', 'bogus', '-5h', '3w']
  expect(await Promise.all(windows.map(stats))).toEqual([1, 1, 1, 1, 1, 2, 2, 2])

  const holder = openDatabase(folder.file('results'))
  holder.exec('begin exclusive')
  expect((await call()).result).toEqual({ content: [] })
  // Asking for usage tries to write what waits.
  await router.data('stats')
  expect((await call()).result).toEqual({ content: [] })
  holder.exec('rollback')
  holder.close()
  expect(await router.data('stats')).toMatchObject({ totals: { calls: 3 } })
  // As weaker models write it.
  const forgetful = { tool: 's__t', server: null, detach: null, arguments: '{"note":"abcde"}' }
  expect((await router.callTool('call_tool', forgetful)).result).toEqual({ content: [] })
  expect(await router.data('stats')).toMatchObject({ totals: { calls: 4, text_arguments: 1 } })
})
