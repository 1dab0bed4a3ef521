// Who may only read buys nothing, whatever name leads to a spend.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { healthyGongbu, healthyHubu } from '../support/healthy-backends.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { backendsIn, startHttpRouter } from './lab.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

const spend = { account_id: 'account-1', amount_cents: 25, reason: 'a picture' }

test('a token that may read reaches no spend, by no name and through no other tool', async () => {
  await using hubu = await healthyHubu()
  await using gongbu = await healthyGongbu()
  using folder = tempFolder()
  const tokens = folder.file('tokens.json')
  const config = { expose: 'lazy', auth: { tokens } }
  const file = folder.file('for-the-token.yaml')
  writeFileSync(file, JSON.stringify({ version: 1, ...config }))
  const env = { PATH: process.env.PATH, HOME: folder.path, XDG_DATA_HOME: folder.path }
  const token = (rights: string) =>
    execFileSync(
      process.execPath,
      [built.bin, 'token', 'add', '--principal', 'ada', '--rights', rights, '--file', tokens, '--config', file],
      { env, encoding: 'utf8' },
    ).trim()
  const [reads, buys] = [token('read'), token('read,spend')]
  const router = await startHttpRouter({
    bin: built.bin,
    folder: folder.path,
    config,
    env: backendsIn(folder.path, { hubu, gongbu }),
  })
  const call = async (bearer: string, name: string, args: object, callId: string) => {
    const response = await fetch(router.url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${bearer}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args, _meta: { callId } },
      }),
    })
    return { status: response.status, text: await response.text() }
  }
  const spends = () => hubu.exchanges.filter(({ request }) => request.path === '/spend/authorize').length
  try {
    const names = [
      ['hubu', 'hubu__hubu_authorize_spend'],
      ['hubu', 'hubu__authorize_spend'],
      ['hubu', 'authorize_spend'],
      ['hubu', 'hubu_authorize_spend'],
      ['', 'hubu__authorize_spend'],
      ['', 'hubu_authorize_spend'],
    ]
    for (const [at, [server, tool]] of names.entries()) {
      const named = { ...(server !== '' && { server }), tool, arguments: spend }
      await call(reads, 'call_tool', named, `call-${at}`)
      await call(reads, tool!, spend, `direct-${at}`)
    }
    expect(spends()).toBe(0)
    const bought = await call(
      buys,
      'call_tool',
      { server: 'hubu', tool: 'authorize_spend', arguments: spend },
      'bought',
    )
    expect([bought.status, spends()], bought.text).toEqual([200, 1])
  } finally {
    await router.stop()
  }
})
