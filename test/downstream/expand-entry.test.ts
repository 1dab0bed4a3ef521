import { mkdirSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { ServerConfig } from '#generated/types/config.js'
import { expandEntry } from '../../src/downstream/expand-entry.ts'
import { tempFolder } from '../support/temp-folder.ts'

const env = { TOKEN: 'secret-token-1', PLACE: 'example.test', EMPTY: '' }
const expand = (settings: ServerConfig, home = '/home/ada') => expandEntry(settings, { env, home })

/** The sentence with which an entry is refused. */
function refusal(settings: ServerConfig, home?: string): string {
  try {
    expand(settings, home)
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

describe('an entry is filled in when its server is started', () => {
  test('in its command, arguments, variables, address and headers', () => {
    expect(expand({ command: 'run-${PLACE}', args: ['--key=${TOKEN}', '-v'], env: { KEY: '${TOKEN}' } })).toMatchObject(
      {
        command: 'run-example.test',
        args: ['--key=secret-token-1', '-v'],
        env: { KEY: 'secret-token-1' },
      },
    )
    const remote = expand({ url: 'https://${PLACE}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } })
    expect([remote.url?.href, remote.headers]).toEqual([
      'https://example.test/mcp',
      { Authorization: 'Bearer secret-token-1' },
    ])
  })

  test('with the text behind :- where a variable is not set or empty', () => {
    const args = ['${ABSENT:-a b}', '${EMPTY:-c}', '${PLACE:-d}', '${ABSENT:-}', '${EMPTY}']
    expect(expand({ command: 'x', args }).args).toEqual(['a b', 'c', 'example.test', '', ''])
  })

  test('and a doubled dollar sign keeps what follows as it stands', () => {
    expect(expand({ command: 'sh', args: ['-c', 'echo $${TOKEN} $1 $TOKEN $(date)'] }).args[1]).toBe(
      'echo ${TOKEN} $1 $TOKEN $(date)',
    )
  })

  test('what was looked up is a secret from then on', () => {
    const { secrets } = expand({ url: 'https://h/${TOKEN}', headers: { a: '${PLACE:-x}', b: 'short' } })
    expect(secrets.map((secret) => secret.reveal())).toEqual(expect.arrayContaining(['secret-token-1', 'example.test']))
    expect(secrets.map((secret) => secret.reveal())).not.toContain('short')
  })
})

test.each<[string, ServerConfig, string]>([
  [
    'a missing variable',
    { url: 'https://h', headers: { Authorization: 'Bearer ${ABSENT}' } },
    'headers.Authorization needs the variable ABSENT, which is not set where this program was started',
  ],
  [
    'another gateway’s form',
    { command: 'x', args: ['a', '${env:TOKEN}'] },
    'args[1] has a ${ that begins neither ${NAME} nor ${NAME:-text}; write $${ where a plain one is meant',
  ],
  [
    'a bracket that is not closed',
    { command: 'x', env: { A: '${TOKEN' } },
    'env.A has a ${ that begins neither ${NAME} nor ${NAME:-text}; write $${ where a plain one is meant',
  ],
  ['an address that is none', { url: '${PLACE}/mcp' }, 'url is no http or https address'],
  [
    'a header with a line break',
    { url: 'https://h', headers: { a: 'x\ny' } },
    'headers.a holds characters that no HTTP header can carry',
  ],
  [
    'a file that is not there',
    { command: 'x', env_file: '/nowhere/keys' },
    'env_file names a file that does not exist',
  ],
])('%s is refused with its place and without a value', (_what, settings, sentence) => {
  expect(refusal(settings)).toBe(sentence)
})

describe('values may come from a file', () => {
  test('as NAME=value lines for a child, under what the entry itself sets', () => {
    using folder = tempFolder()
    writeFileSync(folder.file('keys.env'), '# of ada\nKEY=from-the-file\nexport QUOTED="a b"\nBOTH=file\n')
    const { env, secrets } = expand({ command: 'x', env_file: '~/keys.env', env: { BOTH: 'entry' } }, folder.path)
    expect(env).toEqual({ KEY: 'from-the-file', QUOTED: 'a b', BOTH: 'entry' })
    expect(secrets.map((secret) => secret.reveal())).toContain('from-the-file')
  })

  test('as Name: value lines for a remote server, whatever their case', () => {
    using folder = tempFolder()
    writeFileSync(folder.file('headers'), '\nAuthorization: Bearer from-the-file\r\nX-Two:two\n')
    const { headers } = expand({ url: 'https://h', headers_file: folder.file('headers'), headers: { 'x-two': '2' } })
    expect(headers).toEqual({ Authorization: 'Bearer from-the-file', 'x-two': '2' })
  })

  test('and a file that is no plain one, too large or not understood is refused', () => {
    using folder = tempFolder()
    execFileSync('mkfifo', [folder.file('pipe')])
    mkdirSync(folder.file('folder'))
    writeFileSync(folder.file('large'), 'x'.repeat(70_000))
    writeFileSync(folder.file('odd'), 'a: b\nsecret-token-1\n')
    const refusals = ['pipe', 'folder', 'large', 'odd'].map((name) =>
      refusal({ url: 'https://h', headers_file: folder.file(name) }),
    )
    expect(refusals).toEqual([
      'headers_file names no plain file',
      'headers_file names no plain file',
      'headers_file names a file that is larger than 64 KiB',
      'headers_file has no "Name: value" in line 2',
    ])
  })
})
