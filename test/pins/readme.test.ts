// The README and the pages of docs/ are what people read: they must say what the program does, no more and no less.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ownership, toolNames, type ApprovalClass, type ToolName } from '#generated/ownership.js'
import { gongbuErrors } from '../../src/backends/gongbu/errors.ts'
import { environmentVariables } from '../../src/config/environment.ts'
import { codes } from '../../src/errors/codes.ts'
import { pageText, sectionOf } from '../support/docs-page.ts'

/** The cells of a section's table rows, without the head. */
function rowsOf(page: string, heading: string): string[][] {
  const lines = sectionOf(page, heading)
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

test('the table of errors is the table of codes, row by row', () => {
  const wanted = Object.values(codes).map(({ jsonRpcCode, dataCode, retryable, summary }) => [
    `\`${jsonRpcCode}\``,
    dataCode === null ? '—' : `\`${dataCode}\``,
    retryable ? 'yes' : 'no',
    summary,
  ])
  expect(rowsOf('docs/errors.md', 'JSON-RPC errors')).toEqual(wanted)
})

test('the page of errors names every code of a Gongbu tool error', () => {
  const named = inBackticks(sectionOf('docs/errors.md', 'Tool errors of Gongbu'))
  expect(Object.keys(gongbuErrors).filter((code) => !named.includes(code))).toEqual([])
})

test('the table of environment variables names ours and no others', () => {
  const named = rowsOf('docs/operators.md', 'Environment').flatMap(([names]) => inBackticks(names!))
  const listed = named.filter((name) => name.startsWith('HUBU_'))
  const wanted = Object.values(environmentVariables)
  expect(listed.sort()).toEqual(wanted.sort())
})

test('the table of tools has all 34 where they belong', () => {
  const classes: Record<string, ApprovalClass[]> = {
    Router: ['local'],
    'Hubu, reads': ['read'],
    'Hubu, spend': ['spend'],
    'Hubu, protected': ['protected'],
    Gongbu: ['execution', 'execution-read'],
  }
  const listed = new Map(rowsOf('docs/agents.md', 'Tools').map(([kind, names]) => [kind, inBackticks(names!)]))
  for (const [kind, of] of Object.entries(classes)) {
    const wanted: ToolName[] = toolNames.filter((name) => of.includes(ownership[name].approval_class))
    expect(listed.get(kind), kind).toEqual(wanted)
  }
})

const pagesOf = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)
const pages = ['README.md', '.github/CONTRIBUTING.md', ...pagesOf('docs')]

/** The anchor that a heading gets. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-')

const anchorsOf = (page: string): string[] =>
  [...pageText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

test.each(pages)('every link inside the repository leads somewhere: %s', (page) => {
  const links = [...pageText(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
  const broken = links.filter(([, file, anchor]) => {
    const target = file === '' ? page : path.join(path.dirname(page), file!)
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test('the README is short, and every page of docs/ can be reached from it', () => {
  const readme = readFileSync('README.md')
  expect(readme.length).toBeLessThanOrEqual(12 * 1024)
  expect(pages.filter((page) => page.startsWith('docs/') && !readme.includes(`](${page})`))).toEqual([])
})
