// Pure: when a purchase that waits for a human is asked for again.

/** Waits after each attempt; the last one goes on for ever. A decision is so known soon, and a slow one costs little. */
const waitsMs = [1000, 1000, 2000, 3000, 5000, 8000, 12_000, 15_000]

/** The longest of them. */
export const longestWaitMs = Math.max(...waitsMs)

/** After so long only the same call, delivered again, completes it. */
export const waitingLimitMs = 24 * 60 * 60 * 1000

/** How long after its n-th attempt, counted from 0, the next one is due. */
export function waitAfter(attempts: number): number {
  return waitsMs[Math.min(attempts, waitsMs.length - 1)]!
}
