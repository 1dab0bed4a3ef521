import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { editText } from '../../src/documents/edit-text.ts'
import { type DocumentFormat } from '../../src/documents/format.ts'
import { json, jsonc } from '../../src/documents/json.ts'
import { applySplices, invert, toSplices } from '../../src/documents/splice.ts'
import { toml } from '../../src/documents/toml.ts'
import { yaml } from '../../src/documents/yaml.ts'
import { randomJson, type RandomFile } from './random-json.ts'
import { randomToml } from './random-toml.ts'
import { randomYaml } from './random-yaml.ts'

const entry = {
  command: '/usr/bin/node',
  args: ['/opt/hubu unified/main.js', 'say "hi" \\ ü'],
  env: { HUBU_UNIFIED_HUBU_ENDPOINT: 'http://127.0.0.1:8787' },
  tools: { hubu_health: { approval_mode: 'approve' } },
}

interface Case {
  format: DocumentFormat
  section: string
  files: fc.Arbitrary<RandomFile>
  /** Reads a text with a parser that the engine does not locate with; undefined when there is none. */
  read?: (text: string) => unknown
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

const cases: Case[] = [
  { format: json, section: 'mcpServers', files: randomJson(false), read: (text) => JSON.parse(withoutMark(text)) },
  { format: jsonc, section: 'mcpServers', files: randomJson(true) },
  {
    format: toml,
    section: 'mcp_servers',
    files: randomToml(),
    read: (text) => parseToml(withoutMark(text), { integersAsBigInt: 'asNeeded' }),
  },
  {
    format: yaml,
    section: 'mcp_servers',
    files: randomYaml(),
    read: (text) => parseDocument(withoutMark(text), { version: '1.1', intAsBigInt: true, merge: false }).toJS(),
  },
]

/** What a reader sees, without our entry and without a section that is empty. */
function others(seen: unknown, section: string): unknown {
  const root = { ...(seen as Record<string, unknown> | null) }
  const { hubu: _, ...rest } = (root[section] ?? {}) as Record<string, unknown>
  const hasOthers = Object.keys(rest).length > 0
  if (hasOthers) root[section] = rest
  else delete root[section]
  return root
}

describe.each(cases)('random $format.name files', ({ format, section, files, read }) => {
  const edit = { kind: 'merge' as const, path: [section, 'hubu'], members: entry }
  const runs = { numRuns: 500, seed: 31, ...(process.env['FC_SEED'] ? { seed: Number(process.env['FC_SEED']) } : {}) }

  it('keep every byte outside the entry, and give the original back when the splices are undone', () => {
    fc.assert(
      fc.property(files, ({ text }) => {
        const after = editText(format, text, [edit])
        expect(applySplices(text, toSplices(after.changes))).toBe(after.text)
        expect(applySplices(after.text, toSplices(invert(after.changes)))).toBe(text)
        // A null section gives way; apart from that nothing of the user's is removed.
        for (const { removed } of after.changes) expect(removed.trim()).toMatch(/^(?:null|~)?$/)
        expect(editText(format, after.text, [edit]).changes).toEqual([])
      }),
      runs,
    )
  })

  it('say the entry and everything they said before, to another reader as well', () => {
    fc.assert(
      fc.property(files, ({ text }) => {
        if (read === undefined) return
        const after = read(editText(format, text, [edit]).text) as Record<string, Record<string, unknown>>
        expect(JSON.parse(JSON.stringify(after[section]!['hubu']))).toEqual(entry)
        expect(others(after, section)).toEqual(others(read(text), section))
      }),
      runs,
    )
  })

  it('lose the entry again by a structural removal, and nothing else', () => {
    fc.assert(
      fc.property(files, ({ text }) => {
        const after = editText(format, text, [edit]).text
        const removed = editText(format, after, [{ kind: 'remove', path: [section, 'hubu'] }]).text
        if (read !== undefined) expect(others(read(removed), section)).toEqual(others(read(text), section))
        expect(editText(format, removed, [edit]).changes).not.toEqual([])
      }),
      runs,
    )
  })
})
