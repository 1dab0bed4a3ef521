// The only logger: JSON lines on stderr, without secrets, and never in anybody's way.
import { dateOf, type Clock } from '../timing/clock.ts'
import type { Secret } from './secret.ts'
import { redactErrorText } from './replace.ts'

/** How much is logged. */
export type Level = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Writes one line for each call, if its level is logged at all. Messages are sentences of ours: no path, no payload. */
export interface Log {
  error(message: string): void
  warn(message: string): void
  info(message: string): void
  debug(message: string): void
  /** A line for programs: a name and members, which hold nothing secret and nothing that a caller chose. */
  event(level: Exclude<Level, 'silent'>, event: string, members?: Readonly<Record<string, unknown>>): void
}

/** The part of a stream that a log writes to. Its writing must not block. */
export interface LogStream {
  readonly writableLength: number
  write(line: string): unknown
  on(event: 'error', listener: () => void): unknown
  once(event: 'drain', listener: () => void): unknown
}

/** A log that nobody asked for opens no stream. */
export interface LogOptions {
  level: Level
  /** Opened with the first line that is logged. */
  open(): LogStream
  /** Should one of them be in a message, it is `<redacted>`. */
  secrets: readonly Secret[]
  clock: Pick<Clock, 'nowMs'>
}

const order: readonly Level[] = ['silent', 'error', 'warn', 'info', 'debug']

/** Lines that wait for a reader take this much; further ones are dropped and counted. */
const waitingLimitBytes = 64 * 1024

/** Makes a log. Nothing it does throws, and a reader that never reads costs a bounded amount of memory. */
export function createLog({ level, open, secrets, clock }: LogOptions): Log {
  let stream: LogStream | undefined
  let dropped = 0

  function opened(): LogStream {
    if (stream === undefined) {
      stream = open()
      // A stderr that is gone is no reason to stop.
      stream.on('error', () => {})
    }
    return stream
  }

  function write(lineLevel: Level, told: Readonly<Record<string, unknown>>): void {
    if (order.indexOf(lineLevel) > order.indexOf(level)) return
    const target = opened()
    if (target.writableLength > waitingLimitBytes) {
      if (dropped === 0) target.once('drain', tellDropped)
      dropped++
      return
    }
    const line = JSON.stringify({ time: dateOf(clock).toISOString(), level: lineLevel, ...told })
    target.write(`${line}\n`)
  }

  function tellDropped(): void {
    const count = dropped
    dropped = 0
    say('warn')(`${count} log lines were dropped because nobody read them.`)
  }

  const say = (level: Level) => (message: string) => write(level, { message: redactErrorText(message, secrets) })

  return {
    error: say('error'),
    warn: say('warn'),
    info: say('info'),
    debug: say('debug'),
    event: (level, event, members = {}) => write(level, { event, ...members }),
  }
}

/**
 * What may be told of a fault: which kind it is. Its message and its stack can name endpoints, paths and payloads.
 */
export function kindOfFault(fault: unknown): string {
  if (!(fault instanceof Error)) return typeof fault
  const code = (fault as { code?: unknown }).code
  return typeof code === 'string' && /^[\w-]{1,64}$/.test(code) ? `${fault.name} ${code}` : fault.name
}
