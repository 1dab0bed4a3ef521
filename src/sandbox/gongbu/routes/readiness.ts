// Whether new work is admitted: as long as Hubu is well and nobody closed the door.
import type { Hubu } from '../hubu/hubu.ts'
import type { After } from '../timing/timer.ts'

/** The door for new work. */
export interface Readiness {
  isOpen(): boolean
  /** Opens or closes the door by hand. */
  setOpen(open: boolean): void
  stop(): void
}

/** Checks Hubu once before it resolves, then regularly; admission closes with the first failed check and opens with a good one. */
export async function watchReadiness(options: {
  hubu: Hubu
  productVersion: string
  intervalMs: number
  after: After
}): Promise<Readiness> {
  const { hubu, productVersion, intervalMs, after } = options
  let open = true
  let stopped = false
  let healthy = await hubu.isCompatible(productVersion)
  let cancel = after(intervalMs, check)
  function check(): void {
    void hubu.isCompatible(productVersion).then((compatible) => {
      healthy = compatible
      if (!stopped) cancel = after(intervalMs, check)
    })
  }
  return {
    isOpen: () => open && healthy && !stopped,
    setOpen: (wanted) => {
      open = wanted
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
