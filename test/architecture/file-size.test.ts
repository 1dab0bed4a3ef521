import ts from 'typescript'
import { expect, test } from 'vitest'
import { walk } from './imports.ts'
import { readSources } from './sources.ts'

/** A file should be about 100 lines; longer than this it holds a second noun that wants its own file. */
const mostLines = 300

/** A function longer than this hides a life of its own that nobody can test. */
const mostLinesOfFunction = 120

const linesOf = (text: string) => text.split('\n').length

test('no hand-written file is longer than 300 lines', () => {
  const wrong = readSources('src', 'scripts', 'test').filter(({ text }) => linesOf(text) - 1 > mostLines)
  expect(wrong.map(({ file, text }) => `${file}: ${linesOf(text) - 1} lines`)).toEqual([])
})

test('no function is longer than 120 lines', () => {
  const wrong: string[] = []
  for (const source of readSources('src', 'scripts'))
    walk(source, (node) => {
      if (!ts.isFunctionLike(node)) return
      const lineAt = (position: number) => node.getSourceFile().getLineAndCharacterOfPosition(position).line
      const lines = lineAt(node.end) - lineAt(node.getStart()) + 1
      if (lines > mostLinesOfFunction) wrong.push(`${source.file}:${lineAt(node.getStart()) + 1}: ${lines} lines`)
    })
  expect(wrong).toEqual([])
})
