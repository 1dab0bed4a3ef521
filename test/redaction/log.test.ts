import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createLog, kindOfFault, type Level, type LogStream } from '../../src/redaction/log.ts'
import { Secret } from '../../src/redaction/secret.ts'

/** A stream that takes lines until it is said to be full. */
function memory() {
  const events = new EventEmitter()
  const lines: string[] = []
  const stream = {
    lines,
    opened: 0,
    writableLength: 0,
    write: (line: string) => lines.push(line),
    on: (event: string, listener: () => void) => events.on(event, listener),
    once: (event: string, listener: () => void) => events.once(event, listener),
    emit: (event: string) => events.emit(event),
  }
  return stream satisfies LogStream
}

function logTo(stream: ReturnType<typeof memory>, level: Level) {
  const open = () => {
    stream.opened++
    return stream
  }
  return createLog({ level, open, secrets: [new Secret('canary-token')], clock: { nowMs: () => 0 } })
}

describe('the log', () => {
  test('is silent by default, and does not even open its stream', () => {
    const stream = memory()
    const log = logTo(stream, 'silent')
    for (const level of ['error', 'warn', 'info', 'debug'] as const) log[level]('x')
    expect(stream.opened).toBe(0)
  })

  test('writes one JSON line for what is logged, and nothing below', () => {
    const stream = memory()
    const log = logTo(stream, 'warn')
    for (const level of ['error', 'warn', 'info', 'debug'] as const) log[level](`a ${level}`)
    expect(stream.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'error', message: 'a error' },
      { time: '1970-01-01T00:00:00.000Z', level: 'warn', message: 'a warn' },
    ])
    expect(stream.lines.every((line) => line.endsWith('}\n'))).toBe(true)
  })

  test('shows no secret, in none of the ways it is written', () => {
    const stream = memory()
    logTo(stream, 'debug').debug(`canary-token ${Buffer.from('canary-token').toString('base64')}`)
    expect(stream.lines[0]).toContain('<redacted> <redacted>')
  })

  test('drops and counts lines that nobody reads, and says so once somebody does', () => {
    const stream = memory()
    const log = logTo(stream, 'info')
    stream.writableLength = 100_000
    for (let n = 0; n < 10_000; n++) log.info('x')
    expect(stream.lines).toEqual([])
    stream.writableLength = 0
    stream.emit('drain')
    log.info('again')
    expect(stream.lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      '10000 log lines were dropped because nobody read them.',
      'again',
    ])
  })

  test('goes on without a stderr', () => {
    const stream = memory()
    const log = logTo(stream, 'info')
    log.info('x')
    expect(() => stream.emit('error')).not.toThrow()
  })
})

test('of a fault only its kind is told: messages and stacks name paths and endpoints', () => {
  const fault = Object.assign(new TypeError('/home/me http://host'), { code: 'ECONNREFUSED' })
  expect(kindOfFault(fault)).toBe('TypeError ECONNREFUSED')
  expect(kindOfFault(Object.assign(new Error('x'), { code: '/home/me' }))).toBe('Error')
  expect(kindOfFault('text')).toBe('string')
})
