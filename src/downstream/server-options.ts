import type { Clock } from '../timing/clock.ts'
import type { Connection, ConnectionEvents } from './connection.ts'

/** How a mounted server is reached, and who hears of what becomes of it. */
export interface MountedServerOptions {
  name: string
  /** Makes one connection; rejects with why it could not, at once when the signal fires. */
  connect(events: ConnectionEvents, signal: AbortSignal): Promise<Connection>
  /** Which log messages the client wants; undefined while it has not said so. */
  logLevel?(): string | undefined
  /** Turns a failed connection into words without secrets. */
  explain(error: unknown): string
  /** The end of what its process wrote to stderr, without secrets. */
  lastWords(): string
  /** Called after every change of state, tools, resources or prompts. */
  onChange(): void
  /** Tools whose definition has changed are held. */
  isHolding?: boolean
  clock: Pick<Clock, 'after' | 'monotonicMs'>
  /** In [0, 1). */
  random(): number
}
