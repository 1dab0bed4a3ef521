import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameReader, maxLineBytes, type Frame } from '../../src/server/frame-reader.ts'

function read(bytes: Buffer, cuts: readonly number[] = [], maxBytes?: number): Frame[] {
  const reader = new FrameReader(maxBytes)
  const frames: Frame[] = []
  let start = 0
  for (const end of [...cuts].sort((left, right) => left - right)) {
    frames.push(...reader.push(bytes.subarray(start, end)))
    start = Math.max(start, end)
  }
  return [...frames, ...reader.push(bytes.subarray(start)), ...reader.end()]
}

const texts = (input: string | Buffer) =>
  read(Buffer.from(input)).map((frame) => (frame.kind === 'line' ? frame.text : frame.kind))

describe('FrameReader', () => {
  test.each([
    ['two lines', 'a\nb\n', ['a', 'b']],
    ['a last line without line feed', 'a\nb', ['a', 'b']],
    ['CRLF', '{"a":1}\r\n5\r\n', ['{"a":1}\r', '5\r']],
    ['blank lines of every kind are skipped', '\n\r\n  \t\r\n\v\f\n\u00a0\u3000\nx\n \n', ['x']],
    ['a BOM on the first line', '\ufeff{"a":1}\n', ['{"a":1}']],
    ['a BOM on a later line stays', 'x\n\ufeffy\n', ['x', '\ufeffy']],
    ['a BOM alone', '\ufeff\nx\n', ['x']],
    ['line separators of Unicode end no line', 'a\u2028b\u0085c\n', ['a\u2028b\u0085c']],
    ['a lone carriage return ends no line', 'a\rb\n', ['a\rb']],
    ['nothing', '', []],
  ])('%s', (_name, input, want) => {
    expect(texts(input)).toEqual(want)
  })

  test('a line that is not UTF-8 is unreadable and the next one is read', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xc0, 0x80, 10]), Buffer.from('ok\n'), Buffer.from([0xe2, 0x82])])
    expect(texts(bytes)).toEqual(['unreadable', 'ok', 'unreadable'])
  })

  test('bytes of a surrogate encoded in UTF-8 are unreadable', () => {
    expect(texts(Buffer.from([0xed, 0xa0, 0x80, 10]))).toEqual(['unreadable'])
  })

  test('any split of any bytes gives the same frames', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('\n', '\r\n', '\ufeff', '{"id":7,"x":"', '"result":1', 'é€𝄞', ' ', '').map((s) => Buffer.from(s)),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.concat(pieces)),
        fc.array(fc.nat(400), { maxLength: 30 }),
        fc.constantFrom(5, 20, 1000),
        (bytes, cuts, maxBytes) => {
          const whole = read(bytes, [], maxBytes)
          expect(read(bytes, cuts, maxBytes)).toEqual(whole)
          expect(read(bytes, [...bytes.keys()], maxBytes)).toEqual(whole)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('a line at the limit is read, one byte more is too long, and the next line is read', () => {
    expect(texts(`${'x'.repeat(maxLineBytes)}\nok\n`)).toEqual(['x'.repeat(maxLineBytes), 'ok'])
    expect(texts(`${'x'.repeat(maxLineBytes + 1)}\nok\n`)).toEqual(['too_long', 'ok'])
  })

  test.each([
    ['an id at the beginning', '{"jsonrpc":"2.0","id":9007199254740993,"params":"', '9007199254740993', false],
    ['an escaped key', '{"\\u0069d":"a\\"b","params":"', '"a\\"b"', false],
    ['an object as id', '{"id":{"a":[1,"}"]},"params":"', '{"a":[1,"}"]}', false],
    ['the last of two ids', '{"id":1,"id":2,"params":"', '2', false],
    ['no id so far', '{"params":"', undefined, false],
    ['a null id', '{"id":null,"params":"', undefined, false],
    ['an id that is no JSON', '{"id":01x,"params":"', undefined, false],
    ['an id inside params only', '{"params":{"id":5,"x":"', undefined, false],
    ['no JSON', 'GET / HTTP/1.1 "id":5 ', undefined, false],
    ['a key with a broken escape', '{"id":4,"\\q":"', '4', false],
    ['an answer, which is never answered', '{"jsonrpc":"2.0","id":5,"result":"', '5', true],
  ])('an over-long line: %s', (_name, beginning, id, isResponse) => {
    const frames = read(Buffer.from(beginning + 'y'.repeat(200)), [], 100)
    expect(frames).toEqual([{ kind: 'too_long', id, isResponse }])
  })

  test('an id cut off by the first 64 KiB is not guessed', () => {
    const filler = 'f'.repeat(64 * 1024 - 20)
    const bytes = Buffer.from(`{"f":"${filler}","id":12345678901234567890,"x":"${'y'.repeat(100_000)}`)
    expect(read(bytes, [], 80_000)).toEqual([{ kind: 'too_long', id: undefined, isResponse: false }])
  })

  test('a line of 400 MiB is told once and not kept', () => {
    const reader = new FrameReader()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const frames: Frame[] = []
    let most = 0
    for (let index = 0; index < 400; index++) {
      frames.push(...reader.push(chunk))
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    expect(frames.map(({ kind }) => kind)).toEqual(['too_long'])
    expect(reader.push(Buffer.from('\nok\n'))).toEqual([{ kind: 'line', text: 'ok', bytes: 2 }])
    expect(most).toBeLessThan(100 * 1024 * 1024)
  })
})
