import { expect, test } from 'vitest'
import { doctorText } from '../../src/cli/doctor-text.ts'
import { table } from '../../src/cli/table.ts'
import { failure, ok, warning } from '../../src/doctor/finding.ts'
import { plainAppearance } from '../../src/terminal/appearance.ts'

const terminal = { ...plainAppearance, isTerminal: true, width: 60 }
const findings = [
  ok('node', 'Node.js v22'),
  {
    ...failure('hubu', 'does not answer as it should', 'Start it, and check endpoint and token.'),
    clients: ['codex', 'claude'],
  },
  warning('client codex', 'starts in 0.4 s and shows 3 tools; Hubu unavailable, Gongbu unavailable', 'Look above.'),
]

test('a script gets a line for each finding and one for each remedy', () => {
  expect(doctorText(findings, [])).toBe(
    [
      'ok    node                  Node.js v22',
      'FAIL  hubu (codex, claude)  does not answer as it should',
      `${' '.repeat(28)}-> Start it, and check endpoint and token.`,
      'warn  client codex          starts in 0.4 s and shows 3 tools; Hubu unavailable, Gongbu unavailable',
      `${' '.repeat(28)}-> Look above.`,
      '',
    ].join('\n'),
  )
})

test('a person gets headings, lines that fit and what it comes to', () => {
  const mended = [{ client: 'codex', file: 'f', done: ['It starts.'], left: ['A token is missing.'] }]
  const text = doctorText(findings, mended, terminal)
  expect(text.match(/^\S.*$/gm)).toEqual([
    'Mended',
    'codex: mended: It starts.',
    'codex: left: A token is missing.',
    'This machine',
    'What codex, claude reach',
    'Clients',
    '1 thing does not work, 1 warning; what to do is behind each ->.',
  ])
  for (const line of text.split('\n').slice(0, -2)) expect(line.length).toBeLessThanOrEqual(60)
  expect(doctorText([ok('node', 'fine')], [], terminal)).toContain('All is well.')
})

test('a table fits the width of a terminal: the widest column gives, a path keeps its end; a script gets all of it', () => {
  const rows = [['codex', 'x'.repeat(40), `/home/${'deep/'.repeat(10)}config.toml`]]
  const shown = table(['NAME', 'WHAT', 'FILE'], rows, terminal)
  expect(shown.split('\n').every((line) => line.length <= 60)).toBe(true)
  expect(shown).toMatch(/codex {2}x+… {2}….*config\.toml\n/)
  expect(table(['NAME', 'WHAT', 'FILE'], rows)).toContain(rows[0]![2])
})
