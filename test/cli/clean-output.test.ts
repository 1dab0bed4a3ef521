// Whatever a command prints of others, no terminal obeys it.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { cleanProcess } from '../../src/cli/clean-process.ts'
import { table } from '../../src/cli/table.ts'
import { commandsOf, freshProgram, runLine } from './command-tree.ts'

function written(write: (process: NodeJS.Process) => void): { out: string; err: string } {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  write(cleanProcess({ ...process, stdout, stderr } as unknown as NodeJS.Process))
  return { out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

test('texts on stdout and stderr are cleaned, bytes pass', () => {
  expect(written(({ stdout, stderr }) => (stdout.write('a\u001b[2J\n'), stderr.write('b\u202e\n')))).toEqual({
    out: 'a<U+001B>[2J\n',
    err: 'b<U+202E>\n',
  })
  expect(written(({ stdout }) => stdout.write(Buffer.from('\u001b'))).out).toBe('\u001b')
})

test('a private operation key that got into a text is not printed', () => {
  const key = `hubu:operation:v1:codex:${'0a'.repeat(16)}`
  expect(written(({ stdout }) => stdout.write(`{"a":"${key}"}\n`)).out).toBe('{"a":"<private operation redacted>"}\n')
})

test('a cell of a table stays in its row', () => {
  expect(table(['A', 'B'], [['x\ny', 'z\u200b']])).toBe('A    B\nx⏎y  z<U+200B>\n')
})

test('what a person typed is repeated only cleaned', async () => {
  const { code, err } = await runLine(['no-such\u001b[2J'])
  expect(code).toBe(2)
  expect(err).not.toMatch(/\u001b/)
})

test('help texts hold nothing that would be cleaned', () => {
  for (const { command } of commandsOf(freshProgram())) expect(command.helpInformation()).not.toMatch(/<U\+/)
})
