// What becomes of oversized results when their store does not work, and when several routers share it.
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OkPage, ResultReceipt } from '#generated/types/router.js'
import { openDatabase } from '../../src/storage/database.ts'
import { buildBin } from '../support/built-bin.ts'
import { stubRouter, type StubRouter } from '../support/stub-router.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startRouter, type RouterProcess } from './router-process.ts'

let built: Awaited<ReturnType<typeof buildBin>>
let stub: StubRouter
beforeAll(async () => {
  built = await buildBin()
  stub = await stubRouter({
    hubu: ({ path: asked }) => (asked === '/ledger' ? { status: 200, json: { rows: 'x'.repeat(200_000) } } : undefined),
  })
})
afterAll(async () => {
  await stub[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

const start = (file: string, more: Record<string, string> = {}) =>
  startRouter(built.bin, { ...stub.env, HUBU_UNIFIED_RESULTS_PATH: file, ...more })

/** Whether a call of the oversized tool brought a receipt; otherwise the whole result came. */
async function isStored(router: RouterProcess): Promise<boolean> {
  const { result } = await router.callTool('hubu_list_ledger')
  const data = result?.structuredContent as { status?: string; rows?: string }
  expect(data.status === 'stored' || data.rows?.length === 200_000).toBe(true)
  return data.status === 'stored'
}

const warnings = (router: RouterProcess) =>
  router.stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { level: string; message: string }).message)

describe('a store that does not work', () => {
  test.each([
    ['is corrupt', (file: string) => writeFileSync(file, 'no database at all '.repeat(500)), 'damaged'],
    ['is a folder', (file: string) => mkdirSync(file), 'something else'],
    ['is the registry', (_file: string) => {}, 'something else'],
    [
      'lies where no folder can be made',
      (file: string) => {
        writeFileSync(file, '')
        return path.join(file, 'sub', 'results.sqlite3')
      },
      'cannot be opened',
    ],
  ])('that %s lets every result out whole, with one warning', async (name, prepare, words) => {
    using folder = tempFolder()
    const made = folder.file('results.sqlite3')
    const file = name === 'is the registry' ? stub.registry : (prepare(made) ?? made)
    using router = start(file, { HUBU_UNIFIED_LOG: 'warn' })
    expect([await isStored(router), await isStored(router)]).toEqual([false, false])
    const answer = await router.callTool('get_result', { callId: '0'.repeat(32) })
    // Where nothing can be, nothing is: that is no failure of reading.
    expect(answer.result?.isError).toBe(name.startsWith('lies') ? undefined : true)
    expect(await router.end()).toEqual([0, null])
    expect(warnings(router)).toEqual([expect.stringContaining(words)])
    expect(router.stderr).not.toContain(folder.path)
  })

  test('that another process holds is waited for less than a second, and works again once it is free', async () => {
    using folder = tempFolder()
    const file = folder.file('results.sqlite3')
    using router = start(file, { HUBU_UNIFIED_LOG: 'warn' })
    expect(await isStored(router)).toBe(true)
    const holder = openDatabase(file)
    holder.exec('begin exclusive')
    const calls = Promise.all(Array.from({ length: 5 }, () => isStored(router)))
    // Everything else is answered meanwhile.
    expect((await router.request('ping')).result).toEqual({})
    expect(await calls).toEqual(Array(5).fill(false))
    holder.exec('rollback')
    holder.close()
    expect(await isStored(router)).toBe(true)
    await router.end()
    expect(warnings(router)).toEqual([expect.stringContaining('held by another process')])
  })

  test('says nothing when nobody asked for a log', async () => {
    using folder = tempFolder()
    mkdirSync(folder.file('results.sqlite3'))
    using router = start(folder.file('results.sqlite3'))
    expect(await isStored(router)).toBe(false)
    expect(await router.end()).toEqual([0, null])
    expect(router.stderr).toBe('')
  })

  test('that is full lets the new result out whole and keeps the old ones', async () => {
    using folder = tempFolder()
    const file = folder.file('results.sqlite3')
    using router = start(file, { HUBU_UNIFIED_LOG: 'warn', HUBU_UNIFIED_RESULTS_LIMIT: '1MB' })
    const { result } = await router.callTool('hubu_list_ledger')
    const { callId } = result?.structuredContent as ResultReceipt
    const stored: boolean[] = []
    for (let call = 0; call < 4; call++) stored.push(await isStored(router))
    expect(stored.slice(-2)).toEqual([false, false])
    const page = await router.callTool('get_result', { callId })
    expect((page.result?.structuredContent as OkPage).status).toBe('ok')
    await router.end()
    expect(statSync(file).size).toBeLessThanOrEqual(1024 * 1024)
    expect(warnings(router)).toEqual([expect.stringContaining('HUBU_UNIFIED_RESULTS_LIMIT')])
  })
})

test('four routers store into one new file at once, and each reads what the others stored', async () => {
  using folder = tempFolder()
  const file = folder.file('new/results.sqlite3')
  const routers = Array.from({ length: 4 }, () => start(file, { HUBU_UNIFIED_LOG: 'warn' }))
  try {
    const ids = await Promise.all(
      routers.flatMap((router) =>
        Array.from({ length: 4 }, async () => {
          const { result } = await router.callTool('hubu_list_ledger')
          return (result?.structuredContent as ResultReceipt).callId
        }),
      ),
    )
    expect(new Set(ids).size).toBe(16)
    for (const [n, callId] of ids.entries()) {
      const { result } = await routers[(n + 1) % 4]!.callTool('get_result', { callId, cursor: 200_000 })
      expect((result?.structuredContent as OkPage).status).toBe('ok')
    }
    await Promise.all(routers.map((router) => router.end()))
    expect(routers.map((router) => router.stderr)).toEqual(['', '', '', ''])
  } finally {
    for (const router of routers) router[Symbol.dispose]()
  }
})

test('neither stored results nor YAML are touched before they are needed, and without them nothing is lost', async () => {
  using folder = tempFolder()
  const home = path.dirname(built.bin)
  const late = readdirSync(home).filter((name) => /^(results|config-file)\.cjs$/.test(name))
  expect(late).toEqual(['config-file.cjs', 'results.cjs'])
  for (const name of late) renameSync(path.join(home, name), path.join(home, `${name}.away`))
  try {
    using router = start(folder.file('results.sqlite3'), { HUBU_UNIFIED_LOG: 'warn' })
    expect((await router.request('initialize')).result).toHaveProperty('capabilities')
    expect((await router.request('tools/list')).result?.tools?.at(-1)?.name).toBe('get_result')
    expect((await router.callTool('hubu_list_agents')).result?.structuredContent).toEqual({})
    expect(await isStored(router)).toBe(false)
    expect(await router.end()).toEqual([0, null])
    expect(warnings(router)).toEqual([expect.stringContaining('cannot be loaded')])
  } finally {
    for (const name of late) renameSync(path.join(home, `${name}.away`), path.join(home, name))
  }
})
