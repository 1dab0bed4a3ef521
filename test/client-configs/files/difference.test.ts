import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applySplices, type Change, SplicedText, toSplices } from '../../../src/documents/splice.ts'
import { difference, type FileChange } from '../../../src/client-configs/files/difference.ts'

const ten = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('')

const of = (before: string, changes: Change[], more: Partial<FileChange> = {}): string => {
  const after = applySplices(before, toSplices(changes))
  return difference({ path: '/f', before, after, changes, isNew: false, ...more })
}

function show(before: string, ...changes: Change[]): string[] {
  return of(before, changes).split('\n').slice(2, -1)
}

describe('a difference', () => {
  it('shows three lines around a change', () => {
    expect(show(ten, { at: ten.indexOf('line 5'), removed: 'line 5', inserted: 'five' })).toEqual([
      '@@ -2,7 +2,7 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+five',
      ' line 6',
      ' line 7',
      ' line 8',
    ])
  })

  it('adds whole lines at the end, and names a file that is new', () => {
    expect(show('a\n', { at: 2, removed: '', inserted: 'b\nc\n' })).toEqual(['@@ -1,1 +1,3 @@', ' a', '+b', '+c'])
    expect(of('', [{ at: 0, removed: '', inserted: 'a\n' }], { isNew: true })).toBe(
      '--- (no file yet)\n+++ /f\n@@ -0,0 +1,1 @@\n+a\n',
    )
  })

  it('shows an insertion before a line end as new lines only', () => {
    expect(show('{\n  "a": 1\n}\n', { at: 10, removed: '', inserted: ',\n  "b": 2' })).toEqual([
      '@@ -1,3 +1,4 @@',
      ' {',
      '-  "a": 1',
      '+  "a": 1,',
      '+  "b": 2',
      ' }',
    ])
  })

  it('begins a new hunk for a change far away', () => {
    const changes = [
      { at: 0, removed: 'line 1', inserted: 'one' },
      { at: ten.indexOf('line 10'), removed: 'line 10', inserted: 'ten' },
    ]
    const shown = show(ten, ...changes)
    expect(shown.filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,4 +1,4 @@', '@@ -7,4 +7,4 @@'])
  })

  it('hides what looks like a secret, in new lines and in those around them', () => {
    const before = '{\n  "OTHER_API_KEY": "sk-123",\n  "a": 1\n}\n'
    const shown = show(before, { at: before.indexOf('1\n'), removed: '1', inserted: '2' }).join('\n')
    expect(shown).toContain('"OTHER_API_KEY": "***"')
    expect(shown).not.toContain('sk-123')
  })

  it('applied to the old lines gives the new ones, whatever was changed', () => {
    const texts = fc
      .array(fc.constantFrom('a\n', 'b\n', 'a', '\n', 'c\r\n'), { maxLength: 12 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.array(fc.tuple(fc.nat(30), fc.nat(4), texts), { maxLength: 3 }), (before, edits) => {
        const spliced = new SplicedText(before)
        for (const [at, length, text] of edits) {
          const size = spliced.text.length
          spliced.apply([{ start: Math.min(at, size), end: Math.min(at + length, size), text }])
        }
        const changes = spliced.changes()
        expect(patch(before, of(before, changes))).toEqual(linesOf(spliced.text))
      }),
      { numRuns: 1000, seed: 7 },
    )
  })
})

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .slice(0, text.endsWith('\n') || text === '' ? -1 : undefined)
}

/** Applies a unified difference the way `patch` does. */
function patch(before: string, shown: string): string[] {
  const old = linesOf(before)
  const result: string[] = []
  let at = 0
  for (const line of shown.split('\n').slice(2, -1)) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line)
    if (hunk !== null) {
      const start = Number(hunk[2]) === 0 ? Number(hunk[1]) : Number(hunk[1]) - 1
      result.push(...old.slice(at, start))
      at = start
    } else if (line.startsWith('+')) result.push(line.slice(1))
    else {
      expect(old[at]).toBe(line.slice(1))
      if (line.startsWith(' ')) result.push(line.slice(1))
      at++
    }
  }
  return [...result, ...old.slice(at)]
}
