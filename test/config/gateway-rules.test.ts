import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { readConfigFile } from '../../src/config/config-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The problems of a configuration, written as JSON, which is YAML too; empty when it is accepted. */
function problems(config: object): string[] {
  using folder = tempFolder()
  const file = folder.file('config.yaml')
  writeFileSync(file, JSON.stringify(config))
  try {
    readConfigFile(file)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split(' | ').map((text) => text.replace(/^.*?:\d+:\d+: /, ''))
  }
}

const servers = { atlas: { command: 'atlas-mcp' }, ledger: { url: 'https://ledger.example/mcp' } }
const agent = { type: 'codex', path: '~/.codex/config.toml' }
const agents = (more: object) => ({ servers, agents: { a: { ...agent, ...more } } })

describe('servers', () => {
  test('may go out without prefix, one of them, and no other prefix exists', () => {
    expect(problems({ servers: { a: { command: 'x', prefix: '' }, b: { command: 'x' } } })).toEqual([])
    expect(problems({ servers: { a: { command: 'x', prefix: '' }, b: { command: 'x', prefix: '' } } })).toEqual([
      expect.stringContaining('is for one server only, and a has it'),
    ])
    expect(problems({ servers: { a: { command: 'x', prefix: 'y' } } })).toEqual([
      expect.stringContaining("servers.a.prefix must be the empty text ''"),
    ])
  })

  test.each(['mcphub', 'hubu', 'gongbu', 'router', 'a__b', 'a_', '-a', 'a b', '', 'é', 'x'.repeat(64), '__proto__'])(
    'may not be named %j',
    (name) => expect(problems({ servers: Object.fromEntries([[name, { command: 'x' }]]) })).toHaveLength(1),
  )

  test('six problems are told in one error', () => {
    const found = problems({
      servers: {
        both: { command: 'x', url: 'y' },
        neither: {},
        odd: { url: 'y', transport: 'grpc' },
        head: { command: 'x', headers: { a: 'b' } },
        cwd: { url: 'y', cwd: '/tmp' },
        vault: { url: 'y', vault: 'v' },
      },
    })
    expect(found).toHaveLength(6)
    for (const name of ['both', 'neither', 'odd.transport', 'head.headers', 'cwd.cwd', 'vault.vault'])
      expect(found.filter((text) => text.startsWith(`servers.${name} `))).toHaveLength(1)
  })

  test('hints are few, short and of one line', () => {
    const hints = (use_when: string[]) => problems({ servers: { a: { command: 'x', use_when } } })
    expect(hints(Array(8).fill('x'.repeat(256)))).toEqual([])
    for (const bad of [Array(9).fill('x'), ['x'.repeat(257)], ['é'.repeat(129)], [' '], ['a\nb'], ['a\u0001']])
      expect(hints(bad as string[])).toHaveLength(1)
    const tool = (name: string) => problems({ servers: { a: { command: 'x', tool_use_when: { [name]: ['y'] } } } })
    expect(tool('t')).toEqual([])
    for (const bad of [' t', '', 'x'.repeat(257)]) expect(tool(bad)).toHaveLength(1)
  })

  test('name a file of values by a path that is the same wherever they are started', () => {
    const remote = (headers_file: string) => problems({ servers: { a: { url: 'https://h', headers_file } } })
    for (const fixed of ['/run/keys', '~/keys', 'C:\\keys']) expect(remote(fixed)).toEqual([])
    for (const loose of ['keys', './keys', '~ada/keys'])
      expect(remote(loose)).toEqual(['servers.a.headers_file must be an absolute path, or begin with ~/'])
    expect(problems({ servers: { a: { url: 'https://h', env_file: '/x' } } })).toEqual([
      'servers.a.env_file is only for servers with command',
    ])
  })

  test('pass on variables by their names, and have a time to connect of their own', () => {
    const child = (more: object) => problems({ servers: { a: { command: 'x', ...more } } })
    expect(child({ pass_env: ['GOOGLE_APPLICATION_CREDENTIALS'], connect_timeout: '3m' })).toEqual([])
    expect(child({ pass_env: ['A=B'] })).toEqual(['servers.a.pass_env.0 must be the name of a variable'])
    expect(child({ connect_timeout: '3' })).toEqual([
      expect.stringContaining('servers.a.connect_timeout must be a duration'),
    ])
  })

  test('groups hold configured servers', () => {
    expect(problems({ servers, groups: { g: ['atlas'] } })).toEqual([])
    expect(problems({ servers, groups: { g: ['ghost'] } })).toEqual(['groups.g.0 names no configured server'])
  })
})

describe('pins and scopes', () => {
  test.each(['atlas', 'atlas__*', 'atlas__route', 'hubu', 'hubu__list_ledger'])('the pin %s is valid', (pin) =>
    expect(problems({ servers, pin: [pin] })).toEqual([]),
  )

  test.each(['', 'ghost', 'ghost__x', 'atlas__ro*', 'atlas__'])('the pin %j is not', (pin) =>
    expect(problems({ servers, pin: [pin] })).toHaveLength(1),
  )

  test('a misspelt server is refused with the nearest name, wherever it stands', () => {
    const meant = 'names no configured server; did you mean atlas?'
    expect(problems({ servers, pin: ['altas__route'] })).toEqual([`pin.0 ${meant}`])
    expect(problems({ servers, groups: { g: ['atlsa'] } })).toEqual([`groups.g.0 ${meant}`])
    expect(problems(agents({ servers: ['atls'] }))).toEqual([`agents.a.servers.0 ${meant}`])
    expect(problems(agents({ tools: ['Atlas__route'] }))).toEqual([`agents.a.tools.0 ${meant}`])
  })

  test('a direct agent has no scope of tools, no pins and no budget', () => {
    for (const more of [{ tools: ['atlas__route'] }, { pin: [] }, { tool_schema_budget: '8KB' }]) {
      expect(problems(agents(more))).toEqual([])
      expect(problems(agents({ mode: 'direct', ...more }))).toHaveLength(1)
    }
  })

  test('tools lie on the servers of the agent, and exact pins among its tools', () => {
    expect(problems(agents({ servers: ['atlas'], tools: ['ledger__add_entry'] }))).toHaveLength(1)
    expect(problems(agents({ servers: ['ghost'] }))).toHaveLength(1)
    expect(problems(agents({ tools: ['atlas__route'], pin: ['atlas__geocode'] }))).toHaveLength(1)
    expect(problems(agents({ tools: ['atlas__route'], pin: ['atlas'] }))).toEqual([])
    expect(problems(agents({ servers: ['atlas'], pin: ['ledger'] }))).toHaveLength(1)
  })

  test.each(['route', 'atlas__', '__x', 'hubu__*', 'atlas__r*'])('the tool %s is no tool', (tool) =>
    expect(problems(agents({ tools: [tool] }))).toHaveLength(1),
  )

  test('an agent needs a type and a path', () => {
    expect(problems({ agents: { a: {} } })).toHaveLength(1)
    expect(problems({ agents: { a: { type: 'codex' } } })).toEqual(['agents.a needs the key path'])
  })

  test('the schema budget of an agent is any size, 0 included', () => {
    for (const tool_schema_budget of ['0', 0, '1', '8KB']) expect(problems(agents({ tool_schema_budget }))).toEqual([])
    for (const tool_schema_budget of ['-1', 'x', -1]) expect(problems(agents({ tool_schema_budget }))).toHaveLength(1)
  })
})

test.each([
  ['call_timeout', '0s'],
  ['call_timeout', 'soon'],
  ['connect_timeout', 'soon'],
  ['connect_timeout', '0s'],
])('%s: %s is refused', (key, text) => {
  expect(problems({ [key]: text })).toEqual([expect.stringContaining(`${key} must be a duration`)])
  expect(problems({ [key]: '20m' })).toEqual([])
})

test('many problems are cut short and counted', () => {
  const found = problems(Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`unknown_key_${n}`, 1])))
  expect(found).toHaveLength(11)
  expect(found.at(-1)).toBe('and 4 more')
})
