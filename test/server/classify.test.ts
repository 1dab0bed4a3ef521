import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classify } from '../../src/server/classify.ts'
import { FrameReader } from '../../src/server/frame-reader.ts'

const line = (text: string) => classify({ kind: 'line', text, bytes: text.length })
const parseError = { kind: 'error', rawId: 'null', code: -32700, message: 'Parse error' }
const invalid = (rawId: string) => ({ kind: 'error', rawId, code: -32600, message: 'Invalid Request' })

describe('classify', () => {
  test.each([
    ['not JSON', 'not JSON'],
    ['JSON cut off', '{"jsonrpc":"2.0","id":1,"method":"pi'],
    ['an empty array', '[]'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
    ['a number', '5'],
    ['a string', '"a"'],
    ['null', 'null'],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":7}'],
    ['a method that is null', '{"jsonrpc":"2.0","id":1,"method":null}'],
    ['a method that is a number, without id', '{"jsonrpc":"2.0","method":7}'],
    ['jsonrpc as a number', '{"jsonrpc":2,"id":1,"method":"ping"}'],
    ['a header line of another protocol', 'Content-Length: 60'],
  ])('%s is a parse error with id null', (_name, text) => {
    expect(line(text)).toEqual(parseError)
  })

  test('what is not UTF-8 is a parse error', () => {
    expect(classify({ kind: 'unreadable' })).toEqual(parseError)
  })

  test.each([
    ['no jsonrpc', '{"id":99,"method":"ping"}', '99'],
    ['jsonrpc null', '{"jsonrpc":null,"id":1,"method":"ping"}', '1'],
    ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":2,"method":"ping"}', '2'],
    ['no method', '{"jsonrpc":"2.0","id":3}', '3'],
    ['an empty method', '{"jsonrpc":"2.0","id":"x","method":""}', '"x"'],
    ['an exact id', '{"id":9007199254740993}', '9007199254740993'],
  ])('%s is an invalid request with its id', (_name, text, rawId) => {
    expect(line(text)).toEqual(invalid(rawId))
  })

  test.each([
    ['an unknown method as a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['initialized with a null id', '{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}'],
    ['no id and no jsonrpc', '{"method":"ping"}'],
    ['no id and no method', '{"jsonrpc":"2.0"}'],
    ['an error answer with a null id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'],
    ['an empty object', '{}'],
  ])('%s is silent', (_name, text) => {
    expect(line(text)).toEqual({ kind: 'silent' })
  })

  test.each([
    '{"jsonrpc":"2.0","id":5,"result":{}}',
    '{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}',
    '{"id":5,"result":null}',
    '{"jsonrpc":7,"id":5,"result":{}}',
  ])('%s is an answer, which is never answered', (text) => {
    expect(line(text)).toEqual({ kind: 'response', answer: JSON.parse(text) as object })
  })

  test.each([
    '1',
    '0',
    '-1',
    '1.5',
    '1.50',
    '1e2',
    '9007199254740993',
    '""',
    '"1"',
    '"\\u0041é"',
    '{"a": 1}',
    '[ 1 ]',
    'true',
    'false',
  ])('the id %s is kept as it was written', (rawId) => {
    expect(line(`{"jsonrpc":"2.0","id": ${rawId} ,"method":"ping"}`)).toMatchObject({ kind: 'request', rawId })
  })

  test('a long id is kept whole', () => {
    const rawId = JSON.stringify('x'.repeat(10_240))
    expect(line(`{"jsonrpc":"2.0","id":${rawId},"method":"ping"}`)).toMatchObject({ rawId })
  })

  test('a carriage return inside an id becomes a space, because it would end a line for some readers', () => {
    expect(line('{"jsonrpc":"2.0","id":{\r"a":1},"method":"ping"}\r')).toMatchObject({ rawId: '{ "a":1}' })
  })

  test('the last of two ids wins, an id inside params is none', () => {
    const text = '{"id":1,"jsonrpc":"2.0","params":{"id":3},"method":"x","\\u0069d":2}'
    expect(line(text)).toMatchObject({ kind: 'request', rawId: '2', id: 2, params: { id: 3 } })
  })

  test('params arrive untouched and with their findings', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"__proto__":{"x":1},"n":1e400}}}'
    const incoming = line(text)
    expect(incoming).toMatchObject({ findings: { protoKey: true, inexactNumber: true, depth: 2, duplicateKey: false } })
    const { params } = incoming as { params: { arguments: object } }
    expect(Object.keys(params.arguments)).toEqual(['__proto__', 'n'])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('params that are given twice count as a repeated key', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1},"params":{"arguments":{}}}'
    expect(line(text)).toMatchObject({ params: { arguments: {} }, findings: { duplicateKey: true, depth: 1 } })
  })

  test("what a harness writes into _meta says nothing about the model's arguments", () => {
    const meta = `{"startedAtNs":1764417600000000001,"load":1e400,"__proto__":{},"deep":${'['.repeat(200)}${']'.repeat(200)}}`
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":${meta},"name":"x","arguments":{"a":[1]}}}`
    expect(line(text)).toMatchObject({
      findings: { protoKey: false, inexactNumber: false, depth: 2, duplicateKey: false },
    })
  })

  test.each([
    ['the name', '{"name":"x","name":"y","arguments":{}}'],
    ['the arguments', '{"arguments":{"a":1e400},"arguments":{}}'],
    ['the call id that the harness vouches for', '{"_meta":{"callId":"a","callId":"b"},"arguments":{}}'],
  ])('%s given twice counts as a repeated key', (_what, params) => {
    expect(line(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)).toMatchObject({
      findings: { duplicateKey: true, inexactNumber: false, depth: 1 },
    })
  })

  test.each<[string, string | undefined]>([
    ['"p-1"', '"p-1"'],
    ['7', '7'],
    ['9007199254740993', '9007199254740993'],
    ['1.5', undefined],
    ['null', undefined],
    ['{}', undefined],
    ['true', undefined],
    ['1e999', undefined],
  ])('the progress token %s is taken as %s', (raw, want) => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":${raw}}}}`
    expect(line(text)).toMatchObject({ kind: 'request', progressToken: want })
  })

  test.each(['null', '[]', '"x"', '5', '{"_meta":null}', '{"_meta":[]}', '{"_meta":"x"}'])(
    'params %s do no harm',
    (raw) => {
      expect(line(`{"jsonrpc":"2.0","id":1,"method":"m","params":${raw},"extra":[1]}`)).toMatchObject({
        kind: 'request',
        params: JSON.parse(raw),
        findings: { depth: 0 },
      })
      expect(line(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${raw}}`)).toMatchObject({
        kind: 'notification',
        rawRequestId: undefined,
      })
    },
  )

  test.each(['0', '"1"', '1.50', '9007199254740993', '{"a":1}', 'null'])(
    'a cancellation of %s keeps its digits',
    (raw) => {
      const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"x","requestId":${raw}}}`
      expect(line(text)).toMatchObject({ kind: 'notification', rawRequestId: raw })
    },
  )

  test('nesting of 100,000 levels in id and params is no trouble', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const incoming = line(`{"jsonrpc":"2.0","id":${deep},"method":"m","params":{"arguments":${deep}}}`)
    expect(incoming).toMatchObject({ kind: 'request', rawId: deep, findings: { depth: 100_000 } })
  })

  test('it throws on no bytes whatever, and gives every error a readable id', () => {
    const fragment = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        '\\',
        '\n',
        '"jsonrpc":"2.0"',
        '"id":',
        '"method":',
        '"params":',
        '"ping"',
      ],
      ...['1e999', '-', '0', 'null', '"_meta":{"progressToken":1}', '\\u00', '"result":', '\ufeff', '"__proto__":'],
    )
    const bytes = fc.oneof(
      fc.array(fragment, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
      fc
        .tuple(fc.json(), fc.json())
        .map(([id, params]) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"m","params":${params}}`)),
    )
    fc.assert(
      fc.property(bytes, fc.constantFrom(10, 1000), (input, maxBytes) => {
        const reader = new FrameReader(maxBytes)
        for (const frame of [...reader.push(input), ...reader.end()]) {
          const incoming = classify(frame)
          if (incoming.kind === 'request') expect(JSON.parse(incoming.rawId)).toEqual(incoming.id)
          if (incoming.kind === 'error') JSON.parse(incoming.rawId)
        }
      }),
      { numRuns: 3000 },
    )
  })
})
