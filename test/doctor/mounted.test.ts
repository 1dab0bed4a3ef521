import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkMounted } from '../../src/doctor/mounted.ts'
import { tempFolder } from '../support/temp-folder.ts'

const memory = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')),
  'dist/index.js',
)

test('mounted servers are started as a router would: who is missing, pins that mean nothing, tokens that are over', async () => {
  using folder = tempFolder()
  writeFileSync(folder.file('plain.mjs'), 'process.exit(3)')
  const exp = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url')
  const findings = await checkMounted(
    {
      version: 1,
      pin: ['memory__read_graph', 'memory__raed_graph'],
      servers: {
        memory: {
          command: process.execPath,
          args: [memory],
          enabled: true,
          env: { MEMORY_FILE_PATH: folder.file('m') },
        },
        dead: { command: process.execPath, args: [folder.file('plain.mjs')], enabled: true },
        off: { command: '/nowhere', enabled: false, headers: { authorization: 'Bearer ${OLD}' } },
      },
    },
    { PATH: process.env.PATH, OLD: `eyJh.${exp}.c2ln` },
    Date.now(),
  )
  expect(findings.map(({ check, status }) => [check, status])).toEqual([
    ['server dead', 'failure'],
    ['server memory', 'ok'],
    ['pins', 'warning'],
    ['server off', 'failure'],
  ])
  expect(findings[2]!.message).toContain('did you mean memory__read_graph?')
  expect(findings[3]!.message).toBe('the token in authorization expired at 1970-01-01T00:00:01.000Z')
})

test('what clients would not take of a list is named with its reason', async () => {
  const odd = { type: 'object' }
  const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name, description: name, inputSchema: odd, icons: null }))
  const env = { DOWNSTREAM_TEST: JSON.stringify({ tools: [...tools, { name: 'e' }] }) }
  const args = ['test/downstream/fixtures/server.mjs']
  const [finding] = await checkMounted(
    { version: 1, servers: { s: { command: process.execPath, args, env, enabled: true } } },
    { PATH: process.env.PATH },
    0,
  )
  expect(finding?.message).toBe(
    'is mounted with 5 tools; the tool a of s is shown without icons, which no client would take as listed; ' +
      'the tool b of s is shown without icons, which no client would take as listed; ' +
      'the tool c of s is shown without icons, which no client would take as listed; and 2 more, which `servers` names',
  )
})

test('nothing is started where nothing is mounted', async () => {
  expect(await checkMounted(undefined, {}, 0)).toEqual([])
  expect(await checkMounted({ version: 1, servers: { off: { command: '/nowhere' } } }, {}, 0)).toEqual([])
})
