import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { type Edit } from '../../src/documents/edit.ts'
import { editText } from '../../src/documents/edit-text.ts'
import { toml } from '../../src/documents/toml.ts'

const members = { command: 'node', env: { A: 'b' }, tools: { t: { approval_mode: 'approve' } } }
const add: Edit = { kind: 'merge', path: ['mcp_servers', 'hubu'], members }
const drop: Edit = { kind: 'remove', path: ['mcp_servers', 'hubu'] }
const tables =
  '[mcp_servers.hubu]\ncommand = "node"\n\n[mcp_servers.hubu.env]\nA = "b"\n\n[mcp_servers.hubu.tools]\nt = { approval_mode = "approve" }\n'

const edited = (text: string, edit: Edit = add): string => editText(toml, text, [edit]).text

describe('an entry goes into TOML', () => {
  it.each([
    ['into an empty file', '', tables],
    ['behind everything else, after a blank line', 'a = 1\n', 'a = 1\n\n' + tables],
    ['behind a last line without line end', '[x]\na = 1 # c', '[x]\na = 1 # c\n\n' + tables],
    ['behind blank lines that stay', '[x]\n\n\n', '[x]\n\n\n' + tables],
    ['beside root keys of other servers', 'mcp_servers.a.command = "x"\n', 'mcp_servers.a.command = "x"\n\n' + tables],
    [
      'beside a table of other servers',
      '[mcp_servers]\na.command = "x"\n',
      '[mcp_servers]\na.command = "x"\n\n' + tables,
    ],
    [
      'past text that only looks like it',
      's = """\n[mcp_servers.hubu]\n"""\n',
      's = """\n[mcp_servers.hubu]\n"""\n\n' + tables,
    ],
    [
      'inside the braces of an inline table',
      'mcp_servers = {other={ }} # c\n',
      'mcp_servers = {other={ }, hubu = { command = "node", env = { A = "b" }, tools = { t = { approval_mode = "approve" } } }} # c\n',
    ],
  ])('%s', (_, before, after) => {
    expect(edited(before)).toBe(after)
    expect((parse(after)['mcp_servers'] as Record<string, unknown>)['hubu']).toEqual(members)
  })

  it('with CRLF where the file has it, and a second run changes nothing', () => {
    const after = edited('# top\r\n[x]\r\na = 1\r\n')
    expect(after).toBe('# top\r\n[x]\r\na = 1\r\n\r\n' + tables.replaceAll('\n', '\r\n'))
    expect(editText(toml, after, [add]).changes).toEqual([])
  })
})

describe('a TOML entry that exists', () => {
  it.each([
    [
      'quoted',
      '["mcp_servers".\'hubu\'] # head\ncommand = "old" # why\n# mine\n\n[x]\n',
      ['"old"', '"node"'],
      ' # why\n\n["mcp',
    ],
    ['dotted', 'mcp_servers.hubu.command = "x" # c\nb = 1\n', ['"x"', '"node"'], ''],
    ['inline', 'mcp_servers.hubu = { command = "x", y = 1 }\n', ['"x"', '"node"'], ''],
  ])('%s gets its values replaced in place', (_, before, [from, to]) => {
    const command: Edit = { kind: 'merge', path: ['mcp_servers', 'hubu'], members: { command: 'node' } }
    expect(edited(before, command)).toBe(before.replace(from!, to!))
    expect((parse(edited(before))['mcp_servers'] as Record<string, object>)['hubu']).toMatchObject(members)
  })

  it('grows in its own form', () => {
    expect(edited('mcp_servers.hubu.command = "x" # c\nb = 1\n')).toBe(
      'mcp_servers.hubu.command = "node" # c\nmcp_servers.hubu.env.A = "b"\nmcp_servers.hubu.tools.t = { approval_mode = "approve" }\nb = 1\n',
    )
    expect(edited('[mcp_servers]\n  hubu.command = "x"\n[z]\n')).toBe(
      '[mcp_servers]\n  hubu.command = "node"\n  hubu.env.A = "b"\n  hubu.tools.t = { approval_mode = "approve" }\n[z]\n',
    )
  })

  it('is updated where its pieces are, with the tables of others between them', () => {
    const before =
      '[mcp_servers.hubu.env]\nA = "old"\n\n[other]\nx = 1\n\n[mcp_servers.hubu]\ncommand = "old"\n# mine\n\n[last]\n\n[mcp_servers.hubu.tools.t]\napproval_mode = "prompt"\n'
    expect(edited(before)).toBe(
      before.replaceAll('"old"', (_, at) => (at < 50 ? '"b"' : '"node"')).replace('"prompt"', '"approve"'),
    )
  })

  it('gets missing tables behind its last piece', () => {
    expect(edited('[mcp_servers.hubu]\ncommand = "node"\n\n[z]\na = 1\n')).toBe(tables.trimEnd() + '\n\n[z]\na = 1\n')
  })
})

describe('a TOML entry is removed', () => {
  it.each([
    ['with the blank line above each table', 'a = 1\n\n' + tables, 'a = 1\n'],
    ['from between others', '[x]\na = 1\n\n' + tables + '\n[z]\n', '[x]\na = 1\n\n[z]\n'],
    [
      'without the comments of the user',
      '# about\n[mcp_servers.hubu] # head\ncommand = "x" # why\n# mine\n[z]\n',
      '# about\n# head\n# why\n# mine\n[z]\n',
    ],
    [
      'from dotted keys',
      'a = 1\nmcp_servers.hubu.command = "x"\nmcp_servers.hubu.args = [\n  "y",\n]\nb = 2\n',
      'a = 1\nb = 2\n',
    ],
    ['from an inline table', 'mcp_servers = { hubu = { command = "x" }, o = {} }\n', 'mcp_servers = { o = {} }\n'],
  ])('%s', (_, before, after) => {
    expect(edited(before, drop)).toBe(after)
  })
})

describe('TOML is refused with its place', () => {
  it.each([
    ['a value is missing', 'a = 1\nb =\n', 'line 2, column 4: a value is missing here'],
    ['a key is there twice', 'a = 1\na = 2\n', 'line 2, column 1'],
    ['the section is a list of tables', '[[mcp_servers]]\n', 'line 1, column 1: mcp_servers is not a table or object'],
    ['the section is a value', 'mcp_servers = "x"\n', 'line 1, column 15: mcp_servers is not a table or object'],
  ])('%s', (_, text, message) => {
    expect(() => edited(text)).toThrow(message)
  })
})

describe('lists of TOML tables', () => {
  const rule = (pattern: string): { decision: string; pattern: string } => ({ decision: 'allow', pattern })
  const append: Edit = { kind: 'append', path: ['permission', 'rules'], items: [rule('a'), rule('b')] }
  const blocks = (...patterns: string[]): string =>
    patterns.map((pattern) => `[[permission.rules]]\ndecision = "allow"\npattern = "${pattern}"\n`).join('\n')

  it('grow by tables where they are written as tables, and hold no item twice', () => {
    expect(edited(blocks('a') + '\n[z]\n', append)).toBe(blocks('a') + '\n[z]\n\n' + blocks('b'))
  })

  it('begin as tables when there is no list', () => {
    expect(edited('', append)).toBe(blocks('a', 'b'))
    expect(edited('[permission]\nmode = "x"\n', append)).toBe('[permission]\nmode = "x"\n\n' + blocks('a', 'b'))
  })

  it('lose items again', () => {
    const take: Edit = { kind: 'take', path: ['permission', 'rules'], items: [rule('b')] }
    expect(edited(blocks('a', 'b'), take)).toBe(blocks('a'))
    expect(edited('permission = { rules = [ { decision = "allow", pattern = "b" } ] }\n', take)).toBe(
      'permission = { rules = [] }\n',
    )
  })
})
