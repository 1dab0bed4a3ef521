// The stub backends in a process of their own, as real backends are: their work is neither the router's nor the client's.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Where the stubs listen, and how to end them. */
export interface StubProcess {
  hubuUrl: string
  gongbuUrl: string
  end(): Promise<void>
}

/** Starts both stubs; they end with this process. */
export async function startStubs(): Promise<StubProcess> {
  const child = fork(fileURLToPath(new URL('stub-main.ts', import.meta.url)))
  const [urls] = (await once(child, 'message')) as [Omit<StubProcess, 'end'>]
  return {
    ...urls,
    end: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
