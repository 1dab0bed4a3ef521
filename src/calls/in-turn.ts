/** Runs work of the same key one after another; different keys do not wait for each other. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Two deliveries of one harness call identity stay in order: the second waits for the first (DESIGN 2). */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
