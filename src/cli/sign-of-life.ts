import { createSignOfLife, type SignOfLife } from '../terminal/sign-of-life.ts'
import { realClock } from '../timing/clock.ts'
import type { CliContext } from './context.ts'

/** A line for a person who waits, on stderr, where that is a terminal. */
export function signOfLife({ wire: { stderr, env } }: CliContext): SignOfLife {
  const isTerminal = stderr.isTTY === true && env.TERM !== 'dumb'
  return createSignOfLife(stderr, { isTerminal, width: stderr.columns ?? 80, clock: realClock })
}
