// JSON files that have grown beyond what a tree is made of.
import { describe, expect, it } from 'vitest'
import { changesOfWhole, excerptOf } from '../../src/documents/excerpt.ts'
import { editText, parseText } from '../../src/documents/edit-text.ts'
import { json, jsonc } from '../../src/documents/json.ts'
import { applySplices, invert, toSplices } from '../../src/documents/splice.ts'
import { nodeAt, toLoose } from '../../src/documents/tree.ts'
import { toml } from '../../src/documents/toml.ts'

const entry = { command: '/usr/bin/node', args: ['/opt/hubu-unified-mcp/dist/main.js', 'sandbox'] }

/** A file as Claude Code leaves it after years: histories of many projects, odd numbers, servers at both places. */
function grown(indent = 2): string {
  const history = Array.from({ length: 300 }, (_, at) => ({
    display: `é ${'x'.repeat(120)} ${at}\n`,
    pasted: { a: {} },
  }))
  const projects = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [
      `/home/ada/p${at}`,
      { history, allowedTools: [], mcpServers: { own: entry } },
    ]),
  )
  const text = JSON.stringify({ numStartups: 4, id: 'i'.repeat(200), mcpServers: { a: entry }, projects }, null, indent)
  return text.replace('"numStartups": 4', '"numStartups": 12345678901234567890, "__proto__": 1e999')
}

describe('a JSON file of many megabytes', () => {
  it.each([
    ['in many lines', grown(), ['mcpServers']],
    ['in one line', grown(0), ['mcpServers']],
    ['in a project, behind what is long', grown(), ['projects', '/home/ada/p7', 'mcpServers']],
    [
      'in a section that is not there yet, behind the long ones',
      grown().replace('"mcpServers": {\n    "a"', '"other": {\n    "a"'),
      ['mcpServers'],
    ],
    ['with a byte order mark', `\uFEFF${grown()}`, ['mcpServers']],
  ])('gets an entry %s; everything else stays, and undo gives the same text', (_, text, section) => {
    expect(text.length).toBeGreaterThan(4 * 1024 * 1024)
    const { text: after, changes } = editText(json, text, [
      { kind: 'merge', path: [...section, 'hubu'], members: entry },
    ])
    const mark = text.startsWith('\uFEFF') ? 1 : 0
    const [old, now] = [text, after].map((each) => JSON.parse(each.slice(mark)) as Record<string, never>)
    const parent = section.reduce((at, key) => (at[key] ??= {} as never), old!)
    parent['hubu'] = entry as never
    expect(JSON.stringify(now)).toBe(JSON.stringify(old))
    expect(applySplices(after, toSplices(invert(changes)))).toBe(text)
    expect(editText(json, after, [{ kind: 'merge', path: [...section, 'hubu'], members: entry }]).changes).toEqual([])
    const removed = editText(json, after, [{ kind: 'remove', path: [...section, 'hubu'] }])
    expect(removed.text.length).toBeLessThan(after.length)
  })

  it('is read for its servers without its long values, line for line', () => {
    const text = grown()
    const { root, text: shown } = parseText(jsonc, text)
    expect(toLoose(nodeAt(root, ['mcpServers'])!)).toEqual({ a: entry })
    expect(toLoose(nodeAt(root, ['projects', '/home/ada/p9', 'mcpServers'])!)).toEqual({ own: entry })
    expect(toLoose(nodeAt(root, ['projects', '/home/ada/p9', 'history'])!)).toBe('...')
    expect(toLoose(nodeAt(root, ['id'])!)).toBe('i'.repeat(200))
    expect(shown.split('\n')).toHaveLength(text.split('\n').length)
    expect(shown.length).toBeLessThan(text.length / 4)
  })

  it('is refused where it is broken, with the place, and where an edit would reach into what is long', () => {
    const text = grown()
    const at = text.lastIndexOf('"pasted":')
    const broken = `${text.slice(0, at)}'pasted':${text.slice(at + 9)}`
    expect(() => parseText(json, broken)).toThrow(/line \d{5,}, column 11/)
    expect(() => parseText(json, `${text} x`)).toThrow(/the file must end here|not JSON/)
    expect(() => parseText(json, text.slice(0, -2))).toThrow(/closing brace/)
    const into = { kind: 'merge' as const, path: ['projects', '/home/ada/p7', 'history', 'x'], members: { a: 1 } }
    expect(() => editText(json, text, [into])).toThrow()
    expect(() => parseText(toml, `a = "${'x'.repeat(5 * 1024 * 1024)}"`)).toThrow(
      'too large to be edited in its format',
    )
  })

  it('has changes beside what was left out, and none in it', () => {
    const text = `{"a": "${'x'.repeat(2 * 1024 * 1024)}", "b": 1}`
    const excerpt = excerptOf(text, {})
    if ('fault' in excerpt) throw new Error('it is no JSON')
    expect(excerpt.text).toBe('{"a": "...", "b": 1}')
    const moved = (at: number, removed: string) => changesOfWhole([{ at, removed, inserted: '!' }], excerpt.cuts)
    expect(moved(5, '')).toMatchObject([{ at: 5 }])
    expect(moved(11, '')).toMatchObject([{ at: text.indexOf(', "b"') }])
    expect(moved(18, '1')).toMatchObject([{ at: text.lastIndexOf('1') }])
    for (const [at, removed] of [
      [7, ''],
      [6, '"..."'],
      [5, ' "'],
      [7, '...", '],
    ] as const)
      expect(moved(at, removed)).toBeUndefined()
  })
})
