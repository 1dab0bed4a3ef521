// The stored results, for serve.ts: nothing of theirs is loaded before it is needed, which a cold start would pay for.
import { hostname } from 'node:os'
import type { FinishOptions } from './answers/finish.ts'
import type { StoredResults } from './calls/contract-surface.ts'
import type { Config } from './config/load-config.ts'
import { storesResults } from './config/results-settings.ts'
import { processIsThere } from './results/process-is-there.ts'
import type { Results, ResultsOptions } from './results/results.ts'
import { realClock as clock } from './timing/clock.ts'

/** The results while the process runs. */
export interface ServedResults
  extends StoredResults, Pick<FinishOptions, 'budgetBytes' | 'imageBudgetBytes' | 'store'> {
  /** The room itself, loaded when this is first called. */
  load(): Promise<Results>
  /** Calls in the background; both reject when the store fails. */
  detached: Pick<Results['detached'], 'save' | 'find'>
  close(): Promise<void>
}

/** Makes the way to the results. */
export function openResults(
  settings: Config['results'],
  outside: Pick<ResultsOptions, 'warn' | 'randomHex'>,
): ServedResults {
  const loaded: { results?: Promise<Results> } = {}
  const load = () => (loaded.results ??= loadResults(settings, outside))
  const budgetBytes = storesResults(settings) ? settings.budgetBytes : 0
  return {
    isOn: budgetBytes > 0,
    budgetBytes,
    imageBudgetBytes: settings.imageBudgetBytes,
    load,
    async store(...asked) {
      try {
        return await (await load()).store(...asked)
      } catch {
        outside.warn('Stored results cannot be loaded. Oversized results go out whole.')
        return undefined
      }
    },
    getResult: async (...asked) => (await load()).getResult(...asked),
    detached: {
      save: async (call) => (await load()).detached.save(call),
      find: async (...asked) => (await load()).detached.find(...asked),
    },
    close: async () => (await loaded.results?.catch(() => undefined))?.close(),
  }
}

/** The room of stored results on its file. */
async function loadResults(
  settings: Config['results'],
  outside: Pick<ResultsOptions, 'warn' | 'randomHex'>,
): Promise<Results> {
  const { createResults } = await import('./results/results.ts')
  const { random } = Math
  const owner = { name: outside.randomHex(), host: hostname(), processId: process.pid }
  return createResults({ ...settings, ...outside, clock, random, owner, isAlive: processIsThere })
}
