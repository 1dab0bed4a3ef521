// Rules that every command keeps: help with examples, data as JSON, quiet when wanted, exit codes, no colour.
import type { Command } from 'commander'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { commandsOf, freshProgram, runLine } from './command-tree.ts'

/** Commands that are only a roof over others. */
const groups = ['mcp', 'sandbox faults', 'approvals', 'operations', 'results', 'token']

/** Commands that read something: a machine must be able to read it too. */
const reads = [
  ...[
    'init',
    'doctor',
    'agents',
    'servers',
    'stats',
    'pin',
    'results list',
    'approvals list',
    'approvals show',
    'approvals watch',
  ],
  ...[
    'sandbox faults list',
    'operations find',
    'operations list',
    'token list',
    'operations show',
    'operations verify',
  ],
]

/** Commands that tell of what they show before or do meanwhile. */
const tells = ['init', 'sync', 'offload', 'pin', 'unpin', 'expose', 'results prune', 'demo']

/** Commands whose output is something else, each with what it is. */
const others: Record<string, string> = {
  serve: 'messages of MCP',
  studio: 'a link, JSON on demand',
  'mcp serve': 'messages of MCP',
  sandbox: 'messages of MCP',
  'sandbox hubu': "a server's start-up lines",
  'sandbox gongbu': "a server's start-up lines",
  'sandbox faults set': 'the faults in force, as JSON on demand',
  'sandbox faults clear': 'the faults in force, as JSON on demand',
  'approvals approve': 'the decided review, as JSON on demand',
  'approvals deny': 'the decided review, as JSON on demand',
  'results get': 'the exact bytes of a result',
  'operations confirm': 'until when one more purchase is let through',
  'operations forget': 'of how many entries the texts were erased',
  'operations backup': 'where the copy lies and that it was checked',
  'operations secret': 'whether the secret fits the registry',
  'token add': 'the token, once and alone',
  'token revoke': 'how many were taken back',
  try: 'what to type, as JSON on demand',
  'servers accept': 'what was accepted, as JSON on demand',
  completion: 'a script',
}

const all = commandsOf(freshProgram())
const has = (command: Command, option: string) => command.options.some(({ long }) => long === option)

test('every command has its place in this test', () => {
  const known = new Set([...groups, ...reads, ...tells, ...Object.keys(others)])
  expect(all.map(({ words }) => words).filter((words) => !known.has(words))).toEqual([])
  const there = new Set(all.map(({ words }) => words))
  expect([...known].filter((words) => !there.has(words))).toEqual([])
})

test('what is read can be had as JSON, and what is told can be silenced', () => {
  const of = (names: string[]) => all.filter(({ words }) => names.includes(words))
  expect(of(reads).filter(({ command }) => !has(command, '--json'))).toEqual([])
  expect(of(tells).filter(({ command }) => !has(command, '--quiet'))).toEqual([])
  const onDemand = Object.keys(others).filter((words) => others[words]?.endsWith('JSON on demand'))
  expect(of(onDemand).filter(({ command }) => !has(command, '--json'))).toEqual([])
})

/** The command lines under "Examples:" in a help text. */
function examplesIn(help: string): string[][] {
  const [, after = ''] = help.split('\nExamples:\n')
  return after
    .split('\n')
    .filter((line) => line.startsWith('  hubu-unified-mcp '))
    .map((line) => wordsOf(line.trim().split(/ {3,}| [|>] /)[0] ?? ''))
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, inner]) => inner ?? word).slice(1)

/** Takes the work out of a command and of all below it. */
function withoutWork(done: () => void): Command {
  const program = freshProgram()
  for (const { words, command } of commandsOf(program)) if (!groups.includes(words)) command.action(done)
  return program
}

describe.each(all)('hubu-unified-mcp $words', ({ words }) => {
  test('explains itself, with examples that are right', async () => {
    const { code, out, err } = await runLine([...words.split(' '), '--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Usage: hubu-unified-mcp [\s\S]+\n\n[a-z`]/)
    if (words === 'mcp') return
    const examples = examplesIn(out)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      let runs = 0
      await withoutWork(() => void runs++).parseAsync(example, { from: 'user' })
      expect([example.join(' '), runs]).toEqual([example.join(' '), 1])
    }
  })

  test('answers a wrong use with code 2, on stderr only, and names its help', async () => {
    const { code, out, err } = await runLine([...words.split(' '), '--no-such-option'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`--no-such-option`)
    expect(err).toContain(`hubu-unified-mcp ${words} --help`)
  })
})

test('the program itself and an unknown command', async () => {
  expect(await runLine(['--help'])).toMatchObject({ code: 0, err: '' })
  const unknown = await runLine(['stat'])
  expect(unknown).toMatchObject({ code: 2, out: '' })
  expect(unknown.err).toContain('stats')
  for (const group of ['approvals', 'operations', 'results', 'sandbox faults']) {
    expect(await runLine(group.split(' '))).toMatchObject({ code: 2, out: '' })
  }
})

/** Command lines that need nothing but a home and a configuration. */
const lines: { line: string; json?: string; quiet?: true }[] = [
  { line: 'init', json: 'clients' },
  { line: 'init codex --sandbox', json: 'files', quiet: true },
  { line: 'doctor', json: 'findings' },
  { line: 'agents', json: 'agents' },
  { line: 'servers', json: 'servers' },
  { line: 'stats', json: 'totals' },
  { line: 'pin', json: 'pins' },
  { line: 'pin atlas', json: 'pinned', quiet: true },
  { line: 'unpin atlas', quiet: true },
  { line: 'expose all', quiet: true },
  { line: 'sync --sandbox', json: 'results', quiet: true },
  { line: 'offload', json: 'results', quiet: true },
  { line: 'results list', json: 'results' },
  { line: 'results prune', quiet: true },
]

function home(): { env: Record<string, string> } & Disposable {
  const folder = tempFolder()
  writeFileSync(
    folder.file('gateway.yaml'),
    `version: 1\nservers: {atlas: {command: x, enabled: false}}\nagents: {tiny: {type: codex, path: ${folder.file('codex.toml')}}}\n`,
  )
  const env = {
    ...{ HOME: folder.path, CODEX_HOME: folder.path, XDG_DATA_HOME: folder.file('data') },
    ...{ HUBU_UNIFIED_CONFIG: folder.file('gateway.yaml'), HUBU_UNIFIED_RESULTS_PATH: folder.file('results') },
  }
  return { env, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

test('doctor examines the configuration file as well', async () => {
  using place = home()
  const of = async () => {
    const { out } = await runLine(['doctor', '--json'], place)
    const { findings } = JSON.parse(out) as { findings: { check: string; status: string; message: string }[] }
    return findings.find(({ check }) => check === 'configuration')
  }
  expect(await of()).toMatchObject({ status: 'ok' })
  writeFileSync(place.env['HUBU_UNIFIED_CONFIG'] ?? '', 'version: 1\nsrvers: {}\n')
  expect(await of()).toMatchObject({
    status: 'failure',
    message: expect.stringMatching(/gateway\.yaml:2:1.*servers/) as string,
  })
})

describe('what is printed', () => {
  test.each(lines)(
    'hubu-unified-mcp $line uses no colour off a terminal, nor on one with NO_COLOR',
    async ({ line }) => {
      for (const isTTY of [true, false]) {
        using place = home()
        const env: Record<string, string> = isTTY ? { ...place.env, NO_COLOR: '1', TERM: 'dumb' } : place.env
        const { out, err } = await runLine(line.split(' '), { env, isTTY })
        expect(out.length).toBeGreaterThan(0)
        expect(out + err).not.toContain('\u001b')
        expect(out).toMatch(/\n$/)
      }
    },
  )

  test.each(lines.filter(({ json }) => json))('hubu-unified-mcp $line --json is one object', async ({ line, json }) => {
    using place = home()
    const { out } = await runLine([...line.split(' '), '--json'], place)
    expect(Object.keys(JSON.parse(out) as object)).toContain(json)
  })

  test.each(lines.filter(({ quiet }) => quiet))('hubu-unified-mcp $line --quiet prints nothing', async ({ line }) => {
    using place = home()
    expect(await runLine([...line.split(' '), '--quiet'], place)).toMatchObject({ out: '', err: '' })
  })
})

test.each([
  ['pin atlas --config missing.yaml', 1],
  ['approvals list --data-folder nowhere', 1],
  ['sandbox faults list --data-folder nowhere', 1],
  ['operations list --state-path /nowhere/registry', 1],
  ['operations show abc', 1],
  ['results get 00000000000000000000000000000000', 1],
  ['results get x --extract 0', 2],
  ['stats --since 3w', 2],
  ['expose some', 2],
  ['completion tcsh', 2],
  ['init notepad', 2],
  ['init codex --sandbox --hubu http://h', 2],
])('%s ends with %i, and says on stderr what to do', async (line, want) => {
  using place = home()
  const { code, out, err } = await runLine(line.split(' '), place)
  expect([code, out]).toEqual([want, ''])
  expect(err.length).toBeGreaterThan(30)
})
