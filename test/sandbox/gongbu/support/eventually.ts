/**
 * Looks again after each turn until the check holds; throws after many turns, so that a broken server ends the test instead of
 * keeping it busy for ever. A turn is something that takes its time, for instance a request.
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  turn: () => Promise<unknown>,
  turns = 5000,
): Promise<void> {
  for (let left = turns; left > 0; left -= 1) {
    if (await holds()) return
    await turn()
  }
  throw new Error('what the test waits for does not happen')
}
