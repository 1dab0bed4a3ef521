import { expect, test } from 'vitest'
import { holdsWords, mayHoldWords, wordsIn } from '../../../src/operations/find/words.ts'

const finds = (query: string, ...texts: string[]) => holdsWords(texts, wordsIn(query)!)

test.each([
  ['BILD titel', 'Ein Bild für die Titelseite'],
  ['titelseite ein', 'Ein Bild für die Titelseite'],
  ['FÜR', 'Ein Bild für die Titelseite'],
  ['fu\u0308r', 'Ein Bild für die Titelseite'],
  ['strasse', 'Straßenbahn'],
  ['STRASSE', 'eine straße'],
  ['ΟΔΟΣ', 'η οδός οδος'],
  ['poster', 'ｐｏｓｔｅｒ two'],
  ['title-picture', 'a Picture, (title)'],
  ['图片', '封面图片'],
  ['12', '12 posters'],
])('%j is found in %j', (query, text) => {
  expect(finds(query, text)).toBe(true)
  expect(mayHoldWords(JSON.stringify({ content: text }), wordsIn(query)!)).toBe(true)
})

test.each([
  ['ild', 'Ein Bild für die Titelseite'],
  ['bild poster', 'Ein Bild für die Titelseite'],
  ['2', '12 posters'],
  ['́r', 'für'],
])('%j is not found in %j', (query, text) => expect(finds(query, text)).toBe(false))

test('words may lie in different texts', () => expect(finds('acme poster', 'a poster', 'Acme')).toBe(true))

test('a query holds one to sixteen words', () => {
  expect(wordsIn(' - , ')).toBeUndefined()
  expect(wordsIn('a b c d e f g h i j k l m n o p')).toHaveLength(16)
  expect(wordsIn('a b c d e f g h i j k l m n o p q')).toBeUndefined()
})
