// What is held open for a client: it ends with the process, and with the token that it was opened by.
import type { Clock } from '../timing/clock.ts'
import type { Bearer, Doorkeeper } from './bearers/doorkeeper.ts'
import type { HttpExchange } from './front/exchange.ts'

/** How often it is looked whether a token still counts. */
const lookMs = 1000

/** Everything that is held open. */
export interface OpenStreams {
  /** Holds one open. The signal fires when the router wants it to end. */
  hold(exchange: HttpExchange, bearer: Bearer): AbortSignal
  /** Ends all of them, and every one that comes later. */
  endAll(): void
  /** Looks no more. */
  stop(): void
  readonly count: number
}

export function createOpenStreams(
  doorkeeper: Pick<Doorkeeper, 'isStillGood'>,
  clock: Pick<Clock, 'every'>,
): OpenStreams {
  const open = new Map<HttpExchange, { bearer: Bearer; ending: AbortController }>()
  let isEnding = false
  const stop = clock.every(lookMs, () => {
    for (const { bearer, ending } of open.values()) if (!doorkeeper.isStillGood(bearer)) ending.abort()
  })
  return {
    get count() {
      return open.size
    },
    hold(exchange, bearer) {
      const ending = new AbortController()
      open.set(exchange, { bearer, ending })
      exchange.atEnd(() => void open.delete(exchange))
      // It is counted as what it is, and not as a request under way.
      exchange.freePlace()
      if (isEnding) ending.abort()
      return ending.signal
    },
    endAll() {
      isEnding = true
      for (const { ending } of open.values()) ending.abort()
    },
    stop,
  }
}
