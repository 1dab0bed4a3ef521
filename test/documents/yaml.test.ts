import { describe, expect, it } from 'vitest'
import { type Edit } from '../../src/documents/edit.ts'
import { editText } from '../../src/documents/edit-text.ts'
import { yaml } from '../../src/documents/yaml.ts'

const add: Edit = {
  kind: 'merge',
  path: ['mcp_servers', 'hubu'],
  members: { command: 'node', args: ['on', 'a b'], env: {} },
}
const drop: Edit = { kind: 'remove', path: ['mcp_servers', 'hubu'] }
const entry = '  hubu:\n    command: node\n    args:\n      - "on"\n      - "a b"\n    env: {}\n'

const edited = (text: string, edit: Edit = add): string => editText(yaml, text, [edit]).text

describe('an entry goes into YAML', () => {
  it.each([
    ['into an empty file', '', 'mcp_servers:\n' + entry],
    ['into a section without value', 'mcp_servers: # c\nb: 1\n', 'mcp_servers: # c\n' + entry + 'b: 1\n'],
    ['into a section that is null', 'mcp_servers: ~\nb: 1\n', 'mcp_servers:\n' + entry + 'b: 1\n'],
    [
      'behind its siblings, with their comments and blank lines',
      'mcp_servers:\n  a:\n    command: x # c\n\n# end\n',
      'mcp_servers:\n  a:\n    command: x # c\n' + entry + '\n# end\n',
    ],
    ['before the end of the document', '---\na: 1\n...\n', '---\na: 1\nmcp_servers:\n' + entry + '...\n'],
    ['behind a last line without line end', 'a: 1', 'a: 1\nmcp_servers:\n' + entry.trimEnd()],
    [
      'inside of braces',
      'mcp_servers: {a: {x: 1}} # c\n',
      'mcp_servers: {a: {x: 1}, hubu: {command: node, args: ["on", "a b"], env: {}}} # c\n',
    ],
    ['behind a text block that keeps its blank lines', 'a: |+\n  t\n\n\n', 'a: |+\n  t\n\n\nmcp_servers:\n' + entry],
  ])('%s', (_, before, after) => {
    expect(edited(before)).toBe(after)
  })

  it('with the indentation and line ends of the file', () => {
    expect(edited('mcp_servers:\r\n    a:\r\n        command: x\r\n')).toBe(
      'mcp_servers:\r\n    a:\r\n        command: x\r\n    hubu:\r\n        command: node\r\n        args:\r\n            - "on"\r\n            - "a b"\r\n        env: {}\r\n',
    )
  })

  it('while anchors, tags, text blocks and long lines stay as they are', () => {
    const before = `base: &b\n  x: !!str 5\ntext: |-\n  mcp_servers:\n    hubu: no\nlong: ${'x '.repeat(100)}\nmcp_servers:\n  a:\n    <<: *b\n    command: "y"\nz: *b\n`
    const { text, changes } = editText(yaml, before, [add])
    expect(changes).toHaveLength(1)
    expect(text).toBe(before.replace('z: *b\n', entry + 'z: *b\n'))
  })

  it('and a file of aliases upon aliases is refused at once', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`,
    )
    expect(() => edited(['l0: &l0 x', ...levels, ''].join('\n'))).toThrow('cannot be read in its format')
    expect(edited('a: &a [*a]\n').startsWith('a: &a [*a]\n')).toBe(true)
  })

  it('but not into a map that another place shares', () => {
    expect(() => edited('mcp_servers: &s\n  a:\n    command: x\ncopy: *s\n')).toThrow('could not be proven')
    expect(() => edited('s: &s\n  a: 1\nmcp_servers: *s\n')).toThrow(
      'line 3, column 14: mcp_servers is not a table or object',
    )
  })
})

describe('YAML is refused with its place', () => {
  it.each([
    ['a tab as indentation', 'a:\n\tb: 1\n', 'line 2, column 1'],
    ['a key twice', 'a: 1\na: 2\n', 'line 2, column 1: Map keys must be unique'],
    ['a second document', 'a: 1\n---\nb: 1\n', 'line 2, column 1: a second YAML document begins here'],
    ['a list as root', '- a\n', 'line 1, column 1: the file must hold a map'],
    ['the section as a list', 'mcp_servers:\n  - a\n', 'line 2, column 3: mcp_servers is not a table or object'],
  ])('%s', (_, text, message) => {
    expect(() => edited(text)).toThrow(message)
  })
})

describe('a YAML entry that exists', () => {
  const existing =
    'mcp_servers:\n  hubu: # mine\n    command: old # why\n    enabled: false\n    args: [on2]\n    env:\n      K: v\nz: 1\n'

  it('gets only its differing values replaced', () => {
    expect(edited(existing)).toBe(existing.replace('old', 'node').replace('[on2]', '["on", "a b"]'))
  })

  it('is removed with its lines, and an emptied section says so', () => {
    expect(edited(existing, drop)).toBe('mcp_servers: {}\nz: 1\n')
    expect(edited('mcp_servers:\n  a: 1\n\n' + entry + '# end\n', drop)).toBe('mcp_servers:\n  a: 1\n\n# end\n')
  })
})

describe('a list of named items in YAML', () => {
  const path = ['servers', { name: 'hubu' }]
  const named: Edit = { kind: 'merge', path, members: { command: 'node', env: ['A=b', 'C=d'] } }
  const item = '  - name: hubu\n    command: node\n    env:\n      - A=b\n      - C=d\n'

  it.each([
    ['into an empty file', '', 'servers:\n' + item],
    [
      'behind other items',
      'servers:\n  - name: a\n    command: x # c\n\nz: 1\n',
      'servers:\n  - name: a\n    command: x # c\n' + item + '\nz: 1\n',
    ],
    [
      'into a list without value',
      'servers:\nz: 1\n',
      'servers: [{name: hubu, command: node, env: [A=b, C=d]}]\nz: 1\n',
    ],
    [
      'into its own item',
      'servers:\n- command: old\n  name: hubu\n',
      'servers:\n- command: node\n  name: hubu\n  env:\n    - A=b\n    - C=d\n',
    ],
  ])('an item is written %s', (_, before, after) => {
    expect(edited(before, named)).toBe(after)
  })

  it('and an item is removed with its lines', () => {
    expect(edited('servers:\n  - name: a\n' + item + '  - name: b\n', { kind: 'remove', path })).toBe(
      'servers:\n  - name: a\n  - name: b\n',
    )
    expect(edited('servers:\n' + item, { kind: 'remove', path })).toBe('servers: []\n')
  })
})
