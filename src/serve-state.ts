// Opens the registry and runs its worker, for serve.ts.
import type { RegistryCapability } from '#generated/types/router.js'
import type { Registry } from './operations/registry.ts'
import type { Worker, WorkerOptions } from './operations/worker.ts'
import { realClock as clock } from './timing/clock.ts'

/** What is needed to open the registry and to run its worker. */
export interface StateOptions {
  statePath: string | undefined
  /** The first answer waits so long for a file that somebody keeps locked. */
  waitMs: number
  randomHex(): string
  worker: Omit<WorkerOptions, 'operations'>
}

/** The registry while the process runs. */
export interface State {
  /** What is known when the file is open or refused, at the latest after `waitMs`. Rejects with a library fault. */
  first: Promise<RegistryCapability>
  /** What became of it in the end. */
  last: Promise<RegistryCapability>
  /** Null while it is unavailable. */
  registry(): Registry | null
  /** The worker may look at once. */
  wake(): void
  /** Stops the worker and closes the file, however far it has come. */
  end(): Promise<void>
}

/** Begins to open the registry; its worker starts as soon as it is open. */
export function openState(options: StateOptions): State {
  let opened: { registry: Registry; worker: Worker } | undefined
  const last = open(options).then((found) => {
    if (typeof found === 'string') return unavailable(found)
    opened = found
    return { state: 'available' as const, reason_code: null, billable_operations_available: true }
  })
  const first = new Promise<RegistryCapability>((resolve, reject) => {
    const cancel = clock.after(options.waitMs, () => resolve(unavailable('state_unavailable')))
    last.then(resolve, reject).finally(cancel)
  })
  return {
    first,
    last,
    registry: () => opened?.registry ?? null,
    wake: () => opened?.worker.wake(),
    end: async () => {
      await last.catch(() => {})
      await opened?.worker.stop()
      opened?.registry.close()
    },
  }
}

/** The registry with its worker, or why there is none. */
async function open(
  options: StateOptions,
): Promise<{ registry: Registry; worker: Worker } | NonNullable<RegistryCapability['reason_code']>> {
  const { statePath, randomHex } = options
  if (statePath === undefined || statePath.trim() === '') return 'configuration_missing'
  const { openRegistry } = await import('./operations/open-registry.ts')
  const { createRegistry } = await import('./operations/registry.ts')
  const { startWorker } = await import('./operations/worker.ts')
  const { random } = Math
  const found = await openRegistry({ statePath, clock, random, randomHex })
  if (found.kind === 'unavailable') return found.reason
  try {
    const registry = await createRegistry({ ...found, clock, random, randomHex })
    return { registry, worker: startWorker({ ...options.worker, operations: registry.worker }) }
  } catch {
    found.database.close()
    return 'state_unavailable'
  }
}

function unavailable(reason: NonNullable<RegistryCapability['reason_code']>): RegistryCapability {
  return { state: 'unavailable', reason_code: reason, billable_operations_available: false }
}
