// The README is what operators read: it must say what the program does, no more and no less.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownership, toolNames, type ApprovalClass, type ToolName } from '#generated/ownership.js'
import { gongbuErrors } from '../../src/backends/gongbu/errors.ts'
import { environmentVariables } from '../../src/config/environment.ts'
import { codes } from '../../src/errors/codes.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The text below a heading, up to the next one of its level. */
function section(heading: string): string {
  const begin = readme.indexOf(`\n## ${heading}\n`)
  if (begin < 0) throw new Error(`the README has no section ${heading}`)
  const end = readme.indexOf('\n## ', begin + 1)
  return readme.slice(begin, end < 0 ? undefined : end)
}

/** The cells of a section's table rows, without the head. */
function rowsOf(heading: string): string[][] {
  const lines = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const inBackticks = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)

test('its table of errors is the table of codes, row by row', () => {
  const wanted = Object.values(codes).map(({ jsonRpcCode, dataCode, retryable, summary }) => [
    `\`${jsonRpcCode}\``,
    dataCode === null ? '—' : `\`${dataCode}\``,
    retryable ? 'yes' : 'no',
    summary,
  ])
  expect(rowsOf('Errors')).toEqual(wanted)
})

test('it names every code of a Gongbu tool error', () => {
  const named = inBackticks(section('Errors'))
  expect(Object.keys(gongbuErrors).filter((code) => !named.includes(code))).toEqual([])
})

test('its table of environment variables names ours and no others', () => {
  const named = rowsOf('Environment').flatMap(([names]) => inBackticks(names!))
  const listed = named.filter((name) => name.startsWith('HUBU_'))
  const wanted = Object.values(environmentVariables)
  expect(listed.sort()).toEqual(wanted.sort())
})

test('its table of tools has all 34 where they belong', () => {
  const classes: Record<string, ApprovalClass[]> = {
    Router: ['local'],
    'Hubu, reads': ['read'],
    'Hubu, spend': ['spend'],
    'Hubu, protected': ['protected'],
    Gongbu: ['execution', 'execution-read'],
  }
  const listed = new Map(rowsOf('Tools').map(([kind, names]) => [kind, inBackticks(names!)]))
  for (const [kind, of] of Object.entries(classes)) {
    const wanted: ToolName[] = toolNames.filter((name) => of.includes(ownership[name].approval_class))
    expect(listed.get(kind), kind).toEqual(wanted)
  }
})
