import type { Connection } from './connection.ts'
import { NotModern } from './modern-server.ts'

/** In which era a mounted server is spoken to. */
export type MountEra = 'legacy' | 'modern'

/** How a server behind HTTP is connected in each era. */
export type WaysToConnect = Readonly<Record<MountEra, () => Promise<Connection>>>

/** Answers to a handshake that say that it is not known. */
const noHandshake: ReadonlySet<unknown> = new Set([-32022, -32601, -32602, -32600])

/**
 * Connects in the era that is likely, and in the other one when the server says that it is not of this one: a refused request costs
 * nothing there. Rejects as the second attempt does after a refusal of the modern era, and as the first one otherwise.
 */
export async function connectInEra(
  likely: MountEra,
  ways: WaysToConnect,
): Promise<{ era: MountEra; connection: Connection }> {
  const other: MountEra = likely === 'modern' ? 'legacy' : 'modern'
  try {
    return { era: likely, connection: await ways[likely]() }
  } catch (refusal) {
    if (!isRefused(likely, refusal)) throw refusal
    try {
      return { era: other, connection: await ways[other]() }
    } catch (error) {
      throw likely === 'modern' ? error : refusal
    }
  }
}

function isRefused(era: MountEra, error: unknown): boolean {
  if (era === 'modern') return error instanceof NotModern
  const { code } = (error ?? {}) as { code?: unknown }
  return noHandshake.has(code) || (typeof code === 'number' && code >= 400 && code < 500)
}
