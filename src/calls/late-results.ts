import type { Results } from '../results/results.ts'
import type { ResultsPort } from './handle-call.ts'

/** What the results are reached with. */
export interface LateResultsOptions {
  /** Loads the room of stored results; called once, when it is first needed. */
  load(): Promise<Results>
  /** 0: oversized results are not stored. */
  budgetBytes: number
  /** One sentence for the log. */
  warn(message: string): void
}

/** The results as the rest of the router sees them; nothing of theirs is loaded before it is needed. */
export interface LateResults extends ResultsPort {
  /** Whether oversized results are stored: then there are resources, and get_result is listed. */
  isOn: boolean
  load(): Promise<Results>
  /** Calls in the background; both reject when the store fails. */
  detached: Results['detached']
  close(): Promise<void>
}

/** Makes the port of the results. */
export function createLateResults({ load: loadOnce, budgetBytes, warn }: LateResultsOptions): LateResults {
  let loading: Promise<Results> | undefined
  const load = () => (loading ??= loadOnce())
  return {
    isOn: budgetBytes > 0,
    budgetBytes,
    load,
    async store(origin, result) {
      try {
        return await (await load()).store(origin, result)
      } catch {
        warn('Stored results cannot be loaded. Oversized results go out whole.')
        return undefined
      }
    },
    getResult: async (args, findings) => (await load()).getResult(args, findings),
    detached: {
      save: async (call) => (await load()).detached.save(call),
      find: async (callId) => (await load()).detached.find(callId),
    },
    close: async () => (await loading?.catch(() => undefined))?.close(),
  }
}
