import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** A file should be about 100 lines; longer than this it holds a second noun that wants its own file. */
const mostLines = 300

/** Files that may be longer, with the reason. One that no longer needs it must go from this list. */
const allowed: Record<string, string> = {}

const longFiles = readSources('src', 'scripts', 'test')
  .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
  .filter(({ lines }) => lines > mostLines)

test('no hand-written file is longer than 300 lines, unless this list says why', () => {
  const wrong = longFiles.filter(({ file }) => !(file in allowed))
  expect(wrong.map(({ file, lines }) => `${file}: ${lines} lines`)).toEqual([])
})

test('every exception is still needed and has a reason', () => {
  const needed = longFiles.map(({ file }) => file)
  expect(Object.keys(allowed).filter((file) => !needed.includes(file))).toEqual([])
  expect(Object.values(allowed).filter((reason) => reason.length < 20)).toEqual([])
})
