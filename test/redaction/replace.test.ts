import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { protocol } from '#generated/protocol.js'
import { isFixedValue } from '../../src/redaction/fixed-members.ts'
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
  ['in another case', (secret) => secret.toUpperCase()],
  ['in hex', (secret) => Buffer.from(secret.trim()).toString('hex')],
  ['in hex of capitals', (secret) => Buffer.from(secret.trim()).toString('hex').toUpperCase()],
])('an error text does not show a secret %s', (_how, write) => {
  for (const secret of ['q7secret"é/+', 'q7secret-of-13', ' q7secret with space ']) {
    const shown = redactErrorText(`said: ${write(secret)}.`, [new Secret(secret)])
    expect(shown).toMatch(/^said: .*<redacted>.*\.$/)
    expect(findTraces([shown], [secret.trim()])).toEqual([])
    expect(mayHoldSecret(JSON.stringify({ a: write(secret) }), [new Secret(secret)])).toBe(true)
  }
})

test.each([
  ['hubu', '<redacted>'],
  ['Bearer hubu', 'Bearer <redacted>'],
  [
    'the token "hubu", then token=hubu&x=1; token:hubu.',
    'the token "<redacted>", then token=<redacted>&x=1; token:<redacted>.',
  ],
  ['hubu-spend-executor-v4.3 of Hubu at hubu.example, hubu:8787/hubu/x', undefined],
  ['pre-hubu, a.hubu, hubus, éhubu, aHVidQ==', undefined],
])('a secret of fewer than 8 characters goes where it stands alone: %s', (text, shown) => {
  const short = new Secret('hubu')
  expect(redactErrorText(text, [short])).toBe(shown ?? text)
  expect(redactSecrets({ hubu: [text] }, [short], '<redacted>')).toEqual({ hubu: [shown ?? text] })
})

test('what a contract fixes is never touched, be it the token itself', () => {
  const answer = { status: 'ok', decision: 'allow', executor_contract: 'hubu-spend-executor-v4.3', note: 'allow' }
  const tokens = ['ok', 'allow', 'hubu-spend-executor-v4.3', 'decision', 'executor_contract'].map(
    (text) => new Secret(text),
  )
  expect(redactSecrets(answer, tokens, '#')).toEqual({ ...answer, note: '#' })
  expect(redactSecrets({ decision: 'bearer-canary' }, [bearer], '#')).toEqual({ decision: '#' })
})

test('the values that contracts fix are those of the contracts', () => {
  const fixed = ['hubu.v1', 'gongbu.v2'].flatMap((name) => {
    const text = readFileSync(path.join('contracts/backends', `${name}.schema.json`), 'utf8')
    return fixedIn(JSON.parse(text), undefined)
  })
  expect(fixed.length).toBeGreaterThan(15)
  expect(fixed.filter(([name, value]) => !isFixedValue(name, value))).toEqual([])
  expect(isFixedValue('executor_contract', protocol.executor_contract)).toBe(true)
  expect(isFixedValue('mcp_protocol_version', protocol.baseline)).toBe(true)
})

/** Every text that a schema fixes for a member, with the member's name; that of the status of an execution is `status`. */
function fixedIn(schema: unknown, name = 'status'): [string, string][] {
  if (Array.isArray(schema)) return schema.flatMap((item) => fixedIn(item, name))
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]): [string, string][] => {
    if (key === 'const' && typeof value === 'string') return [[name, value]]
    if (key === 'enum' && Array.isArray(value)) return value.map((item) => [name, String(item)])
    if (key === 'properties')
      return Object.entries(value as object).flatMap(([member, inner]) => fixedIn(inner, member))
    return fixedIn(value, name)
  })
}

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
