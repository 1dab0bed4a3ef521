import { describe, expect, it } from 'vitest'
import { editText } from '../../src/documents/edit-text.ts'
import { json, jsonc } from '../../src/documents/json.ts'

const add = { kind: 'merge' as const, path: ['mcpServers', 'hubu'], members: { command: 'node', args: ['main.js'] } }

/** The text after the edit. */
const after = (text: string, format = jsonc): string => editText(format, text, [add]).text

describe('an entry goes into JSON', () => {
  it('behind the comment of the last sibling, which stays on its line, with the comma habit kept', () => {
    expect(after('{\n  "mcpServers": {\n    "a": {} // mine\n    // end\n  }\n}\n')).toBe(
      '{\n  "mcpServers": {\n    "a": {}, // mine\n    "hubu": {\n      "command": "node",\n      "args": ["main.js"]\n    }\n    // end\n  }\n}\n',
    )
    expect(after('{\n\t"mcpServers": {\n\t\t"a": {}, /* mine */\n\t},\n}\n')).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": {}, /* mine */\n\t\t"hubu": {\n\t\t\t"command": "node",\n\t\t\t"args": ["main.js"]\n\t\t},\n\t},\n}\n',
    )
  })

  it('and a file on one line stays on one line', () => {
    expect(after('{"mcpServers":{"a":{}}}')).toBe(
      '{"mcpServers":{"a":{},"hubu":{"command":"node","args":["main.js"]}}}',
    )
    expect(after('{"x": 1, "mcpServers": {}}')).toBe(
      '{"x": 1, "mcpServers": {"hubu": {"command": "node", "args": ["main.js"]}}}',
    )
  })

  it("with the file's own byte order mark and line ends", () => {
    expect(after('\uFEFF{\r\n  "x": 1\r\n}\r\n')).toBe(
      '\uFEFF{\r\n  "x": 1,\r\n  "mcpServers": {\r\n    "hubu": {\r\n      "command": "node",\r\n      "args": ["main.js"]\r\n    }\r\n  }\r\n}\r\n',
    )
  })

  it('while mixed line ends stay as they are', () => {
    const before = '{\r\n  "x": 1,\n  "mcpServers": {\r\n    "a": {}\n  }\n}'
    const result = editText(jsonc, before, [add])
    expect(result.changes.map(({ removed }) => removed)).toEqual([''])
    expect(result.text.replace(result.changes[0]!.inserted, '')).toBe(before)
    expect(result.text).toContain('"a": {},\r\n    "hubu": {')
  })

  it('and leaves numbers and names that JavaScript would change as they are', () => {
    const before =
      '{\n  "id": 12345678901234567890,\n  "big": 1e999,\n  "zero": -0,\n  "mcpServers": {\n    "__proto__": {"command": "x"}\n  }\n}\n'
    const text = after(before, json)
    for (const token of ['12345678901234567890', '1e999', '-0', '"__proto__": {"command": "x"}'])
      expect(text).toContain(token)
    expect(Object.keys((JSON.parse(text) as { mcpServers: object }).mcpServers)).toEqual(['__proto__', 'hubu'])
  })

  it('and into a file that is empty or holds only comments', () => {
    expect(after('')).toBe(
      '{\n  "mcpServers": {\n    "hubu": {\n      "command": "node",\n      "args": ["main.js"]\n    }\n  }\n}\n',
    )
    expect(after('// mine').startsWith('// mine\n{\n  "mcpServers"')).toBe(true)
  })
})

describe('JSON is refused with its place', () => {
  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: a comma is expected here'],
    ['a cut file', '{"mcpServers": {', 'line 1, column 17: a closing brace is missing'],
    ['a comment in strict JSON', '{} // no', 'line 1, column 4: this file may not contain comments'],
    ['a list as root', '[]', 'line 1, column 1: the file must hold one JSON object'],
    [
      'the section twice',
      '{"mcpServers": {},\n "mcpServers": {}}',
      'mcpServers stands twice: line 1, column 2 and line 2, column 2',
    ],
    ['the section as a list', '{"mcpServers": []}', 'line 1, column 16: mcpServers is not a table or object'],
    ['the section as a text', '{"mcpServers": "x"}', 'line 1, column 16: mcpServers is not a table or object'],
    [
      'a member of the entry twice',
      '{"mcpServers": {"hubu": {"args": [],\n"args": []}}}',
      'mcpServers.hubu.args stands twice: line 1, column 26 and line 2, column 1',
    ],
  ])('%s', (_, text, message) => {
    expect(() => after(text, json)).toThrow(message)
  })

  it('and nesting that no parser follows is refused, not a crash', () => {
    const depth = 200_000
    expect(() => after(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toThrow('nested too deeply')
  })
})

describe('a JSON entry that exists', () => {
  const existing =
    '{\n  "mcpServers": {\n    "hubu": {\n      "command" : "old", // why\n      "enabled": false,\n      "args": ["main.js"]\n    }\n  }\n}\n'

  it('gets only its differing values replaced', () => {
    expect(after(existing)).toBe(existing.replace('"old"', '"node"'))
  })

  it('is left alone when it says everything already', () => {
    expect(editText(jsonc, existing.replace('"old"', '"node"'), [add]).changes).toEqual([])
  })

  it('keeps values that are only to be there, whatever they are', () => {
    const edit = {
      kind: 'merge' as const,
      path: ['mcpServers', 'hubu'],
      members: { enabled: true, timeout: 5 },
      missingOnly: true,
    }
    expect(editText(jsonc, existing, [edit]).text).toBe(
      existing.replace('["main.js"]', '["main.js"],\n      "timeout": 5'),
    )
  })
})

describe('list items in JSON', () => {
  const file = '{\n  "permissions": {\n    "allow": [\n      "Bash(ls:*)", // mine\n      "b"\n    ]\n  }\n}\n'

  it('are appended once, behind those that are there', () => {
    const edit = { kind: 'append' as const, path: ['permissions', 'allow'], items: ['b', 'c', 'd'] }
    expect(editText(jsonc, file, [edit]).text).toBe(file.replace('"b"\n', '"b",\n      "c",\n      "d"\n'))
    expect(editText(jsonc, '{}', [edit]).text).toBe('{\n  "permissions": {\n    "allow": ["b", "c", "d"]\n  }\n}')
  })

  it('are taken away with their commas, and comments stay', () => {
    const take = (items: string[]): string =>
      editText(jsonc, file, [{ kind: 'take', path: ['permissions', 'allow'], items }]).text
    expect(take(['b'])).toBe(file.replace('"Bash(ls:*)", // mine\n      "b"', '"Bash(ls:*)" // mine'))
    expect(take(['Bash(ls:*)'])).toBe(file.replace('"Bash(ls:*)", // mine', '// mine'))
    expect(take(['Bash(ls:*)', 'b'])).toBe(file.replace('"Bash(ls:*)", // mine\n      "b"', '// mine'))
    expect(take(['nothing'])).toBe(file)
  })
})
