import { describe, expect, it } from 'vitest'
import { maskArguments, maskSecrets, shorten } from '../../../src/client-configs/files/mask.ts'

describe('a line of a preview hides', () => {
  it.each([
    ['"API_KEY": "sk-1",', '"API_KEY": "***",'],
    ["token = 'abc' # c", "token = '***' # c"],
    ['  password: hunter2', '  password: ***'],
    ['Authorization = "Bearer abc"', 'Authorization = "***"'],
    ['{ "env": {"A_SECRET": "x\\"y", "B": "z"} }', '{ "env": {"A_SECRET": "***", "B": "z"} }'],
    ['"args": ["--header", "Authorization: Bearer tok-1"]', '"args": ["--header", "Authorization: *** ***"]'],
    ['url = "https://u:p@h/x?key=1#f"', 'url = "https://h/x?***"'],
  ])('%s', (line, shown) => {
    expect(maskSecrets(line)).toBe(shown)
  })

  it.each([
    'HUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE = "/home/ada/.hubu/hubu.auth-token"',
    '"mcp__hubu__hubu_authorize_spend",',
    'hubu_authorize_spend = { approval_mode = "approve" }',
    'http://127.0.0.1:8787/path',
    '"keyboard": true,',
  ])('nothing in %s', (line) => {
    expect(maskSecrets(line)).toBe(line)
  })
})

describe('arguments hide', () => {
  it('values of secret flags, of -e and --env, and secrets in URLs', () => {
    const args = [
      '--token=abc',
      '-e',
      'K=v',
      '--env',
      'A=b',
      '--env=C=d',
      '--api-key',
      'x',
      '--name',
      'n',
      'https://u:p@h/x?key=1#f',
    ]
    expect(maskArguments(args)).toEqual([
      '--token=***',
      '-e',
      'K=***',
      '--env',
      'A=***',
      '--env=C=***',
      '--api-key',
      '***',
      '--name',
      'n',
      'https://h/x?***',
    ])
  })
})

describe('headers among arguments hide their values', () => {
  it.each([
    [
      ['--header', 'Authorization: Bearer tok-1'],
      ['--header', 'Authorization: ***'],
    ],
    [
      ['-H', 'X-Any: tok-1 tok-2'],
      ['-H', 'X-Any: ***'],
    ],
    [['--header=X-Any:tok-1'], ['--header=X-Any:***']],
    [
      ['--header', 'tok-1'],
      ['--header', '***'],
    ],
    [['Bearer tok-1'], ['Bearer ***']],
    [
      ['--say', 'bearer of news'],
      ['--say', 'bearer *** news'],
    ],
  ])('%j', (args, shown) => {
    expect(maskArguments(args)).toEqual(shown)
  })
})

describe('a detail', () => {
  it('has no control characters and at most 240 bytes, cut between characters', () => {
    expect(shorten('a\u0007b\nc')).toBe('abc')
    const long = 'ü'.repeat(200)
    expect(shorten(long)).toBe('ü'.repeat(120) + '…')
  })
})
