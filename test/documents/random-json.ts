// Random but valid JSON files, written the way people and programs write them: any white space, any comments, any order.
import fc from 'fast-check'

/** A generated file and what the test needs to know about it. */
export interface RandomFile {
  text: string
  /** True when the section exists before the edit. */
  hasSection: boolean
}

interface Habits {
  comments: boolean
  trailingComma: boolean
  eol: string
}

const numbers = ['0', '-0', '1e999', '12345678901234567890', '0.1', '-1.5E+3', '9007199254740993']
const words = [
  'a',
  'b c',
  '__proto__',
  'constructor',
  'hubu',
  'mcpServers',
  '[mcp_servers.hubu]',
  'ключ',
  '\\u0041',
  'x\\ny',
  '// no',
  '',
]

/** Blanks, line ends and comments that may stand between two tokens. */
function trivia(habits: Habits): fc.Arbitrary<string> {
  const blanks = ['', '', ' ', '  ', '\t', habits.eol, habits.eol + '  ', habits.eol + '\t']
  const comments = [` // "hubu": {}${habits.eol}`, '/* } */', ` /* ${habits.eol} , */ `]
  return fc.constantFrom(...blanks, ...(habits.comments ? comments : []))
}

function value(habits: Habits, depth: number): fc.Arbitrary<string> {
  const scalar = fc.constantFrom(...numbers, 'true', 'false', 'null', ...words.map((word) => `"${word}"`))
  if (depth === 0) return scalar
  return fc.oneof({ weight: 3, arbitrary: scalar }, object(habits, depth - 1), list(habits, depth - 1))
}

function list(habits: Habits, depth: number): fc.Arbitrary<string> {
  const item = fc.tuple(trivia(habits), value(habits, depth), trivia(habits)).map((parts) => parts.join(''))
  return fc.tuple(fc.array(item, { maxLength: 3 }), fc.boolean(), trivia(habits)).map(([items, comma, end]) => {
    return `[${items.join(',')}${items.length > 0 && comma && habits.trailingComma ? ',' : ''}${end}]`
  })
}

function member(habits: Habits, key: fc.Arbitrary<string>, content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const gap = trivia(habits)
  return fc
    .tuple(gap, key, gap, gap, content, gap)
    .map(([a, name, b, c, inner, d]) => `${a}"${name}"${b}:${c}${inner}${d}`)
}

function braces(habits: Habits, members: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc.tuple(members, fc.boolean(), trivia(habits)).map(([inside, comma, end]) => {
    return `{${inside.join(',')}${inside.length > 0 && comma && habits.trailingComma ? ',' : ''}${end}}`
  })
}

function object(habits: Habits, depth: number): fc.Arbitrary<string> {
  const keys = fc.constantFrom(...words)
  return braces(habits, fc.array(member(habits, keys, value(habits, depth)), { maxLength: 3 }))
}

/** Servers of other people, under keys that are not ours. */
function section(habits: Habits): fc.Arbitrary<string> {
  const key = fc.constantFrom('other', '__proto__', 'hub\\u00fc', 'a b')
  return braces(habits, fc.array(member(habits, key, value(habits, 2)), { maxLength: 3 }))
}

/** A file with or without `mcpServers`, never with an entry `hubu` in it. Keys elsewhere may repeat. */
export function randomJson(isLenient: boolean): fc.Arbitrary<RandomFile> {
  const habits: fc.Arbitrary<Habits> = fc.record({
    comments: fc.constant(isLenient),
    trailingComma: fc.constant(isLenient),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  return habits.chain((habit) => {
    const keys = fc.constantFrom(...words.filter((word) => word !== 'mcpServers'))
    const others = fc.array(member(habit, keys, value(habit, 2)), { maxLength: 3 })
    const ours = fc.option(member(habit, fc.constantFrom('mcpServers', 'mcp\\u0053ervers'), section(habit)), {
      nil: undefined,
    })
    const members = fc
      .tuple(others, ours, fc.nat(3))
      .map(([rest, own, at]) => (own === undefined ? rest : [...rest.slice(0, at), own, ...rest.slice(at)]))
    const edge = trivia(habit)
    return fc
      .tuple(fc.constantFrom('', '\uFEFF'), edge, braces(habit, members), edge, ours)
      .map(([mark, before, body, after]) => ({
        text: mark + before + body + after,
        hasSection: /"mcp(?:S|\\u0053)ervers"/.test(body),
      }))
  })
}
