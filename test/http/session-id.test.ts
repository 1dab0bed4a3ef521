import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unsealSession, reducedCapabilities, sealSession, type Session } from '../../src/http/sessions/session-id.ts'

const key = Buffer.alloc(32, 7)
const nonce = Buffer.alloc(12, 1)
const session: Session = {
  revision: '2025-11-25',
  capabilities: { elicitation: { form: {} } },
  clientName: 'codex',
  principal: 'token:alice',
  issuedAt: 1_800_000_000,
  lists: ['0123456789abcdef', '', ''],
}
const asAlice = { key, principal: 'token:alice', now: session.issuedAt + 60 }
const id = sealSession(session, key, nonce)!
const day = 24 * 3600

test('whoever has the key opens what was sealed, and nobody reads it without', () => {
  expect(unsealSession(id, asAlice)).toEqual(session)
  expect(id).toMatch(/^hs1\.[A-Za-z0-9_-]+$/)
  expect(Buffer.from(id.slice(4), 'base64url').toString('latin1')).not.toMatch(/alice|codex|elicitation/)
  expect(unsealSession(id, { ...asAlice, key: Buffer.alloc(32, 8) })).toBe('damaged')
})

test("it is one principal's", () => expect(unsealSession(id, { ...asAlice, principal: 'token:bob' })).toBe('principal'))

test.each([
  [29 * day, true],
  [31 * day, false],
  [-200, true],
  [-3600, false],
])('an age of %i s opens it: %s', (age, isOpen) => {
  expect(typeof unsealSession(id, { ...asAlice, now: session.issuedAt + age }) !== 'string').toBe(isOpen)
})

test('no other text opens, not even another spelling of the same bytes', () => {
  const at = fc.nat(id.length - 1)
  fc.assert(
    fc.property(at, fc.string({ minLength: 1, maxLength: 1 }), (index, character) => {
      const changed = id.slice(0, index) + character + id.slice(index + 1)
      fc.pre(changed !== id)
      expect(unsealSession(changed, asAlice)).toBe('damaged')
    }),
  )
  for (const other of ['', 'x', `${id}=`, `${id}AAAA`, id.slice(0, -4), `hs2${id.slice(3)}`, 'hs1.'])
    expect(unsealSession(other, asAlice), other).toBe('damaged')
})

test('what was sealed for another use, or is no session, does not open', () => {
  const sealed = (text: string, boundTo: string) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
    return `hs1.${Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`
  }
  expect(unsealSession(sealed(JSON.stringify({ v: 'x' }), 'hubu-session:v1'), asAlice)).toBe('damaged')
  expect(unsealSession(sealed('no JSON', 'hubu-session:v1'), asAlice)).toBe('damaged')
  expect(unsealSession(sealed('{}', 'hubu-request-state:v1'), asAlice)).toBe('damaged')
})

describe('what is kept of a client', () => {
  test('of its capabilities only what somebody could ask of it', () => {
    const said = {
      elicitation: { form: { secret: 1 }, other: {} },
      sampling: {},
      roots: { listChanged: true },
      experimental: { x: {} },
    }
    expect(reducedCapabilities(said)).toEqual({ elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } })
    expect([reducedCapabilities(null), reducedCapabilities([]), reducedCapabilities({ roots: 1 })]).toEqual([
      {},
      {},
      {},
    ])
  })

  test('of a long name the beginning, so that no id is too long', () => {
    const long = sealSession({ ...session, clientName: `${'é'.repeat(63)}😀${'x'.repeat(9000)}` }, key, nonce)!
    const opened = unsealSession(long, asAlice) as Session
    expect(opened.clientName).toBe(`${'é'.repeat(63)}😀`)
    expect(sealSession({ ...session, principal: `jwt:${'x'.repeat(3000)}` }, key, nonce)).toBeUndefined()
  })
})
