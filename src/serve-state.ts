// Opens the registry and runs its worker, for serve.ts.
import type { RegistryCapability } from '#generated/types/router.js'
import type { Registry } from './operations/registry.ts'
import type { Deliveries } from './operations/journal/deliveries.ts'
import type { SpendRules } from './operations/spend-rules.ts'
import type { WaitingSpend } from './operations/waiting/waiting-spends.ts'
import type { WorkerOptions } from './operations/worker.ts'
import type { Worker } from './operations/worker-loop.ts'
import { realClock as clock } from './timing/clock.ts'
import type { ClockWitness } from './timing/clock-witness.ts'

/** How the registry is opened and its workers are run. */
export interface StateOptions {
  statePath: string | undefined
  rules: SpendRules
  stamp: { productVersion: string; sourceCommit: string }
  /** The first answer waits so long for a file that somebody keeps locked. */
  waitMs: number
  randomHex(): string
  /** The text without our secrets; the very same one when it holds none. */
  redact(text: string): string
  /** One sentence for the log, when it cannot be opened or has to be given up. */
  warn(message: string): void
  /** Confirms what the wall clock would end. */
  witness: ClockWitness
  worker: Omit<WorkerOptions, 'operations'>
}

/** The registry while the process runs. */
export interface State {
  /** What is known when the file is open or refused, at the latest after `waitMs`. Rejects with a library fault. */
  first: Promise<RegistryCapability>
  /** What became of it in the end. */
  last: Promise<RegistryCapability>
  /** Resolves when an open registry has to be given up, with what is known of it then. */
  lost: Promise<RegistryCapability>
  /** Null until it is open. */
  registry(): Registry | null
  /** What is known of answers on their way; nothing is where no journal is kept. */
  deliveries(): Deliveries | undefined
  /** The worker may look at once. */
  wake(): void
  /** From now on purchases that wait for a human are asked for again, in this way. Called once. */
  completeWaiting(deliver: (spend: WaitingSpend) => Promise<unknown>): void
  /** A purchase waits for a human. */
  wakeWaiting(): void
  /** Stops the workers and closes the file, however far it has come. */
  end(): Promise<void>
}

/** Begins to open the registry; its worker starts as soon as it is open. */
export function openState(options: StateOptions): State {
  const held: { opened?: OpenedState; waiting?: Worker } = {}
  const ending = new AbortController()
  const opening = open(options, ending.signal).then((found) => {
    if (typeof found !== 'string') held.opened = found
    return found
  })
  const lost = new Promise<RegistryCapability>((resolve) => {
    const watch = (found: Awaited<typeof opening>) => {
      if (typeof found === 'string') return
      found.registry.guard.onLost((reason) => {
        options.warn(lossWords[reason])
        void found.worker.stop()
        void held.waiting?.stop()
        resolve(unavailable('state_unavailable'))
      })
    }
    opening.then(watch, () => {})
  })
  const last = opening.then((found): RegistryCapability => {
    if (typeof found === 'string') return unavailable(found)
    if (found.registry.guard.lost !== null) return unavailable('state_unavailable')
    return { state: 'available', reason_code: null, billable_operations_available: true }
  })
  const first = new Promise<RegistryCapability>((resolve, reject) => {
    const cancel = clock.after(options.waitMs, () => resolve(unavailable('state_unavailable')))
    last.then(resolve, reject).finally(cancel)
  })
  return {
    first,
    last,
    lost,
    registry: () => held.opened?.registry ?? null,
    deliveries: () => held.opened?.registry.books?.sealer.deliveries,
    wake: () => held.opened?.worker.wake(),
    completeWaiting: (deliver) => {
      const start = (found: Awaited<typeof opening>) => {
        if (typeof found !== 'string') held.waiting = found.completeWaiting(deliver)
      }
      opening.then(start, () => {})
    },
    wakeWaiting: () => held.waiting?.wake(),
    end: async () => {
      ending.abort()
      await opening.catch(() => {})
      const { registry, worker } = held.opened ?? {}
      await Promise.all([worker?.stop(), held.waiting?.stop()])
      await registry?.books?.sealer.stop()
      registry?.close()
    },
  }
}

interface OpenedState {
  registry: Registry
  worker: Worker
  completeWaiting(deliver: (spend: WaitingSpend) => Promise<unknown>): Worker
}

/** The registry with its worker, or why there is none. */
async function open(
  options: StateOptions,
  signal: AbortSignal,
): Promise<OpenedState | NonNullable<RegistryCapability['reason_code']>> {
  const { statePath, rules, stamp, randomHex } = options
  if (statePath === undefined || statePath.trim() === '') return 'configuration_missing'
  const { openRegistry } = await import('./operations/open-registry.ts')
  const { createRegistry } = await import('./operations/registry.ts')
  const { startWorker } = await import('./operations/worker.ts')
  const { startApprovalWorker } = await import('./operations/waiting/approval-worker.ts')
  const { random } = Math
  const journalOf = rules.journal === 'off' ? undefined : stamp
  const found = await openRegistry({ statePath, journalOf, clock, random, randomHex, signal })
  if (found.kind === 'unavailable') {
    if (found.reason === 'state_unavailable' && !signal.aborted) options.warn(whyUnavailable(found.cause))
    return found.reason
  }
  try {
    const registry = await createRegistry({ ...options, ...found, clock, random })
    registry.books?.sealer.start()
    const { access, spends } = registry.waiting
    return {
      registry,
      worker: startWorker({ ...options.worker, operations: registry.worker }),
      completeWaiting: (deliver) => startApprovalWorker({ access, waiting: spends, deliver, clock, randomHex }),
    }
  } catch {
    found.stopCheck()
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
