// Random but valid YAML files: block and flow collections, anchors, block scalars, comments, any indentation.
import fc from 'fast-check'
import { type RandomFile } from './random-json.ts'

interface Habits {
  unit: string
}

const scalars = [
  '1',
  '12345678901234567890',
  '0o17',
  '1e3',
  '~',
  'yes',
  "'it''s'",
  '"a \\u00e9 # no"',
  'plain text',
  '!!str 5',
  '2001-12-14',
  '&z z',
  '[1, {a: b}, "c"]',
  '{ x: 1, "y z": [] }',
  'x'.repeat(200),
]
const comments = ['', '', ' # c', '  # hubu: {}']

function blockScalar(indent: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom('|', '|-', '|+', '>', '>-'),
      fc.constantFrom('text', '# not a comment', 'mcp_servers:'),
      fc.nat(2),
    )
    .map(([header, text, blanks]) => `${header}\n${indent}${text}\n${indent}  more\n${'\n'.repeat(blanks)}`)
}

function scalarLine(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...scalars), fc.constantFrom(...comments))
    .map(([value, comment]) => ` ${value}${comment}\n`)
}

/** What follows a colon or a dash, with its line end. */
function value(habits: Habits, indent: string, depth: number): fc.Arbitrary<string> {
  const inner = indent + habits.unit
  const simple: fc.Arbitrary<string> = fc.oneof(
    { weight: 3, arbitrary: scalarLine() },
    blockScalar(inner).map((text) => ' ' + text),
  )
  if (depth === 0) return simple
  return fc.oneof(
    { weight: 2, arbitrary: simple },
    fc
      .tuple(fc.constantFrom('', ' # c', ' &a' + indent.length), map(habits, inner, depth - 1))
      .map(([props, text]) => `${props}\n${text}`),
    fc.tuple(fc.constantFrom('', ' # c'), list(habits, inner, depth - 1)).map(([props, text]) => `${props}\n${text}`),
  )
}

function map(
  habits: Habits,
  indent: string,
  depth: number,
  names = ['k', '"q r"', 'hubu', '__proto__'],
): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.shuffledSubarray(names, { minLength: 1 }),
      fc.array(value(habits, indent, depth), { minLength: 4, maxLength: 4 }),
      fc.constantFrom('', '# own line\n', '\n'),
    )
    .map(([keys, values, between]) => keys.map((key, index) => `${indent}${key}:${values[index]!}`).join(between))
}

function list(habits: Habits, indent: string, depth: number): fc.Arbitrary<string> {
  return fc.array(value(habits, indent + '  ', depth), { minLength: 1, maxLength: 3 }).map((items) => {
    return items.map((item) => `${indent}-${item}`).join('')
  })
}

function section(habits: Habits): fc.Arbitrary<string> {
  const block = map(habits, habits.unit, 2, ['other', '"a b"', '__proto__'])
  const empty = fc
    .constantFrom('', ' # c', ' ~', ' null # c', ' {}', ' {other: {command: x}} # c', ' {\n    other: 1, # c\n  }')
    .map((text) => text + '\n')
  return fc
    .oneof(
      block.map((text) => '\n' + text),
      empty,
    )
    .map((text) => `mcp_servers:${text}`)
}

/** A file with or without `mcp_servers`, never with a `hubu` in it. */
export function randomYaml(): fc.Arbitrary<RandomFile> {
  const habits = fc.record({ unit: fc.constantFrom('  ', '    ', ' ') })
  return habits.chain((habit) => {
    const rest = fc.option(map(habit, '', 2, ['one', 'two', '"th ree"']), { nil: '' })
    const last = fc.option(map(habit, '', 1, ['four', 'five']), { nil: '' })
    const head = fc.constantFrom('', '# top\n\n', '---\n', '%YAML 1.2\n---\n# c\n')
    const parts = fc.tuple(head, rest, fc.option(section(habit), { nil: '' }), last)
    return fc
      .tuple(parts, fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.constantFrom('', '\uFEFF'))
      .map(([texts, eol, hasEnd, mark]) => {
        const [, , own] = texts
        const text = texts.join('')
        const isBlockEnd = /[|>][-+]?\n(?:.*\n)*\s+more\n+$/.test(text)
        const ended = hasEnd || isBlockEnd ? text : text.replace(/\n$/, '')
        return { text: mark + ended.replaceAll('\n', eol), hasSection: own !== '' }
      })
  })
}
