// Random but valid TOML files in all the forms in which `mcp_servers` may be written.
import fc from 'fast-check'
import { type RandomFile } from './random-json.ts'

const values = [
  '1',
  '12345678901234567890',
  '0x1F',
  '1_000',
  '-0.0',
  'inf',
  'true',
  '1979-05-27T07:32:00Z',
  '07:32:00',
  '"a \\u00e9"',
  "'C:\\x'",
  '"""\n[mcp_servers.hubu]\ncommand = "no"\n"""',
  "'''\n[x]'''",
  '[1, 2, # c\n  3,]',
  '{ a = 1, "b c" = [{}] }',
  '[]',
]

const keys = ['k', '"k q"', "'k.l'", 'k-1', 'k.l.m', 'k."__proto__"', 'k . "n"']

const others: ((eol: string) => string)[] = [
  () => '',
  () => '[mcp_servers]\nother.command = "x" # c\n',
  () => '[mcp_servers.other]\ncommand = "x"\nargs = [\n  "y", # c\n]\n\n  [mcp_servers.other.env]\n  A = "b"\n',
  () => "[ \"mcp_servers\" . 'other' ]\n# inside\ncommand = 'x'\n\n\n",
  () => '[mcp_servers]\n\n[mcp_servers."__proto__"]\ncommand="x"\n',
]

const roots = [
  '',
  'mcp_servers.other.command = "x"\nmcp_servers.other.args = []\n',
  'mcp_servers = { other = { command = "x" } } # c\n',
  'mcp_servers = {}\n',
  'mcp_servers = {other={command="x"}}\n',
]

function line(index: number): fc.Arbitrary<string> {
  const pair = fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values), fc.constantFrom('', ' # [hubu]', '\t# x'))
  const written = pair.map(([key, value, comment]) => `${key.replace('k', `k${index}`)} = ${value}${comment}\n`)
  return fc.oneof(
    { weight: 4, arbitrary: written },
    fc.constantFrom('# comment\n', '\n', '   \n', '# [mcp_servers.hubu]\n'),
  )
}

function block(index: number): fc.Arbitrary<string> {
  const header = fc.constantFrom(
    `[t${index}]`,
    `[ t${index} . "hubu" ] # c`,
    `  [t${index}.mcp_servers.hubu]`,
    `[[list]]`,
  )
  const lines = fc.tuple(line(1), line(2)).map((parts) => parts.join(''))
  return fc.tuple(header, lines).map(([head, body]) => `${head}\n${body}`)
}

/** A file in which `mcp_servers` is missing or written in one of its forms; it never has a `hubu` of ours. */
export function randomToml(): fc.Arbitrary<RandomFile> {
  const top = fc.tuple(line(10), fc.constantFrom(...roots), line(11))
  const rest = fc.tuple(block(20), fc.nat(others.length - 1), block(21), fc.nat(2))
  return fc
    .tuple(top, rest, fc.constantFrom('\n', '\r\n', 'mixed'), fc.boolean(), fc.constantFrom('', '\uFEFF'))
    .map(([[before, root, after], [first, other, second, count], eol, hasEnd, mark]) => {
      const own = root === '' ? others[other]!('\n') : ''
      const parts = [before + root + after, first, own, second].slice(0, count + 2)
      let text = parts.join('')
      if (!hasEnd) text = text.replace(/\n$/, '')
      let odd = false
      const ends = text.replaceAll('\n', () => (eol === 'mixed' ? ((odd = !odd) ? '\r\n' : '\n') : eol))
      return { text: mark + ends, hasSection: parts.some((part) => part === own && own !== '') || root !== '' }
    })
}
