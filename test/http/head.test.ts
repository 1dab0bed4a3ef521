import { describe, expect, test } from 'vitest'
import { judgeHead, type FrontRules, type Head } from '../../src/http/front/head.ts'

const rules: FrontRules = {
  path: '/mcp',
  isSecure: false,
  hosts: new Set(['localhost', '127.0.0.1', '[::1]', 'router.example']),
  ownOrigin: 'https://router.example',
  allowedOrigins: new Set(['https://studio.example']),
  hasMetrics: false,
  metadataPath: undefined,
}

function head(change: Partial<Head> = {}, fields: Head['fields'] = {}): Head {
  return {
    method: 'POST',
    target: '/mcp',
    version: '1.1',
    fieldCount: 3,
    fields: { host: ['localhost'], ...fields },
    ...change,
  }
}

const judged = (change: Partial<Head> = {}, fields: Head['fields'] = {}, more: Partial<FrontRules> = {}) => {
  const found = judgeHead(head(change, fields), { ...rules, ...more })
  return found.kind === 'refusal' ? found.status : found.kind
}

describe('the host', () => {
  test.each(['localhost:1', 'LOCALHOST', '127.0.0.1', '[::1]:9', 'router.example:443'])('%s is ours', (host) => {
    expect(judged({}, { host: [host] })).toBe('mcp')
  })

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '127.0.0.2', '[::2]', ''])(
    '%s is not',
    (host) => {
      expect(judged({}, { host: [host] })).toBe(403)
    },
  )

  test('none, and two of them, are bad framing', () => {
    expect(judged({}, { host: undefined })).toBe(400)
    expect(judged({}, { host: ['localhost', 'localhost'] })).toBe(400)
  })

  test('whoever asks for health may call us as he likes', () => {
    expect(judged({ method: 'GET', target: '/livez' }, { host: ['pod.internal:80'] })).toBe('livez')
    expect(judged({ method: 'HEAD', target: '/readyz?x=1' }, { host: ['pod.internal:80'] })).toBe('readyz')
  })
})

describe('framing', () => {
  test.each<[string, Partial<Head>, Head['fields'], number]>([
    ['a later version', { version: '2.0' }, {}, 400],
    ['a transfer coding besides chunked', {}, { 'transfer-encoding': ['gzip, chunked'] }, 400],
    ['an absolute target', { target: 'http://localhost/mcp' }, {}, 400],
    ['CONNECT', { method: 'CONNECT', target: 'localhost:80' }, {}, 400],
    ['too many fields', { fieldCount: 101 }, {}, 431],
    ['an expectation that nobody knows', {}, { expect: ['200-ok'] }, 417],
  ])('%s', (_what, change, fields, status) => {
    expect(judged(change, fields)).toBe(status)
  })
})

describe('paths and methods', () => {
  test.each(['/', '/mcp/', '/mcp/x', '/%6dcp', '/./mcp', '/metrics'])('%s is nowhere', (target) => {
    expect(judged({ target })).toBe(404)
  })

  test('a query changes nothing', () => expect(judged({ target: '/mcp?access_token=x' })).toBe('mcp'))

  test('other methods are refused at once, and say which is served', () => {
    const found = judgeHead(head({ method: 'GET' }), rules)
    expect(found).toMatchObject({ status: 405, headers: { Allow: 'POST' } })
    expect(judged({ method: 'PUT' }, { 'mcp-session-id': ['x'] })).toBe(405)
    expect(judged({ method: 'GET' }, { 'mcp-session-id': ['x'] })).toBe('mcp')
    expect(judged({ method: 'DELETE' }, { 'mcp-session-id': ['x'] })).toBe('mcp')
  })

  test('metrics and metadata are there where they are configured', () => {
    expect(judged({ method: 'GET', target: '/metrics' }, {}, { hasMetrics: true })).toBe('metrics')
    const metadataPath = '/.well-known/oauth-protected-resource/mcp'
    expect(judged({ method: 'GET', target: metadataPath }, {}, { metadataPath })).toBe('metadata')
    expect(judged({ method: 'GET', target: '/.well-known/oauth-protected-resource' }, {}, { metadataPath })).toBe(404)
  })
})

describe('the origin', () => {
  test.each(['http://localhost', 'https://router.example', 'https://studio.example'])('%s may call', (origin) => {
    expect(judged({}, { origin: [origin] })).toBe('mcp')
  })

  test.each(['http://evil.example', 'null', 'https://localhost', 'http://localhost.evil.example'])(
    '%s may not',
    (origin) => {
      expect(judged({}, { origin: [origin] })).toBe(403)
    },
  )

  test('only a listed page is told that it may ask', () => {
    expect(judged({ method: 'OPTIONS' }, { origin: ['https://studio.example'] })).toBe('preflight')
    expect(judged({ method: 'OPTIONS' }, { origin: ['https://evil.example'] })).toBe(405)
  })
})
