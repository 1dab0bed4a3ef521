import { describe, expect, test } from 'vitest'
import type { GatewayConfig } from '#generated/types/config.js'
import { parseListenAddress } from '../../src/config/addresses.ts'
import { readConfigBytes } from '../../src/config/config-file.ts'
import { readAuthSettings, readHttpSettings, requireAuth } from '../../src/config/http-settings.ts'

const place = { home: '/home/u' }
const settings = (file: GatewayConfig = {}, env: Record<string, string> = {}, flags = {}) =>
  readHttpSettings((name) => env[name], flags, place, file)

describe('where it listens', () => {
  test('flag over variable over file over default', () => {
    const file = { http: { listen: '10.0.0.1:80' } }
    expect(settings().listen).toEqual({ host: '127.0.0.1', port: 7420 })
    expect(settings(file).listen.port).toBe(80)
    expect(settings(file, { HUBU_UNIFIED_HTTP: '1' }).listen.port).toBe(80)
    expect(settings(file, { HUBU_UNIFIED_HTTP: '[::1]:81' }).listen).toEqual({ host: '::1', port: 81 })
    expect(settings(file, { HUBU_UNIFIED_HTTP: '[::1]:81' }, { http: 'localhost:0' }).listen.port).toBe(0)
    expect(() => settings({}, {}, { http: '7420' })).toThrow('--http (HUBU_UNIFIED_HTTP) must be HOST:PORT')
  })

  test('an address is one text', () => {
    expect(['x', '1.2.3.4', ':80', '1.2.3.4:99999', '::1:80', 'a b:1'].map(parseListenAddress)).toEqual(
      Array(6).fill(undefined),
    )
  })

  test.each(['0.0.0.0:1', '[::]:1', 'router.example:1'])('%s needs to know who may call', (http) => {
    const open = settings({}, {}, { http })
    expect(() => requireAuth(open, undefined)).toThrow('add auth: with tokens or jwt')
    requireAuth(open, { tokens: '/t', jwt: undefined })
  })
})

test('a public URL of the environment ends in the path that is served', () => {
  expect(settings({}, { HUBU_UNIFIED_PUBLIC_URL: 'https://r.example/mcp' }).publicUrl).toBe('https://r.example/mcp')
  expect(() => settings({}, { HUBU_UNIFIED_PUBLIC_URL: 'https://r.example/' })).toThrow('must end in the path /mcp')
})

test('what the file leaves out has its default', () => {
  const auth = { jwt: { issuer: 'https://i.example' }, tokens: '~/tokens.json' }
  expect(readAuthSettings(place, 'https://r.example/mcp', { auth })).toEqual({
    tokens: '/home/u/tokens.json',
    jwt: {
      issuer: 'https://i.example',
      audience: 'https://r.example/mcp',
      algorithms: ['ES256', 'RS256', 'PS256', 'EdDSA'],
      clockSkewMs: 30_000,
      subjectClaim: 'sub',
    },
  })
  expect(readAuthSettings(place, undefined, {})).toBeUndefined()
  expect(settings({ http: { body_limit: '64KB', drain_timeout: '0s' } })).toMatchObject({
    bodyLimitBytes: 65_536,
    drainTimeoutMs: 0,
  })
})

test.each([
  ['http:\n  listen: 7420\n', 'F:2:3: http.listen must be a text'],
  ['http:\n  listen: nowhere\n', 'F:2:3: http.listen must be HOST:PORT'],
  ['http:\n  path: mcp\n', 'F:2:3: http.path must begin with /'],
  ['http:\n  body_limit: 1KB\n', 'F:2:3: http.body_limit must be a size from 64KB to 16MB'],
  ['http:\n  idle_timeout: 1h\n', 'F:2:3: http.idle_timeout must be a duration from 1s to 10m'],
  ['http:\n  max_in_flight: 0\n', 'F:2:3: http.max_in_flight must be at least 1'],
  ['http:\n  metrics: 0.0.0.0:9\n', 'F:2:3: http.metrics must be off, token, or a loopback HOST:PORT'],
  ['http:\n  allowed_origins: [https://a.example/x]\n', 'must be an origin, such as https://studio.example'],
  ['http:\n  public_url: https://r.example/other\n', 'F:2:3: http.public_url must end in the path /mcp'],
  ['http:\n  tls: { cert_file: /c }\n', 'http.tls needs the key key_file'],
  ['http:\n  bodylimit: 1MB\n', 'F:2:3: http.bodylimit is not a key here; did you mean body_limit?'],
  ['auth: {}\n', 'auth needs tokens or jwt'],
  ['auth:\n  jwt: { issuer: https://i.example }\n', 'auth.jwt needs http.public_url'],
  ['auth:\n  jwt: { issuer: http://i.example }\n', 'auth.jwt.issuer must be an https URL'],
  ['auth:\n  jwt: { issuer: https://i.example, algorithms: [HS256] }\n', 'auth.jwt.algorithms.0 must be ES256'],
  [
    'http:\n  public_url: http://r.example/mcp\nauth:\n  jwt: { issuer: https://i.example }\n',
    'must be https for auth.jwt',
  ],
  ['agents:\n  tiny: { type: http, path: /x }\n', 'agents.tiny.path is not for agents of type http'],
  ['agents:\n  tiny: { type: codex }\n', 'agents.tiny needs the key path'],
])('%j is refused', (text, message) => {
  expect(() => readConfigBytes('F', Buffer.from(text))).toThrow(message)
})
