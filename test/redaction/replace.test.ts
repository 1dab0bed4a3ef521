import { expect, test } from 'vitest'
import { redactPrivateOperation } from '../../src/redaction/private-operation.ts'
import { mayHoldSecret, redactErrorText, redactSecrets, replaceAll } from '../../src/redaction/replace.ts'
import { Secret } from '../../src/redaction/secret.ts'
import { findTraces } from '../fuzz/canary.ts'

const marker = '<private operation redacted>'
const bearer = new Secret('bearer-canary')
const capability = new Secret('cap+canary/=')

test('the longest candidate wins, in one pass from the left', () => {
  const candidates = ['kk-1', 'kk-12', '2 kk']
  expect(replaceAll('kk-12,kk-1,kk-123', candidates, '#')).toBe('#,#,#3')
  expect(replaceAll('kk-12 kk', candidates, '#')).toBe('# kk')
  expect(replaceAll('xx', ['', 'x'], '#')).toBe('##')
  expect(replaceAll('a', ['a', 'a'], '$&')).toBe('$&')
  expect(replaceAll('as it was', [], '#')).toBe('as it was')
  expect(replaceAll('(.*)[a-z]|^$\\ /-', ['(.*)[a-z]|^$\\ /-'], '#')).toBe('#')
  expect(replaceAll('#a', ['#', 'a'], '#a')).toBe('#a#a')
})

test('a spend result loses every operation key: members, and what they held in strings anywhere', () => {
  const value = {
    a: { operation_key: 'kk-1' },
    b: [{ operation_key: 'kk-12' }],
    c: { operation_key: '2 kk' },
    d: { operation_key: 7 },
    e: { operation_key: { operation_key: 'inner', note: 'x' } },
    note: 'kk-12,kk-1,kk-123, inner, own-key',
    overlap: 'kk-12 kk',
    'name with own-key': 1,
    amount: 25,
    none: null,
  }
  expect(redactPrivateOperation(value, 'own-key')).toEqual({
    a: {},
    b: [{}],
    c: {},
    d: {},
    e: {},
    note: `${marker},${marker},${marker}3, ${marker}, ${marker}`,
    overlap: `${marker} kk`,
    'name with own-key': 1,
    amount: 25,
    none: null,
  })
  expect(redactPrivateOperation('own-key', 'own-key')).toBe(marker)
  expect(redactPrivateOperation([{ operation_key: '' }], 'k')).toEqual([{}])
})

test('a member named __proto__ neither vanishes nor changes the prototype', () => {
  const value = redactPrivateOperation(JSON.parse('{"__proto__":{"operation_key":"k1","note":"k1"}}'), 'k')
  expect(JSON.stringify(value)).toBe(`{"__proto__":{"note":"${marker}1"}}`.replace(`${marker}1`, marker))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('an error text shows neither bearer nor capability, however written, nor a private key', () => {
  const plain = capability.reveal()
  const said = [
    'bad Bearer bearer-canary',
    plain,
    encodeURIComponent(plain),
    Buffer.from(plain).toString('base64'),
    Buffer.from('bearer-canary').toString('base64url'),
    'hubu:operation:v1:codex:1',
  ].join(' and ')
  expect(redactErrorText(said, [bearer, capability], ['hubu:operation:v1:codex:1'])).toBe(
    `bad Bearer <redacted> and <redacted> and <redacted> and <redacted> and <redacted> and ${marker}`,
  )
  expect(redactErrorText('nothing', [bearer])).toBe('nothing')
  expect(redactErrorText('as it was', [new Secret('')])).toBe('as it was')
})

test.each<[string, (secret: string) => string]>([
  ['in JSON inside a text', (secret) => JSON.stringify({ authorization: secret })],
  ['percent-encoded in lower case', (secret) => encodeURIComponent(secret).toLowerCase()],
  ['in the base64 of something that begins a byte earlier', (secret) => Buffer.from(`:${secret}`).toString('base64')],
  ['in the base64 of a user name and it', (secret) => Buffer.from(`ab${secret}\n`).toString('base64')],
  ['in the base64 of a longer text', (secret) => Buffer.from(`abc${secret}, and so on`).toString('base64url')],
  ['in the base64 of the bytes that a header had', (secret) => Buffer.from(secret, 'latin1').toString('base64')],
  ['without the space that a header loses', (secret) => secret.trim()],
])('an error text does not show a secret %s', (_how, write) => {
  for (const secret of ['q7secret"é/+', 'q7secret-of-13', ' q7secret with space ']) {
    const shown = redactErrorText(`said: ${write(secret)}.`, [new Secret(secret)])
    expect(shown).toMatch(/^said: .*<redacted>.*\.$/)
    expect(findTraces([shown], [secret.trim()])).toEqual([])
    expect(mayHoldSecret(JSON.stringify({ a: write(secret) }), [new Secret(secret)])).toBe(true)
  }
})

test('a very short secret is replaced as it is, its encoded forms are not looked for', () => {
  expect(redactErrorText(`ab ${Buffer.from('ab').toString('base64')}`, [new Secret('ab')])).toBe('<redacted> YWI=')
})

test('a value without secrets is the same value; one with them is new', () => {
  const clean = { a: ['fine'] }
  expect(redactSecrets(clean, [bearer], '#')).toBe(clean)
  const value = { 'bearer-canary': ['x bearer-canary'], n: 1 }
  expect(redactSecrets(value, [bearer], '#')).toEqual({ '#': ['x #'], n: 1 })
  expect(value).toHaveProperty('bearer-canary')
})

test('a text that cannot hold a secret is told apart without parsing it', () => {
  expect(mayHoldSecret('{"a":"b\\n"}', [bearer])).toBe(false)
  expect(mayHoldSecret('{"a":"bearer-canary"}', [bearer])).toBe(true)
  expect(mayHoldSecret(JSON.stringify({ a: 'say "hush"' }), [new Secret('say "hush"')])).toBe(true)
  expect(mayHoldSecret('{"a":"\\u0062earer-canary"}', [bearer])).toBe(true)
  expect(mayHoldSecret('{"a":"cap+canary\\/="}', [capability])).toBe(true)
})
