// The scripts are run by the shells that are there; what each of them offers is asked for as the shell itself would ask.
import { Command, Option } from 'commander'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bashScript } from '../../../src/cli/completion/bash.ts'
import { modelOf } from '../../../src/cli/completion/command-model.ts'
import { fishScript } from '../../../src/cli/completion/fish.ts'
import { zshScript } from '../../../src/cli/completion/zsh.ts'
import { completionScript } from '../../../src/cli/commands/completion.ts'
import type { CliContext } from '../../../src/cli/context.ts'
import { createProgram } from '../../../src/cli/program.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** What a shell offers after these words, the last of which is not finished; in the folder `cwd`. */
type Offer = (script: string, words: string[], cwd: string) => string[]

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const bash: Offer = (script, words, cwd) => {
  // Readline cuts words at `=`.
  const cut = ['hubu-unified-mcp', ...words.flatMap((each) => each.split(/(=)/).filter((part) => part !== ''))]
  if (words.at(-1) === '') cut.push('')
  const ask = `${script}\nCOMP_WORDS=(${cut.map(word).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_hubu_unified_mcp; printf '%s\\n' "\${COMPREPLY[@]}"`
  return lines(execFileSync('bash', ['--norc', '-c', ask], { cwd, encoding: 'utf8' }))
}

/** zsh's own functions need a terminal; these say what they were given. */
const zshFunctions = `
compdef() { :; }
compset() { words[CURRENT]=\${words[CURRENT]#*=}; }
offered() { for each in "$@"; do [[ $each == \${words[CURRENT]}* ]] && print -r -- "\${each%%:*}"; done; true; }
_describe() { while [[ $1 == -* ]]; do shift 1; [[ $1 == option ]] && break; done; shift; offered "\${(@P)1}"; }
compadd() { shift; offered "$@"; }
_files() { offered *; }
_message() { :; }
`

const zsh: Offer = (script, words, cwd) => {
  mkdirSync(path.join(cwd, '.functions'), { recursive: true })
  writeFileSync(path.join(cwd, '.functions/_hubu-unified-mcp'), script)
  const all = ['hubu-unified-mcp', ...words].map(word).join(' ')
  const ask = `${zshFunctions}\nfpath=($PWD/.functions); autoload -U _hubu-unified-mcp
words=(${all}); CURRENT=\${#words}; _hubu-unified-mcp`
  return lines(execFileSync('zsh', ['-f', '-c', ask], { cwd, encoding: 'utf8' }))
}

const fish: Offer = (script, words, cwd) => {
  const ask = `${script}\ncomplete -C ${word(['hubu-unified-mcp', ...words].join(' '))}`
  const env = { PATH: process.env.PATH ?? '', HOME: cwd }
  return lines(execFileSync('fish', ['--no-config', '-c', ask], { cwd, env, encoding: 'utf8' })).map((line) =>
    (line.split('\t')[0] ?? '').replace(/^--[\w-]+=/, ''),
  )
}

const program = createProgram({
  process,
  wire: process,
  place: { env: {}, home: '/', platform: 'linux' },
  setExitCode: () => {},
} as CliContext)

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

test('bash is here, so that at least one of the scripts is run', () => {
  expect(isThere('bash')).toBe(true)
})

test.each(['bash', 'zsh', 'fish'] as const)('the script for %s names every command and every option', async (shell) => {
  const script = await completionScript(shell, program)
  const visit = (command: Command): string[] => [
    ...command
      .createHelp()
      .visibleCommands(command)
      .flatMap((each) => [each.name(), ...visit(each)]),
    ...command.options.map(({ long }) => long?.slice(2) ?? ''),
  ]
  const names = new Set(visit(program))
  expect(names.size).toBeGreaterThan(50)
  expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(script))).toEqual([])
})

/** Every command that help shows, with what can follow it. */
function placesOf(
  command: Command,
  words: string[] = [],
): { words: string[]; commands: string[]; options: string[] }[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command)
  const options = help.visibleOptions(command).flatMap(({ long }) => long ?? [])
  const own = { words, commands: below.map((each) => each.name()), options }
  return [own, ...below.flatMap((each) => placesOf(each, [...words, each.name()]))]
}

const shells = [
  { shell: 'bash', offer: bash },
  { shell: 'zsh', offer: zsh },
  { shell: 'fish', offer: fish },
] as const

describe.each(shells.filter(({ shell }) => isThere(shell)))('$shell offers after', ({ shell, offer }) => {
  let script = ''
  beforeAll(async () => {
    script = await completionScript(shell, program)
  })

  test.each<[string[], string[]]>([
    [['s'], ['serve', 'servers', 'stats', 'studio', 'sandbox', 'sync']],
    [
      ['sandbox', ''],
      ['hubu', 'gongbu', 'faults'],
    ],
    [['sandbox', 'faults', 'c'], ['clear']],
    [
      ['init', 'cla'],
      ['claude', 'claude-desktop'],
    ],
    [
      ['init', 'codex', '--scope', ''],
      ['user', 'project', 'local'],
    ],
    [['init', '--agent', 'sandbox', '--i'], ['--i-know-the-client-asks']],
    [['init', '--scope', 'user', 'code'], ['codex']],
    [['results', 'get', '--o'], ['--output']],
    [
      ['expose', ''],
      ['all', 'lazy'],
    ],
    [['completion', 'f'], ['fish']],
    [['sandbox', '--fault', 'hubu-cut'], ['hubu-cut-reply']],
    [['serve', '--agent', ''], []],
    [['sandbox', '--config', 'gate'], ['gateway.yaml']],
    [['init', '--scope=pro'], ['project']],
  ])('%j', (words, want) => {
    using folder = tempFolder()
    writeFileSync(folder.file('gateway.yaml'), '')
    mkdirSync(folder.file('other'))
    expect(offer(script, words, folder.path).toSorted()).toEqual(want.toSorted())
  })

  test('each command its own commands and all its options, as the tree has them', () => {
    using folder = tempFolder()
    const missing = placesOf(program).flatMap(({ words, commands, options }) => {
      const offered = [
        ...(commands.length > 0 ? offer(script, [...words, ''], folder.path) : []),
        ...offer(script, [...words, '--'], folder.path),
      ]
      return [...commands, ...options]
        .filter((name) => !offered.includes(name))
        .map((name) => [...words, name].join(' '))
    })
    expect(missing).toEqual([])
  })

  test('odd descriptions and choices what they are, and runs nothing in them', () => {
    using folder = tempFolder()
    const odd = new Command('hubu-unified-mcp').description('a')
    odd
      .command('run')
      .description(`it's "quoted", $(touch made) \`touch made\`; \\ and\nmore: of it`)
      .addOption(new Option('--mode <mode>', "'; touch made; '").choices(['plain', "o'dd"]))
    const write = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]
    const text = write('hubu-unified-mcp', modelOf(odd, {}))
    expect(offer(text, ['r'], folder.path)).toEqual(['run'])
    expect(offer(text, ['run', '--mo'], folder.path)).toEqual(['--mode'])
    expect(offer(text, ['run', '--mode', 'pl'], folder.path)).toEqual(['plain'])
    expect(existsSync(folder.file('made'))).toBe(false)
  })
})
