import { existsSync, readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attach } from '../../src/sandbox/attach.ts'
import { readConnectionFile, writeConnectionFile } from '../../src/sandbox/connection-file.ts'
import { openSandbox, type OpenSandbox, type SandboxOptions } from '../../src/sandbox/open.ts'
import { openSeat } from '../../src/sandbox/seat.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { tempFolder } from '../support/temp-folder.ts'

const stamp = { productVersion: '9.9.9', sourceCommit: 'a'.repeat(40) }
const open = (folder: string, options: Partial<SandboxOptions> = {}) =>
  openSandbox({ folder, stamp, isSeeded: true, ...options })

/** The agents that Hubu knows, asked where it is now. */
async function agentsOf({ hubu }: OpenSandbox): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${await hubu.port()}/agents`, {
    headers: { authorization: `Bearer ${hubu.token}` },
  })
  expect(response.status).toBe(200)
  return response.text()
}

test('the first serves, the next join it, and each reaches the same Hubu with the same token', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const parts = await Promise.all([open(data), open(data), open(data)])
  expect(parts.map(({ role }) => role.kind).sort()).toEqual(['joined', 'joined', 'serves'])
  const [first, ...others] = await Promise.all(parts.map(agentsOf))
  expect(others).toEqual([first, first])
  expect(first).toContain('sandbox-agent')
  expect(existsSync(folder.file('sandbox-2'))).toBe(false)
  await Promise.all(parts.map((part) => part.close()))
})

test('when the one that serves ends, another serves the same files under the same tokens', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const first = await open(data)
  const second = await open(data)
  const before = await agentsOf(second)
  await first.close()
  expect(await agentsOf(second)).toBe(before)
  const third = await open(data)
  expect(third.role).toEqual({ kind: 'joined', productVersion: '9.9.9' })
  expect(third.hubu.token).toBe(first.hubu.token)
  expect(await agentsOf(third)).toBe(before)
  await second.close()
  await third.close()
})

test('who cannot serve what is in the folder lets another process have its turn', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  await (await open(data)).close()
  const database = openDatabase(`${data}/hubu.sqlite3`)
  database.pragma('user_version = 999')
  database.close()
  await expect(open(data)).rejects.toThrow('newer release')
  const seat = openSeat(data)
  expect(seat.take()).toBe(true)
  seat.close()
})

test('a command finds nothing, a sandbox that rests, or one that runs, and makes nothing', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  expect(attach(data)).toEqual({ kind: 'never' })
  expect(readdirSync(folder.path)).toEqual([])
  const sandbox = await open(data)
  const attached = attach(data)
  expect(attached).toMatchObject({ kind: 'running', connection: { adminToken: sandbox.adminToken } })
  expect(statSync(`${data}/connection.json`).mode & 0o777).toBe(0o600)
  await sandbox.close()
  expect(attach(data)).toEqual({ kind: 'idle' })
  expect(readConnectionFile(data)?.serving).toBe(null)
})

test('what a killed process has left is no sandbox that runs', async () => {
  using folder = tempFolder()
  const data = folder.file('sandbox')
  const sandbox = await open(data)
  const { tokens, serving } = readConnectionFile(data)!
  await sandbox.close()
  writeConnectionFile(data, { tokens, serving })
  expect(attach(data)).toEqual({ kind: 'idle' })
  const next = await open(data)
  expect(next.role.kind).toBe('serves')
  expect(next.hubu.token).toBe(tokens.hubu)
  await next.close()
})
