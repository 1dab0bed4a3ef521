import { expect, test } from 'vitest'
import { useWhen } from '#generated/catalog.js'
import { stem } from '../../src/search/stem.ts'
import { isUnindexed } from '../../src/search/terms.ts'
import { words } from '../../src/search/text.ts'
import { contractDocuments } from './golden.ts'

const hinted = Object.entries(useWhen)
const stemsOf = (text: string) => words(text).flatMap((word) => (isUnindexed(word.text) ? [] : [stem(word.text)]))

test('every contract tool has hints, as many as are read, none longer than is read', () => {
  expect(hinted).toHaveLength(34)
  for (const [name, hints] of hinted) {
    expect(hints.length, name).toBeGreaterThanOrEqual(8)
    expect(hints.length, name).toBeLessThanOrEqual(24)
    for (const hint of hints) expect(Buffer.byteLength(hint), hint).toBeLessThanOrEqual(256)
  }
})

test('no hint is given to two tools', () => {
  const all = hinted.flatMap(([, hints]) => hints)
  expect(all.filter((hint, at) => all.indexOf(hint) !== at)).toEqual([])
})

test('hints say it in other words than the description', () => {
  for (const { wireName, title, description, shortName } of contractDocuments()) {
    const said = new Set(stemsOf(`${shortName} ${title ?? ''} ${description ?? ''}`))
    const hints = (useWhen as Record<string, readonly string[]>)[wireName] ?? []
    const own = new Set(hints.flatMap(stemsOf))
    const fresh = [...own].filter((word) => !said.has(word))
    expect(fresh.length / own.size, wireName).toBeGreaterThan(0.5)
  }
})

test('every tool has hints in Chinese', () => {
  for (const [name, hints] of hinted) {
    expect(
      hints.some((hint) => /\p{Script=Han}/u.test(hint)),
      name,
    ).toBe(true)
  }
})
