import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainClients } from '../../src/client-configs/clients/plain-clients.ts'
import { clients, findClient } from '../../src/client-configs/clients/client-list.ts'
import { editText } from '../../src/documents/edit-text.ts'
import { approvalLists } from '../../src/client-configs/entry/approval-lists.ts'
import { type Environment } from '../../src/client-configs/environment.ts'
import { applySplices, invert, toSplices } from '../../src/documents/splice.ts'
import { planInit } from '../../src/client-configs/init/plan.ts'
import { type InitPlan } from '../../src/client-configs/init/request.ts'
import { expectGolden, folders } from '../golden/recording.ts'
import { bundlePath, contractSurface, nodePath } from './workbench.ts'

const root = path.join(folders.golden, 'client-configs')

/** A machine of which only the file given exists. Nothing is written on it. */
const environment: Environment = {
  home: '/home/ada',
  cwd: '/home/ada/work',
  env: {},
  platform: 'linux',
  dataFolder: '/home/ada/.local/share/hubu-unified-mcp',
}

function plan(name: string, file: string): InitPlan {
  return planInit({
    client: findClient(name),
    scope: 'user',
    file,
    program: { nodePath, bundlePath, packageName: 'hubu-unified-mcp', version: '1.2.3', temporaryFolder: '/tmp' },
    connection: {
      kind: 'backends',
      hubu: { endpoint: 'http://127.0.0.1:8787', tokenFile: '/home/ada/.hubu/hubu.auth-token' },
      gongbu: { endpoint: 'http://127.0.0.1:8788', tokenFile: '/home/ada/.hubu/gongbu.mcp-token' },
      reconciliationTokenFile: '/home/ada/.hubu/hubu.reconciliation-token',
    },
    lists: approvalLists(contractSurface),
    trust: false,
    trustsThatItAsks: false,
    force: false,
    viaNpx: false,
    guardedIdentity: false,
    experimentalPins: false,
    tokens: [],
    notes: [],
    environment,
    journals: { read: () => undefined, write: () => {}, remove: () => {}, all: () => [], recordOf: () => undefined },
  })
}

/** Clients that are one line of a table share the shapes of those that have files here. */
const own = clients.filter((client) => !plainClients.includes(client))

function cases(): { client: string; name: string; before: string }[] {
  return own.flatMap(({ name: client }) =>
    readdirSync(path.join(root, client)).flatMap((name) => {
      const before = readdirSync(path.join(root, client, name)).find((file) => file.startsWith('before.'))
      return before === undefined ? [] : [{ client, name, before }]
    }),
  )
}

describe('a file of another program and what init makes of it (fixtures after the public documentation)', () => {
  it.each(cases())('$client, $name', ({ client, name, before }) => {
    const file = path.join(root, client, name, before)
    const planned = plan(client, file)
    const entry = planned.files.at(-1)!
    expectGolden(`client-configs/${client}/${name}/${before.replace('before', 'after')}`, entry.after)
    expect(applySplices(entry.after, toSplices(invert(entry.changes)))).toBe(readFileSync(file, 'utf8'))
    const wish = entry.wish.kind === 'edits' ? entry.wish : undefined
    expect(editText(wish!.format, entry.after, wish!.edits).changes).toEqual([])
  })
})

describe('a new file of every client', () => {
  it.each(own.map(({ name }) => name))('%s', (client) => {
    const extension = path.extname(findClient(client).files(environment, 'user')[0]!)
    const missing = path.join(root, client, 'new', 'no-such-file' + extension)
    expect(existsSync(missing)).toBe(false)
    const planned = plan(client, missing)
    expectGolden(`client-configs/${client}/new/after${extension}`, planned.files.at(-1)!.after)
    for (const rules of planned.files.slice(0, -1)) {
      expectGolden(`client-configs/${client}/new/rules.after${path.extname(rules.file.path)}`, rules.after)
    }
  })
})
