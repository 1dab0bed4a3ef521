// Lines that nobody should send, in several styles, from one seed.
import fc from 'fast-check'
import { toolDefinitions } from '#generated/catalog.js'
import { createRandom, type Random } from '../simulation/random.ts'
import { print } from './json-text.ts'
import { nearlyFitting, type ToolSchema } from './tool-arguments.ts'

/** How a line is hostile. */
export type Style = keyof typeof styles

/** So many lines without their line feeds, each with its style; the same seed gives the same lines. */
export function* hostileLines(count: number, seed: number): Generator<{ style: Style; line: Buffer }> {
  const random = createRandom(`hostile lines ${seed}`)
  const calls = nearlyValidCalls(seed)
  for (let n = 0; n < count; n++) {
    const style = n % 1000 === 999 ? 'one mebibyte' : random.pick(commonStyles)
    const bytes = styles[style]({ random, n, call: () => calls[random.below(calls.length)] ?? '{}' })
    yield { style, line: withoutLineFeeds(bytes) }
  }
}

function withoutLineFeeds(bytes: Buffer): Buffer {
  return bytes.includes(10) ? Buffer.from(bytes.toString('latin1').replaceAll('\n', ''), 'latin1') : bytes
}

interface Making {
  random: Random
  n: number
  /** The text of a tools/call's params. */
  call(): string
}

const styles = {
  'random bytes': ({ random }: Making) => randomBytes(random, random.below(200)),
  'a nearly valid call': ({ n, call }: Making) => request(`"call-${n}"`, 'tools/call', call()),
  'a valid line with bytes changed': ({ random, n, call }: Making) => mutated(random, sessionLine(random, n, call)),
  'a valid line cut off': ({ random, n, call }: Making) => {
    const whole = sessionLine(random, n, call)
    return whole.subarray(0, random.below(whole.length))
  },
  'invalid UTF-8 in valid JSON': ({ random, n, call }: Making) => {
    const whole = sessionLine(random, n, call)
    const at = whole.indexOf('"', random.below(whole.length)) + 1
    return Buffer.concat([whole.subarray(0, at), random.pick(invalidUtf8), whole.subarray(at)])
  },
  'a huge or odd number': ({ random, n }: Making) => {
    const number = random.pick(oddNumbers)
    const call = `{"name":"hubu_create_budget","arguments":{"amount_cents":${number}}}`
    return random.chance(0.5) ? request(number, 'ping') : request(String(n), 'tools/call', call)
  },
  'deep nesting': ({ random }: Making) => {
    const depth = random.chance(0.03) ? 30_000 : random.pick([10, 99, 101, 600, 3000])
    const open = random.pick(['[', '{"a":', '[{"params":'])
    const close = open.startsWith('[{') ? '}]' : open === '[' ? ']' : '}'
    const nest = random.chance(0.7) ? `${open.repeat(depth)}1${close.repeat(depth)}` : open.repeat(depth)
    return random.chance(0.5)
      ? Buffer.from(nest)
      : request(random.chance(0.5) ? nest : '1', 'tools/call', `{"name":"gongbu_create_execution","arguments":${nest}}`)
  },
  'a wrong envelope': ({ random }: Making) => {
    const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__'].flatMap((name) =>
      random.chance(0.6) ? [`"${name}":${random.pick(oddValues[name] ?? anyValues)}`] : [],
    )
    return Buffer.from(`{${members.join(',')}}`)
  },
  'control characters': ({ random, n, call }: Making) => {
    const whole = sessionLine(random, n, call)
    const at = random.below(whole.length)
    const odd = random.pick(['\0', '\0'.repeat(300), '\r', '\u001b[2J', '\ufeff', '\u2028', '\b\f\v', '\r\r\r'])
    return Buffer.concat([whole.subarray(0, at), Buffer.from(odd), whole.subarray(at)])
  },
  'nothing but space': ({ random }: Making) =>
    Buffer.from(random.pick(['', ' ', '\r', '\t\t', ' \r', '\u00a0', '\ufeff'])),
  'one mebibyte': ({ random, n }: Making) => mebibyte(random, n),
} satisfies Record<string, (making: Making) => Buffer>

const commonStyles = (Object.keys(styles) as Style[]).filter((style) => style !== 'one mebibyte')

function mebibyte(random: Random, n: number): Buffer {
  const size = 1024 * 1024
  switch (random.below(5)) {
    case 0:
      return Buffer.alloc(size, 'x')
    case 1:
      return request(
        `"big-${n}"`,
        'tools/call',
        `{"name":"hubu_apply_policy","arguments":{"policy_yaml":"${'𝄞'.repeat(size / 4)}"}}`,
      )
    case 2:
      return request('9'.repeat(size), 'ping')
    case 3:
      return request(`"big-${n}"`, 'tools/call', `{"name":"hubu_health","arguments":{"a":[${'0,'.repeat(size / 2)}0]}}`)
    default:
      return randomBytes(random, size)
  }
}

/** A line that an orderly client might send. */
function sessionLine(random: Random, n: number, call: () => string): Buffer {
  switch (random.below(7)) {
    case 0:
      return request(
        `"s-${n}"`,
        'initialize',
        '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"é","version":"1"}}',
      )
    case 1:
      return Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    case 2:
      return request(`"s-${n}"`, 'tools/list')
    case 3:
      return Buffer.from(
        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call-${n - 1}","reason":"𝄞"}}`,
      )
    case 4:
      return request(`"s-${n}"`, random.pick(['ping', 'server/discover', 'resources/list', 'logging/setLevel', 'nope']))
    default:
      return request(`"s-${n}"`, 'tools/call', call())
  }
}

function request(rawId: string, method: string, rawParams?: string): Buffer {
  const params = rawParams === undefined ? '' : `,"params":${rawParams}`
  return Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"method":"${method}"${params}}`)
}

/** Params of calls of every tool. Identities repeat, so that redelivery and collision are met too. */
function nearlyValidCalls(seed: number): string[] {
  return toolDefinitions.flatMap(({ name, inputSchema }) =>
    fc.sample(nearlyFitting(inputSchema as ToolSchema), { numRuns: 40, seed }).map((piece, n) => {
      const meta =
        ['', `"_meta":{"callId":"c-${n % 12}"},`, '"_meta":{"progressToken":"p","claudecode/toolUseId":"t"},'][n % 3] ??
        ''
      return `{${meta}"name":"${name}","arguments":${print(piece)}}`
    }),
  )
}

function randomBytes(random: Random, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  for (let at = 0; at < count; at++) bytes[at] = random.below(256)
  return bytes
}

function mutated(random: Random, line: Buffer): Buffer {
  const bytes = Buffer.from(line)
  for (let changes = random.between(1, 4); changes > 0; changes--) {
    const at = random.below(bytes.length)
    bytes[at] = random.chance(0.5) ? random.below(256) : (bytes[random.below(bytes.length)] ?? 0)
  }
  if (random.chance(0.7)) return bytes
  const from = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(random.below(bytes.length))])
}

const invalidUtf8 = ['ff', 'c0af', 'eda080', 'f8888080', '80', 'c3', 'e282'].map((hex) => Buffer.from(hex, 'hex'))

const oddNumbers = [
  ...['9007199254740993', '1e400', '-0', '1.5', '1E+2', '0.1e-400', '123456789012345678901234567890', '00', '1.', '.5'],
  ...['+1', 'NaN', 'Infinity', '0x10', '1_000', '9'.repeat(400), `0.${'0'.repeat(400)}1`, `1e${'9'.repeat(20)}`],
]

const anyValues = ['null', 'true', '0', '"x"', '[]', '{}', '[[]]', '{"a":{"__proto__":{"polluted":1}}}', '1e999']

const oddValues: Record<string, readonly string[]> = {
  jsonrpc: ['"2.0"', '"2.0"', '"2.0"', '"1.0"', '2', 'null', '["2.0"]'],
  id: ['1', '"a"', '0', '-1', '""', 'null', '{}', '[1,[2]]', 'true', '1.0', '"\\ud800"', '"\\u0000"'],
  method: [
    ...[
      '"ping"',
      '"tools/list"',
      '"tools/call"',
      '"initialize"',
      '"notifications/cancelled"',
      '"notifications/initialized"',
    ],
    ...['""', '7', 'null', '"constructor"', '"__proto__"', '"tools/call\\u0000"', '"resources/read"', '"tasks/get"'],
  ],
  params: [
    ...[
      'null',
      '[]',
      '{}',
      '"x"',
      '5',
      '{"name":"hubu_health"}',
      '{"name":null}',
      '{"name":"hubu_health","arguments":null}',
    ],
    ...[
      '{"name":"toString"}',
      '{"requestId":{}}',
      '{"requestId":1}',
      '{"_meta":{"progressToken":1}}',
      '{"__proto__":{"polluted":1}}',
    ],
  ],
}
