// One sandbox for everybody who uses a data folder: the process that has the seat serves its backends, the others join them.
import { setTimeout as pause } from 'node:timers/promises'
import {
  makeTokens,
  readConnectionFile,
  writeConnectionFile,
  type SandboxTokens,
  type Serving,
} from './connection-file.ts'
import { connectionOf, type SandboxConnection } from './attach.ts'
import { setFaults } from './faults/control.ts'
import type { Seeded } from './hubu/seed.ts'
import { openSeat, type Seat } from './seat.ts'
import { startBackends, type BackendOptions, type RunningBackends } from './start.ts'

/** How a process takes part in a sandbox. */
export interface SandboxOptions extends Omit<BackendOptions, 'tokens'> {
  /** Names of faults (faults/presets.ts) that are in force as soon as this process takes part. */
  faults?: readonly string[]
  /** Hears why this process could not take over. It tries again. */
  onTrouble?(error: unknown): void
}

/** A sandbox in which this process takes part. */
export interface OpenSandbox extends SandboxConnection {
  /** Whether this process began as the one that serves, and what a seeded Hubu holds then. */
  role: { kind: 'serves'; seeded: Seeded | null } | { kind: 'joined'; productVersion: string }
  /** Ends this process's part. What it served, another process that takes part serves from then on. */
  close(): Promise<void>
}

/** Another process has the seat and serves nothing, for instance one of a release that knew no joining. */
export class UnservedSandboxError extends Error {}

/** Who is idle looks so often whether somebody serves; who has a call looks at once. */
const lookMs = 500
/** A process that begins or ends to serve is waited for this long. */
const patienceMs = 15_000
/** A call has a time-out of its own besides. */
const patienceOfCallMs = 5000
const pauseMs = 20
/** After a failed start another process gets its chance. */
const restMs = 5000

/**
 * Serves the backends of a data folder, or joins the process that does. When that one ends or dies, the first that notices serves in
 * its place, with the same credentials and on the same files. Rejects when the folder cannot be used, when the backends do not start
 * and when the process that has the seat does not begin to serve.
 */
export async function openSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const part = new Part(options, openSeat(options.folder))
  try {
    const serving = await part.serving(patienceMs)
    const connection = connectionOf(part.tokens, serving, () => part.latest())
    if (options.faults?.length) await setFaults(connection, options.faults)
    return {
      ...connection,
      role:
        part.seeded === undefined
          ? { kind: 'joined', productVersion: serving.productVersion }
          : { kind: 'serves', seeded: part.seeded },
      close: () => part.close(),
    }
  } catch (error) {
    await part.close()
    throw error
  }
}

class Part {
  readonly #options: SandboxOptions
  readonly #seat: Seat
  readonly #look: NodeJS.Timeout
  #tokens: SandboxTokens | undefined
  #backends: RunningBackends | undefined
  #own: Serving | undefined
  #known: Serving | undefined
  #step: Promise<Serving | null> | undefined
  #restsUntilMs = 0
  #isClosed = false

  constructor(options: SandboxOptions, seat: Seat) {
    this.#options = options
    this.#seat = seat
    this.#look = setInterval(() => void this.#attend().catch((error: unknown) => this.#trouble(error)), lookMs).unref()
  }

  /** The credentials; there are none before `serving` has resolved. */
  get tokens(): SandboxTokens {
    return this.#tokens!
  }

  /** What a seeded Hubu holds, where this process serves. */
  get seeded(): Seeded | null | undefined {
    return this.#backends?.seeded
  }

  /** Where the backends are, as soon as somebody serves them. Rejects like `openSandbox`. */
  async serving(withinMs: number): Promise<Serving> {
    const untilMs = performance.now() + withinMs
    for (;;) {
      const serving = await this.#attend()
      if (serving !== null) return (this.#known = serving)
      if (this.#isClosed || performance.now() > untilMs)
        throw new UnservedSandboxError('the process that holds the sandbox does not serve it')
      await pause(pauseMs)
    }
  }

  /** The same for a call: where nobody can serve, it is sent to where the backends were, and finds nobody there. */
  latest(): Promise<Serving> {
    return this.serving(patienceOfCallMs).catch((error: unknown) => {
      this.#trouble(error)
      return this.#known!
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#look)
    await this.#step?.catch(() => undefined)
    const { folder } = this.#options
    if (this.#backends !== undefined) {
      this.#tellLeaving(folder)
      await this.#backends.close()
    }
    this.#seat.close()
  }

  /** Whoever asks from now on waits for the next one instead of knocking at closed doors. */
  #tellLeaving(folder: string): void {
    const named = readConnectionFile(folder)?.serving
    if (named?.hubuPort !== this.#own?.hubuPort || named?.gongbuPort !== this.#own?.gongbuPort) return
    try {
      writeConnectionFile(folder, { tokens: this.tokens, serving: null })
    } catch {
      // A folder that was removed has nobody who asks.
    }
  }

  #attend(): Promise<Serving | null> {
    return (this.#step ??= this.#attendOnce().finally(() => (this.#step = undefined)))
  }

  /** Where the backends are; null while nobody serves them. Serves them when nobody else may. */
  async #attendOnce(): Promise<Serving | null> {
    if (this.#own !== undefined) return this.#own
    const { folder } = this.#options
    if (this.#isClosed || performance.now() < this.#restsUntilMs) return null
    if (!this.#seat.take()) {
      const file = readConnectionFile(folder)
      if (file?.serving) this.#tokens ??= file.tokens
      return file?.serving ?? null
    }
    try {
      return await this.#serve()
    } catch (error) {
      this.#seat.leave()
      this.#restsUntilMs = performance.now() + restMs
      throw error
    }
  }

  async #serve(): Promise<Serving> {
    const { folder, stamp, faults = [] } = this.#options
    this.#tokens ??= readConnectionFile(folder)?.tokens ?? makeTokens()
    const { tokens } = this
    // What a dead process has left names a port that may be anybody's by now.
    writeConnectionFile(folder, { tokens, serving: null })
    const backends = await startBackends({ ...this.#options, tokens })
    const { hubuPort, gongbuPort } = backends
    const serving = { hubuPort, gongbuPort, productVersion: stamp.productVersion }
    try {
      writeConnectionFile(folder, { tokens, serving })
      // At the start of this process its caller sets them, wherever the backends are.
      if (this.#known !== undefined && faults.length > 0)
        await setFaults(
          connectionOf(tokens, serving, () => Promise.resolve(serving)),
          faults,
        )
    } catch (error) {
      await backends.close()
      throw error
    }
    this.#backends = backends
    return (this.#own = serving)
  }

  #trouble(error: unknown): void {
    if (!this.#isClosed) this.#options.onTrouble?.(error)
  }
}
