import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandChannel, desktopChannel, parseCommand } from '../../src/approvals/channels.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { tempFolder } from '../support/temp-folder.ts'

const notice = {
  ...{ type: 'approval.waiting', id: '0'.repeat(26), approvalId: 'apr-1', text: '2.50 USD waits <b>&' },
  body: { type: 'approval.waiting' },
}

function options(env: Record<string, string> = {}) {
  const clock = new FakeClock({ sleepMs: (ms) => ms })
  return { env: { PATH: process.env.PATH ?? '', ...env }, clock, signal: new AbortController().signal }
}

test('a command gets the ids in its environment and the event on stdin, without a shell', async () => {
  using folder = tempFolder()
  const out = folder.file('out')
  const script = `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () =>
    require('fs').writeFileSync(process.argv[1], JSON.stringify({ env: process.env, text, args: process.argv.slice(2) })))`
  const command = [process.execPath, '-e', script, out, '$HOME; x']
  expect(await commandChannel(command, options({ LANG: 'C' }))(notice)).toBe(true)
  const got = JSON.parse(readFileSync(out, 'utf8')) as { env: Record<string, string>; text: string; args: string[] }
  expect(got.text).toBe('{"type":"approval.waiting"}\n')
  expect(got.args).toEqual(['$HOME; x'])
  expect(got.env).toMatchObject({ HUBU_APPROVAL_ID: 'apr-1', HUBU_NOTICE_TYPE: 'approval.waiting', LANG: 'C' })
  expect(got.env).not.toHaveProperty('HOME')
})

test('a command that fails is run twice more, then given up', async () => {
  using folder = tempFolder()
  const count = folder.file('count')
  const script = `require('fs').appendFileSync(process.argv[1], 'x'); process.exit(1)`
  const given = options()
  expect(await commandChannel([process.execPath, '-e', script, count], given)(notice)).toBe(false)
  expect(readFileSync(count, 'utf8')).toBe('xxx')
  expect(given.clock.slept).toEqual([5000, 30_000])
  expect(await commandChannel([folder.file('none')], options())(notice)).toBe(false)
})

test('the desktop is told by the program that is there, its markup escaped', async () => {
  using folder = tempFolder()
  const out = folder.file('out')
  writeFileSync(folder.file('notify-send'), `#!/bin/sh\nprintf '%s|' "$@" > '${out}'\n`)
  chmodSync(folder.file('notify-send'), 0o755)
  const tell = desktopChannel('linux', options({ PATH: `${folder.path}:/usr/bin:/bin` }))
  expect(await tell?.(notice)).toBe(true)
  expect(readFileSync(out, 'utf8')).toBe('-a|hubu-unified-mcp|--|hubu-unified-mcp|2.50 USD waits &lt;b&gt;&amp;|')
  expect(existsSync(out)).toBe(true)
  expect(desktopChannel('linux', options({ PATH: folder.file('empty') }))).toBeUndefined()
})

test('a command is a path, or a JSON list', () => {
  expect(parseCommand('/bin/my page')).toEqual(['/bin/my page'])
  expect(parseCommand('["/bin/page", "-v"]')).toEqual(['/bin/page', '-v'])
  for (const wrong of ['', ' ', '[', '[]', '[1]', '["a", ""]']) expect(parseCommand(wrong)).toBeUndefined()
})
