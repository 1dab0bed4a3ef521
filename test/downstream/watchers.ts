/** Those who wait until something holds; told to look again at each change. */
export function createWatchers() {
  const waiting = new Set<() => void>()
  return {
    look: () => {
      for (const look of waiting) look()
    },
    changed: (until: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!until()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}
