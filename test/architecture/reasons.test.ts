// A comment or a title gives the reason itself: a number points into a document that a reader cannot open.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSources, root, type Source } from './sources.ts'

/** Rules, chapters, field cases and reports by number, as people cite them. */
const citation =
  /\((?:[RMGHU] ?|DESIGN |STYLE )\d|\b[RMGHU] \d+(?:\.\d+|,|\))|\b(?:DESIGN|STYLE|FIELD-CASES)\b(?!\.)|\b[A-Z]\d\d\b(?=[,;)])|\b(?:[Rr]ules?|[Cc]ases?|[Ii]ssue|[Cc]hapter) \d+\b(?!:)|(?<=\s)#\d{1,3}\b/g

const citationsIn = ({ file, text }: Source): string[] =>
  text.split('\n').flatMap((line, at) => (line.match(citation) ?? []).map((found) => `${file}:${at + 1}: ${found}`))

/** Contract files that may still change: a released one keeps its words until its next version. */
function drafts(): Source[] {
  const folder = path.join(root, 'contracts')
  const { released } = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as { released: object }
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !(name in released))
    .map((name) => ({ file: `contracts/${name}`, text: readFileSync(path.join(folder, name), 'utf8') }))
}

test.each(['src', 'scripts', 'test'])('nothing in %s cites a rule by its number', (folder) => {
  const sources = readSources(folder).filter(({ file }) => file !== 'test/architecture/reasons.test.ts')
  expect(sources.flatMap(citationsIn)).toEqual([])
})

test('no draft of a contract cites a rule by its number', () => {
  expect(drafts().flatMap(citationsIn)).toEqual([])
})

test('a comment says more than what its reader sees: none has the shape "What X needs."', () => {
  const wrong = readSources('src', 'scripts', 'test').flatMap(({ file, text }) =>
    (text.match(/(?:\/\*\*|\/\/) What [\w' ]+ (?:needs?|(?:is|are) made (?:of|from))\.(?: \*\/)?$/gm) ?? []).map(
      (found) => `${file}: ${found}`,
    ),
  )
  expect(wrong).toEqual([])
})

test.each([
  '// as R 3.5 says',
  '/** Bounded (M 4.1). */',
  "test('sends once (H09, W29)')",
  '// see DESIGN 7',
  '// case 46 of the reference',
  '// issue 12',
])('this test would catch %s', (text) => {
  expect(citationsIn({ file: 'src/x.ts', text })).not.toEqual([])
})

test.each(["const color = '#123abc'", '// SHA-256 and ISO 8601', 'const P50 = 1'])('and leaves %s alone', (text) => {
  expect(citationsIn({ file: 'src/x.ts', text })).toEqual([])
})
