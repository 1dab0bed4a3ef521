// What the log and the counters are told. A flood of refusals is told in a few lines and a count.
import type { Log } from '../redaction/log.ts'
import type { Clock } from '../timing/clock.ts'
import type { AuthFailure } from './bearers/bearer.ts'
import type { EdgeRefusal } from './front/refusal.ts'
import type { HttpExchange } from './front/exchange.ts'
import type { AnsweredRequest } from './answer-request.ts'
import type { QuestionEnd } from './sessions/questions.ts'
import type { Meters } from './metrics/meters.ts'

/** Whoever hears of requests. */
export interface Observer {
  answered(exchange: HttpExchange, told: AnsweredRequest): void
  refused(refusal: Pick<EdgeRefusal, 'reason'>): void
  authFailed(reason: AuthFailure): void
  sessionRefused(reason: string): void
  questionEnded(told: { method: string; end: QuestionEnd }): void
}

export interface ObserverOptions {
  log: Pick<Log, 'event'>
  meters: Meters
  clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** 8 hex digits for each request. */
  nameRequest(): string
}

export function createObserver({ log, meters, clock, nameRequest }: ObserverOptions): Observer {
  const refusals = limited(10, clock, (members) => log.event('info', 'http_refused', members))
  const failures = limited(1, clock, (members) => log.event('warn', 'auth_failed', members))
  const sessions = limited(10, clock, (members) => log.event('info', 'session_refused', members))
  return {
    answered(exchange, { era, method, principal, code }) {
      const ms = Math.round(clock.monotonicMs() - exchange.begunMs)
      const { status } = exchange.answer
      meters.answered({ era, method, status, seconds: ms / 1000 })
      // What a client calls a method is its own text.
      const named = /^[A-Za-z/_]{1,64}$/.test(method) ? method : 'other'
      const members = { status, ms, era, method: named, principal }
      log.event('info', 'http_request', { request: nameRequest(), ...members, ...(code !== undefined && { code }) })
    },
    refused({ reason }) {
      if (reason === undefined) return
      meters.refused(reason)
      refusals({ reason })
    },
    authFailed(reason) {
      meters.authFailed(reason)
      failures({ reason })
    },
    sessionRefused: (reason) => sessions({ reason }),
    questionEnded(told) {
      meters.questionEnded(told.end)
      log.event(told.end === 'timeout' ? 'warn' : 'debug', 'question', { ...told })
    },
  }
}

/** So many a second are told one by one; the rest is counted and told at its end. */
function limited(most: number, clock: ObserverOptions['clock'], tell: (members: Record<string, unknown>) => void) {
  let count = 0
  return (members: { reason: string }): void => {
    if (count === 0)
      clock.after(1000, () => {
        if (count > most) tell({ reason: 'more', count: count - most })
        count = 0
      })
    if (++count <= most) tell(members)
  }
}
