// The stream of a session: what happens without anybody having asked. Nothing on it has an id, because it is never sent again.
import { member } from '../../json/read.ts'
import { rankOf } from '../../wire/modern.ts'
import { changingLists, type News } from '../../wire/news.ts'
import type { StreamPlaces } from '../../wire/stream-places.ts'
import type { StreamEnd } from '../answers/http-answer.ts'
import type { Bearer } from '../bearers/doorkeeper.ts'
import type { HttpExchange } from '../front/exchange.ts'
import { accepts } from '../front/media.ts'
import { comeLater, refusal } from '../front/refusal.ts'
import type { OpenStreams } from '../open-streams.ts'
import { revisionsOf } from './list-revisions.ts'
import { nameOfSession, type Notes } from './notes.ts'
import type { SessionQuestions } from './questions.ts'
import { refuseSession, type Sessions } from './sessions.ts'

/** What streams are opened with. */
export interface GetStreamOptions {
  sessions: Sessions
  notes: Notes
  questions: SessionQuestions
  streams: OpenStreams
  places: StreamPlaces
  /** Rejects when there is no router. */
  news(): Promise<News | undefined>
}

/** Answers GET and DELETE of a session. */
export function createSessionStreams({ sessions, notes, questions, streams, places, news }: GetStreamOptions) {
  return {
    async get(exchange: HttpExchange, bearer: Bearer): Promise<void> {
      const lines = exchange.fields['mcp-session-id']!
      const session = sessions.open(lines, bearer.principal)
      if (typeof session === 'string') return exchange.refuse(refuseSession(session))
      if (!accepts(exchange.fields).stream) return exchange.refuse(refusal(406, 'not_acceptable'))
      const source = await news()
      if (exchange.signal.aborted) return
      const known = notes.of(nameOfSession(lines[0]!), bearer.principal)
      known.endStream?.('replaced')
      const free = places.take(bearer.principal)
      if (free === undefined) return exchange.refuse(comeLater(429, 'too_many_streams', 1, { reason: 'too_many' }))
      const { answer } = exchange
      const ending = streams.hold(exchange, bearer)
      const send = (method: string, params: object) => {
        if (!answer.isBehind) answer.message(JSON.stringify({ jsonrpc: '2.0', method, params }))
      }
      const look = () => {
        const before = known.told ?? session.lists
        const now = revisionsOf(source, bearer)
        known.told = now
        changingLists.forEach((list, at) => {
          if (now[at] !== before[at]) answer.message(`{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`)
        })
      }
      const end = (by: StreamEnd) => {
        // Whoever takes its place may take it now.
        free()
        answer.end(by)
      }
      const stopListening = source?.onChange(look)
      const stopLog = source?.onLog(bearer, (params) => {
        const lowest = known.logLevel
        if (lowest === undefined || rankOf(member(params, 'level')) >= rankOf(lowest))
          send('notifications/message', params)
      })
      Object.assign(known, { send, endStream: end })
      exchange.atEnd(() => {
        free()
        stopListening?.()
        stopLog?.()
        if (known.send === send) Object.assign(known, { send: undefined, endStream: undefined })
      })
      answer.beginStream()
      look()
      const onEnding = () => end('drain')
      if (ending.aborted) onEnding()
      else ending.addEventListener('abort', onEnding, { once: true })
    },
    delete(exchange: HttpExchange, bearer: Bearer): void {
      const lines = exchange.fields['mcp-session-id']!
      const session = sessions.open(lines, bearer.principal)
      if (typeof session === 'string') return exchange.refuse(refuseSession(session))
      const name = nameOfSession(lines[0]!)
      notes.forget(name)
      questions.end(name)
      exchange.answer.whole(204, '')
    },
  }
}
