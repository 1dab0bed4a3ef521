import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readReconciliationCapability } from '../../src/config/credentials.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { tempFolder } from '../support/temp-folder.ts'

const hubu = { HUBU_UNIFIED_HUBU_ENDPOINT: 'http://h.test', HUBU_UNIFIED_HUBU_BEARER_TOKEN: 'hubu-canary' }

describe('endpoints', () => {
  test.each([
    'https://u@h.test',
    'http://:pw@h.test',
    'http://h.test/?a=1',
    'http://h.test/?',
    'http://h.test/#x',
    'ftp://h.test',
    'no-url',
  ])('an endpoint that is no plain base URL stops start-up without being repeated: %s', (endpoint) => {
    const load = () => loadConfig({ ...hubu, HUBU_UNIFIED_HUBU_ENDPOINT: endpoint })
    expect(load).toThrow(/hubu endpoint/)
    expect(load).not.toThrow(/h\.test/)
  })

  test('a lone endpoint or a lone token leaves the backend unconfigured and unread', () => {
    expect(loadConfig({ HUBU_UNIFIED_HUBU_ENDPOINT: 'not a url' }).hubu).toBeUndefined()
    expect(loadConfig({ HUBU_UNIFIED_GONGBU_BEARER_TOKEN: 'x' }).gongbu).toBeUndefined()
  })
})

describe('credentials', () => {
  test('a token file is trimmed, and not opened when the direct token is there', () => {
    using folder = tempFolder()
    writeFileSync(folder.file('token'), 'tok\r\n')
    const { HUBU_UNIFIED_HUBU_BEARER_TOKEN: direct, ...rest } = hubu
    expect(
      loadConfig({ ...rest, HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: folder.file('token') }).hubu?.bearer.reveal(),
    ).toBe('tok')
    const both = {
      ...rest,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN: direct,
      HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE: folder.file('missing'),
    }
    expect(loadConfig(both).hubu?.bearer.reveal()).toBe('hubu-canary')
  })

  test('a missing, blank or two-line token file, a folder and a pipe stop start-up by the backend, never by the path', () => {
    using folder = tempFolder()
    mkdirSync(folder.file('folder'))
    writeFileSync(folder.file('blank'), ' \n\t')
    writeFileSync(folder.file('two'), 'one\ntwo\n')
    execFileSync('mkfifo', [folder.file('pipe')])
    for (const name of ['missing', 'folder', 'blank', 'two', 'pipe']) {
      const load = () => loadConfig({ HUBU_UNIFIED_GONGBU_BEARER_TOKEN_FILE: folder.file(name) })
      expect(load).toThrow(/gongbu token/)
      expect(load).not.toThrow(folder.path)
    }
  })

  test('the configuration prints without its secrets', () => {
    const text = inspect(loadConfig({ ...hubu, HUBU_RECONCILIATION_TOKEN: 'recon-canary' }), {
      depth: 9,
      showHidden: true,
    })
    expect(text).toContain('<redacted>')
    expect(text).not.toContain('canary')
  })
})

describe('numbers and switches', () => {
  test.each(['9', '60001', 'abc', '', '1e2', '-10'])(
    'a poll interval of %j stops start-up with both bounds',
    (value) => {
      expect(() => loadConfig({ HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: value })).toThrow(/10 to 60000/)
    },
  )

  test('poll interval and tick are taken at their bounds and have defaults', () => {
    expect(loadConfig({}).pollIntervalMs).toBe(30000)
    expect(loadConfig({}).tickMs).toBe(1000)
    const read = (poll: string, tick: string) =>
      loadConfig({ HUBU_UNIFIED_CAPABILITY_POLL_INTERVAL_MS: poll, HUBU_UNIFIED_OPERATION_TICK_MS: tick })
    expect(read('10', '10').pollIntervalMs).toBe(10)
    expect(read('60000', '1000').tickMs).toBe(1000)
    for (const tick of ['9', '1001']) expect(() => read('10', tick)).toThrow(/10 to 1000/)
  })

  test('only five words switch trust on', () => {
    const trusts = (word: string) => loadConfig({ HUBU_MCP_TRUST_CLIENT_APPROVAL: word }).trustClientApproval
    expect(['1', 'true', 'TRUE', 'yes', 'YES'].every(trusts)).toBe(true)
    expect(['on', 'True', ' 1', '', '0'].some(trusts)).toBe(false)
  })
})

describe('the reconciliation capability', () => {
  test('is read at each call: missing, then there, then blank', () => {
    using folder = tempFolder()
    const { reconciliation } = loadConfig({ HUBU_RECONCILIATION_TOKEN_FILE: folder.file('recon') })
    expect(readReconciliationCapability(reconciliation).kind).toBe('missing')
    writeFileSync(folder.file('recon'), 'recon-canary\n')
    const found = readReconciliationCapability(reconciliation)
    expect(found.kind === 'capability' && found.secret.reveal()).toBe('recon-canary')
    writeFileSync(folder.file('recon'), ' ')
    expect(readReconciliationCapability(reconciliation).kind).toBe('invalid')
    chmodSync(folder.file('recon'), 0o600)
  })

  test('a blank variable is invalid and never falls back to the file', () => {
    using folder = tempFolder()
    writeFileSync(folder.file('recon'), 'valid')
    const { reconciliation } = loadConfig({
      HUBU_RECONCILIATION_TOKEN: ' ',
      HUBU_RECONCILIATION_TOKEN_FILE: folder.file('recon'),
    })
    expect(readReconciliationCapability(reconciliation).kind).toBe('invalid')
  })
})
