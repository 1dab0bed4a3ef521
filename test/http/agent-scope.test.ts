// A token that may see one agent's scope is let in only where that scope is served.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBin } from '../support/built-bin.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startHttpRouter } from './lab.ts'

let built: Awaited<ReturnType<typeof buildBin>>
beforeAll(async () => {
  built = await buildBin()
})
afterAll(() => built[Symbol.dispose]())

test.each([
  [['--agent', 'writer'], 200],
  [['--agent', 'reader'], 403],
  [[], 403],
])('of a process that is started with %j, the token of writer gets %i', async (args, status) => {
  using folder = tempFolder()
  const tokens = folder.file('tokens.json')
  const agent = { type: 'codex', path: folder.file('codex.toml') }
  const config = { agents: { writer: agent, reader: agent }, auth: { tokens } }
  const file = folder.file('for-the-token.yaml')
  writeFileSync(file, JSON.stringify({ version: 1, ...config }))
  const env = { PATH: process.env.PATH, HOME: folder.path, XDG_DATA_HOME: folder.path }
  const add = ['token', 'add', '--principal', 'ada', '--rights', 'read', '--agent', 'writer', '--file', tokens]
  const token = execFileSync(process.execPath, [built.bin, ...add, '--config', file], { env, encoding: 'utf8' }).trim()
  const router = await startHttpRouter({ bin: built.bin, folder: folder.path, args, config })
  try {
    const answer = await fetch(router.url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    })
    expect(answer.status).toBe(status)
  } finally {
    await router.stop()
  }
})
