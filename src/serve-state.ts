// Opens the registry and runs its worker, for serve.ts.
import type { RegistryCapability } from '#generated/types/router.js'
import type { Registry } from './operations/registry.ts'
import type { Worker, WorkerOptions } from './operations/worker.ts'
import { realClock as clock } from './timing/clock.ts'

/** How the registry is opened and its worker is run. */
export interface StateOptions {
  statePath: string | undefined
  /** The first answer waits so long for a file that somebody keeps locked. */
  waitMs: number
  randomHex(): string
  /** One sentence for the log, when it cannot be opened or has to be given up. */
  warn(message: string): void
  worker: Omit<WorkerOptions, 'operations'>
}

/** The registry while the process runs. */
export interface State {
  /** What is known when the file is open or refused, at the latest after `waitMs`. Rejects with a library fault. */
  first: Promise<RegistryCapability>
  /** What became of it in the end. */
  last: Promise<RegistryCapability>
  /** Calls back when an open registry has to be given up, with what is known of it then. */
  onLost(listener: (lost: RegistryCapability) => void): void
  /** Null until it is open. */
  registry(): Registry | null
  /** The worker may look at once. */
  wake(): void
  /** Stops the worker and closes the file, however far it has come. */
  end(): Promise<void>
}

/** Begins to open the registry; its worker starts as soon as it is open. */
export function openState(options: StateOptions): State {
  let opened: { registry: Registry; worker: Worker } | undefined
  let tellLost = (_lost: RegistryCapability) => {}
  const last = open(options).then((found) => {
    if (typeof found === 'string') return unavailable(found)
    opened = found
    found.registry.guard.onLost((reason) => {
      options.warn(lossWords[reason])
      tellLost(unavailable('state_unavailable'))
      void found.worker.stop()
    })
    if (found.registry.guard.lost !== null) return unavailable('state_unavailable')
    return { state: 'available' as const, reason_code: null, billable_operations_available: true }
  })
  const first = new Promise<RegistryCapability>((resolve, reject) => {
    const cancel = clock.after(options.waitMs, () => resolve(unavailable('state_unavailable')))
    last.then(resolve, reject).finally(cancel)
  })
  return {
    first,
    last,
    onLost: (listener) => {
      tellLost = listener
    },
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
  if (found.kind === 'unavailable') {
    if (found.reason === 'state_unavailable') options.warn(whyUnavailable(found.cause))
    return found.reason
  }
  try {
    const registry = await createRegistry({ ...found, clock, random, randomHex })
    return { registry, worker: startWorker({ ...options.worker, operations: registry.worker }) }
  } catch {
    found.database.close()
    return 'state_unavailable'
  }
}

/** What an operator reads in the log. No path is in it. */
const lossWords = {
  replaced:
    'The registry file or a side file of it was moved, deleted, replaced or linked while it was in use. Nothing is written any more, and no ' +
    'spend is sent. Put the file back and start the router again.',
  damaged:
    'The registry file is damaged. Nothing is written any more, and no spend is sent. Keep the file, restore a backup, and start the router again.',
} as const

function whyUnavailable(cause: unknown): string {
  const { name, message } = (cause ?? {}) as { name?: unknown; message?: unknown }
  const what = name === 'KeySecretLost' || name === 'RegistryRefused' ? String(message) : 'it cannot be opened'
  return `The registry is not used, so no spend is sent: ${what}. hubu-unified-mcp doctor says what to do.`
}

function unavailable(reason: NonNullable<RegistryCapability['reason_code']>): RegistryCapability {
  return { state: 'unavailable', reason_code: reason, billable_operations_available: false }
}
