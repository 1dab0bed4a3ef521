import { describe, expect, test } from 'vitest'
import { actionClassOf, commandClassOf } from '../../src/search/actions.ts'
import { languagesOf, translate, translateRun } from '../../src/search/dictionaries.ts'
import { root, stem, stemSpanish } from '../../src/search/stem.ts'
import { bigrams, fold, nameKey, words } from '../../src/search/text.ts'
import { isPhrase, phrasesFrom, synonymsOf } from '../../src/search/thesaurus.ts'
import { buildLexicon, closeWords, distance, tolerance } from '../../src/search/typo.ts'

describe('words of a text', () => {
  const textsOf = (text: string) => words(text).map((word) => word.text)

  test('case and accents are folded, letters of other scripts stay', () => {
    expect(textsOf('Búsqueda de PÁGINAS, Straße')).toEqual(['busqueda', 'de', 'paginas', 'strasse'])
    expect(fold('Åse Œuvre Łódź 한국')).toBe('ase oeuvre lodz 한국')
  })

  test('underscores, hyphens and every sign separate', () => {
    expect(textsOf('Widgets-and_gadgets, the BOXES!')).toEqual(['widgets', 'and', 'gadgets', 'the', 'boxes'])
  })

  test.each([
    ['getUserById', ['get', 'user', 'by', 'id']],
    ['HTTPServer', ['http', 'server']],
    ['GitHub', ['git', 'hub']],
    ['mp4', ['mp', '4']],
    ['Word', []],
    ['PRs', []],
    ['WORD', []],
  ])('`%s` falls into its pieces by case and digits', (text, parts) => {
    expect(words(text)[0]?.parts).toEqual(parts)
  })

  test('scripts without spaces stand apart from letters and give pairs of characters', () => {
    expect(words('用户List余额').map(({ text, unspaced }) => [text, unspaced])).toEqual([
      ['用户', true],
      ['list', false],
      ['余额', true],
    ])
    expect([bigrams('查询包裹'), bigrams('钱')]).toEqual([['查询', '询包', '包裹'], ['钱']])
  })

  test('the number of words and their length are bounded', () => {
    expect(words('a '.repeat(5000), 10)).toHaveLength(10)
    expect(words('x'.repeat(5000))[0]?.text).toHaveLength(64)
  })

  test('a name has one key however it is spelled', () => {
    const keys = ['listOpenTickets', 'list_open_tickets', 'LIST-open-tickets', ' List open tickets '].map(nameKey)
    expect(new Set(keys)).toEqual(new Set(['list open tickets']))
  })
})

describe('stems', () => {
  test.each([
    ['entries', 'entry'],
    ['classes', 'class'],
    ['issues', 'issue'],
    ['processes', 'process'],
    ['boxes', 'box'],
    ['creating', 'create'],
    ['stopped', 'stop'],
    ['paid', 'pay'],
    ['sent', 'send'],
    ['moving', 'move'],
    ['adding', 'add'],
    ['cancelled', 'canceled'],
    ['authorise', 'authorize'],
    ['colours', 'color'],
    ['constructors', 'constructor'],
    ['imágenes', 'imagen'],
  ])('`%s` and `%s` share one', (one, other) => {
    expect(stem(fold(one))).toBe(stem(fold(other)))
  })

  test.each([
    ['status', 'state'],
    ['plan', 'planet'],
    ['data', 'date'],
    ['page', 'pay'],
    ['process', 'proceed'],
    ['issue', 'is'],
  ])('`%s` and `%s` do not', (one, other) => {
    expect(stem(one)).not.toBe(stem(other))
  })

  test.each([
    ['authorization', 'authorize'],
    ['generation', 'generate'],
    ['deletion', 'delete'],
    ['deployment', 'deploy'],
  ])('`%s` is derived from `%s`', (noun, verb) => {
    expect(root(stem(noun))).toBe(root(stem(verb)))
  })

  test.each([
    ['archivos', 'archivo'],
    ['muéstrame', 'muestra'],
    ['pagando', 'pagar'],
    ['autorizaciones', 'autorizar'],
    ['devuelto', 'devuelta'],
  ])('Spanish `%s` and `%s` share one', (one, other) => {
    expect(stemSpanish(fold(one))).toBe(stemSpanish(fold(other)))
  })
})

describe('misspellings', () => {
  test.each([
    ['bugdet', 'budget', 1],
    ['bget', 'budget', 2],
    ['recieve', 'receive', 1],
    ['same', 'same', 0],
    ['abcdef', 'uvwxyz', 3],
  ])('`%s` is %s edits from `%s`', (a, b, edits) => {
    expect(distance(a, b, 2)).toBe(edits)
    expect(distance(b, a, 2)).toBe(edits)
  })

  test('short words are hardly repaired, long ones up to two edits', () => {
    expect([2, 3, 4, 7, 8, 20].map(tolerance)).toEqual([0, 1, 1, 1, 2, 2])
    const lexicon = buildLexicon(['pull', 'pill', 'policy', 'artifacts'])
    const close = (word: string) => closeWords(lexicon, word, tolerance(word.length)).map((found) => found.word)
    expect([close('pul'), close('pal'), close('polciy'), close('artifcast'), close('poolcyx')]).toEqual([
      ['pull'],
      [],
      ['policy'],
      ['artifacts'],
      [],
    ])
  })
})

describe('dictionaries', () => {
  test('synonyms work both ways, through stems, with near and far told apart', () => {
    expect(synonymsOf(stem('erase')).get(stem('delete'))).toBe('near')
    expect(synonymsOf(stem('delete')).get(stem('erase'))).toBe('near')
    expect(synonymsOf(stem('cancel')).get(stem('delete'))).toBe('far')
    expect(synonymsOf('mr').get('merg_request')).toBe('same')
    expect(synonymsOf('zorbla').size).toBe(0)
  })

  test('phrases are known by their first word, the longer ones first', () => {
    expect(isPhrase('pull_request')).toBe(true)
    const lengths = phrasesFrom('how').map(({ stems }) => stems.length)
    expect(lengths.length).toBeGreaterThan(2)
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a))
  })

  test.each([
    ['borrar', 'spanish', 'delete'],
    ['borrando', 'spanish', 'delete'],
    ['presupuestos', 'spanish', 'budget'],
    ['losche', 'german', 'delete'],
    ['supprime', 'french', 'delete'],
    ['fattura', 'romance', 'invoice'],
  ] as const)('`%s` (%s) means %s', (word, language, english) => {
    expect(translate(word, language)).toContain(stem(english))
  })

  test('Chinese words are found inside a run, the longest first', () => {
    expect(translateRun('我的预算还剩多少').map(({ text }) => text)).toEqual(['预算', '还剩'])
    expect(translateRun('文件夹')[0]?.text).toBe('文件夹')
  })

  test.each([
    ['show me the budget of my agent', []],
    ['muestra el presupuesto de mi agente', ['spanish']],
    ['zeige mir das budget', ['german']],
    ['montre le budget de mon agent', ['french']],
  ])('`%s` is in its language', (text, wanted) => {
    expect(languagesOf(text.split(' ')).slice(0, 1)).toEqual(wanted)
  })

  test('commands are told from other forms of the same verb', () => {
    expect([commandClassOf('create'), commandClassOf('created'), actionClassOf(stem('created'))]).toEqual([
      'create',
      null,
      'create',
    ])
  })
})
