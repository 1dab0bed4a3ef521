// A backend that moves from one port to another: a sandbox that another process has taken over.
import type { Clock } from '../timing/clock.ts'
import type { HttpOutcome } from './exchange.ts'

/** Between two tries that reached nobody. */
const pauseMs = 20

/** One request to a backend that moves. */
export interface MovingRequest {
  /** Where the backend is, as soon as it is there. */
  find(): Promise<number>
  /** Told before each try. */
  set(port: number): void
  /** A read changes nothing, so one whose answer was cut off by the move is sent again as well. */
  isRead: boolean
  /** Nobody wants the answer any more. */
  isOver(): boolean
  patienceMs: number
  clock: Pick<Clock, 'monotonicMs' | 'after'>
}

/**
 * Sends once the port is known. A request that nobody can have received is sent again, wherever the backend is by then, for
 * `patienceMs`. Ends with the last outcome.
 */
export async function sendToMoving(
  { find, set, isRead, isOver, patienceMs, clock }: MovingRequest,
  send: () => Promise<HttpOutcome>,
): Promise<HttpOutcome> {
  const startedMs = clock.monotonicMs()
  const isLost = ({ kind }: HttpOutcome) =>
    kind === 'not_connected' || (isRead && (kind === 'no_answer' || kind === 'cut'))
  for (;;) {
    set(await find())
    const outcome = await send()
    if (!isLost(outcome) || isOver() || clock.monotonicMs() - startedMs > patienceMs) return outcome
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve))
  }
}
