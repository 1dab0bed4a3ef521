import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import contract from '../../contracts/config/config.v1.schema.json' with { type: 'json' }
import { ConfigError } from '../../src/config/config-error.ts'
import { readConfigFile } from '../../src/config/config-file.ts'
import { problemsOf } from '../../src/config/config-problems.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** What reading a text as a config file gives, or the message of the refusal with the path cut off. */
function read(text: string | Buffer): unknown {
  using folder = tempFolder()
  const file = folder.file('config.yaml')
  writeFileSync(file, text)
  try {
    return readConfigFile(file)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(file, 'F')
    throw error
  }
}

describe('a config file that is read', () => {
  test('is the value that it says, or nothing at all', () => {
    const text =
      'version: 1\nexpose: lazy\nresponse_budget: 64KB\npin: [atlas__*]\n' +
      'servers:\n  atlas: { command: atlas-mcp, args: [--stdio], enabled: true }\n'
    expect(read(text)).toEqual({
      version: 1,
      expose: 'lazy',
      response_budget: '64KB',
      pin: ['atlas__*'],
      servers: { atlas: { command: 'atlas-mcp', args: ['--stdio'], enabled: true } },
    })
    for (const empty of ['', '# nothing\n', '---\n', '{}']) expect(read(empty)).toEqual({})
  })

  test.each([
    ['command: "C:\\new\\tools"', 'F:3:5: servers.a.command'],
    ['command: x, cwd: "D:\\temp"', 'F:3:17: servers.a.cwd'],
    ['command: x, args: [-v, "C:\\bin\\run"]', 'F:3:28: servers.a.args.1'],
    ['command: x, env: { TOOLS: "C:\\tools" }', 'F:3:24: servers.a.env.TOOLS'],
  ])('a Windows path in double quotes, as in %s, is named with its line', (members, place) => {
    expect(read(`servers:\n  a: {\n    ${members}\n  }\n`)).toMatch(
      `${place} has a control character: in double quotes \\n, \\t and the like are one character; use single quotes`,
    )
    expect(read(`servers:\n  a: {\n    ${members.replaceAll('"', "'")}\n  }\n`)).toHaveProperty('servers.a')
  })

  test('a path whose backslashes begin no escape is told so, with its line', () => {
    expect(read('servers:\n  a:\n    command: "C:\\new\\tools\\x"\n')).toBe(
      'F:3:27: a backslash in double quotes begins no escape; write paths of Windows in single quotes',
    )
  })

  test('may have a byte order mark, CRLF and anchors that are used once or twice', () => {
    expect(read('\ufeffresponse_budget: 1MB\r\nverbatim: true\r\n')).toEqual({ response_budget: '1MB', verbatim: true })
    const shared = 'servers:\n  a: { command: x, env: &e { A: b } }\n  c: { command: y, env: *e }\n'
    expect(read(shared)).toMatchObject({ servers: { c: { env: { A: 'b' } } } })
  })

  test('keeps an empty list apart from an absent one', () => {
    const agents = (lines: string) =>
      read(`agents:\n  a:\n    type: codex\n    path: ~/x\n${lines}`) as { agents: object }
    expect(agents('    servers: []\n').agents).toEqual({ a: { type: 'codex', path: '~/x', servers: [] } })
    expect(agents('').agents).toEqual({ a: { type: 'codex', path: '~/x' } })
  })
})

describe('a config file that is refused says where and what is allowed', () => {
  test.each([
    [
      'an unknown key with its neighbour',
      'expose: all\nrespons_budget: 1MB\n',
      'F:2:1: respons_budget is not a key here; did you mean response_budget?',
    ],
    ...['__proto__', 'constructor'].map((key) => [
      key,
      `${key}: {a: 1}\n`,
      `F:1:1: ${key} is not a key here; allowed are`,
    ]),
    ['listen', 'listen: 127.0.0.1:9820\n', 'F:1:1: listen is not a key here: the address for HTTP is http.listen'],
    [
      'vault keys',
      'servers:\n  a:\n    command: x\n    vault_only: [t]\n',
      'F:4:5: servers.a.vault_only is not supported: give the server its secrets',
    ],
    [
      'an unknown key far from all',
      'zebra: 1\n',
      'F:1:1: zebra is not a key here; allowed are version, expose, pin, response_budget',
    ],
    ['another exposure', 'expose: sometimes\n', 'F:1:1: expose must be all or lazy'],
    ['another version', 'version: 2\n', 'F:1:1: version must be 1'],
    ['a switch that is a word', 'verbatim: no\n', 'F:1:1: verbatim must be true or false'],
    [
      'a number where a text belongs',
      'servers:\n  a: { command: x, env: { PORT: 80 } }\n',
      'F:2:27: servers.a.env.PORT must be a text; put it in quotes',
    ],
    [
      'no value',
      'response_budget:\nverbatim: true\n',
      'F:1:1: response_budget has no value; give one or remove the key',
    ],
    ['a list where a map belongs', '- a\n', 'F:1:1: must be a map'],
  ])('%s', (_name, text, message) => expect(read(text)).toContain(message))

  test.each([
    '511',
    '511B',
    '-1',
    'abc',
    '1.5KB',
    '017',
    '1_000',
    '1e3',
    '0x400',
    'no',
    '12345678901234567890',
    '""',
    '" "',
    '[1]',
  ])('a budget of %s is refused at its place, never rounded and never "no limit"', (text) => {
    expect(read(`verbatim: false\nresponse_budget: ${text}\n`)).toMatch(
      /^F:2:1: response_budget (must be a size|write the)/,
    )
  })

  test.each([
    ['512', 512],
    ['0', 0],
    ['"0"', '0'],
    ['32KB', '32KB'],
  ])('a budget of %s is read', (text, value) =>
    expect(read(`response_budget: ${text}\n`)).toEqual({ response_budget: value }),
  )

  test.each([
    ['a key given twice', 'a: 1\nverbatim: true\nverbatim: false\n', 'F:3:1: verbatim is given twice'],
    [
      'a key given twice in a map of free names',
      'servers:\n  a: {command: x}\n  a: {command: y}\n',
      'F:3:3: servers.a is given twice',
    ],
    ['tabs', 'servers:\n\ta: {}\n', 'F:2:1: a tab is used as indentation'],
    ['two documents', 'verbatim: true\n---\nverbatim: false\n', 'F:2:1: a second document begins here'],
    [
      'a merge key',
      'servers:\n  a: &a {command: x}\n  b:\n    <<: *a\n',
      'F:4:5: servers.b.<< merge keys are not supported',
    ],
    ['a key that is no text', 'servers:\n  1: {command: x}\n', 'F:2:3: servers a key must be a text'],
    ['an unknown tag', 'verbatim: !yes 1\n', 'F:1:11: a tag is used that is not known'],
    ['an alias of nothing', 'pin: *p\n', 'F:1:1: pin an alias names no anchor before it'],
    ['a bracket that stays open', 'pin: [a\n', 'F:2:1: the indentation does not fit the lines above, or a bracket'],
    ['bytes that are no UTF-8', Buffer.from([0x76, 0xff]), 'F:1:1: the file is not UTF-8'],
  ])('%s', (_name, text, message) => expect(read(text)).toContain(message))

  test('alias bombs, cycles and deep nesting are refused at once', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) =>
        `l${n}: &l${n} [${Array(9)
          .fill(n === 0 ? 'x' : `*l${n - 1}`)
          .join(', ')}]`,
    )
    expect(read(`${levels.join('\n')}\n`)).toContain('aliases that multiply')
    expect(read('servers: &s\n  a: *s\n')).toContain('is nested too deeply')
    expect(read('['.repeat(100_000))).toContain('F:1:')
    expect(read(`a: &a {}\nb:\n${'  - <<: *a\n'.repeat(500)}`)).toContain('merge keys')
    expect(read('#'.repeat(256 * 1024 + 1))).toContain('larger than 256 KiB')
    const keys = Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n')
    expect(read(`servers:\n${keys.replaceAll(/^/gm, '  ')}`)).toContain('too many members')
  })

  test('no value of the file is repeated, whatever is wrong with it', () => {
    const secret = 'canary-7f3a'
    for (const text of [
      `servers: {a: {command: x, env: {T: ["${secret}"]}}}`,
      `expose: ${secret}`,
      `response_budget: ${secret}`,
      `servers: {a: {url: "u", headers: {A: "${secret}"`,
      `pin: ["${secret}`,
      `agents: {a: {type: ${secret}, path: x, tools: [${secret}]}}`,
      `"${secret}" "${secret}"`,
      `a: !${secret} 1`,
      `connect_timeout: ${secret}`,
    ]) {
      expect(read(text)).toMatch(/^F:1:/)
      expect(read(text)).not.toContain(secret)
    }
  })

  test('a file that is missing or cannot be read is named', () => {
    using folder = tempFolder()
    expect(() => readConfigFile(folder.file('none.yaml'))).toThrow(
      `the config file ${folder.file('none.yaml')} does not exist`,
    )
    expect(() => readConfigFile(folder.path)).toThrow('is no plain file')
  })

  test.skipIf(process.platform === 'win32')(
    'a pipe, which nobody may write to, and a device without end are not read',
    () => {
      using folder = tempFolder()
      execFileSync('mkfifo', [folder.file('pipe')])
      for (const file of [folder.file('pipe'), '/dev/zero'])
        expect(() => readConfigFile(file)).toThrow(`the config file ${file} is no plain file`)
    },
  )
})

test('the keys that are suggested are those of the contract', () => {
  const told = (instancePath: string) => {
    const params = { additionalProperty: 'zzzzzzzzzzzz' }
    const [problem] = problemsOf([{ instancePath, keyword: 'additionalProperties', params }])
    return problem?.message.replace(/.*allowed are /, '').split(', ')
  }
  expect(told('')).toEqual(Object.keys(contract.properties))
  expect(told('/servers/a')).toEqual(Object.keys(contract.$defs.ServerConfig.properties))
  expect(told('/agents/a')).toEqual(Object.keys(contract.$defs.AgentConfig.properties))
})
