// The embedded Gongbu (G): builds its rooms bottom up, resumes what was interrupted, listens, and closes in reverse.
import { randomUUID } from 'node:crypto'
import { migrate, openDatabase } from '../../storage/database.ts'
import type { AdmissionRoom } from './admission/create.ts'
import { readTargets, type ProviderBehaviour } from './admission/targets.ts'
import { openArtifactFiles } from './artifacts/files.ts'
import { openArtifactStore } from './artifacts/store.ts'
import { gongbuSchema } from './executions/schema.ts'
import { openExecutionStore } from './executions/store.ts'
import { createHttpHubu } from './hubu/http-hubu.ts'
import { createFixtureProvider } from './provider/fixture.ts'
import { withProviderFaults } from './provider/faults.ts'
import type { Provider } from './provider/provider.ts'
import { openReconciliationStore } from './reconciliation/store.ts'
import { listen } from './routes/listener.ts'
import { watchReadiness } from './routes/readiness.ts'
import { route, type RouterRoom } from './routes/router.ts'
import { openAttemptStore } from './run/attempt-store.ts'
import type { RunRoom } from './run/room.ts'
import { createRunner } from './run/runner.ts'
import { checkOptions, defaultPrices, defaultTargets, type After, type GongbuOptions } from './settings.ts'

export type { GongbuOptions, GongbuSettings } from './settings.ts'

/** A running server. `close` stops admission, lets running steps finish for a while, and closes files and sockets. */
export interface RunningGongbu {
  url: string
  port: number
  close(): Promise<void>
}

/**
 * Starts an embedded Gongbu. Resolves once it listens and has read Hubu's health once; it serves reads even when Hubu is away.
 * Rejects on settings that G does not allow, on a database or folder that cannot be opened and on a taken port.
 */
export async function startGongbu(options: GongbuOptions): Promise<RunningGongbu> {
  checkOptions(options)
  const { settings = {}, now = () => new Date(), randomUuid = randomUUID } = options
  const after = settings.after ?? nodeTimer
  const targets = readTargets(settings.targets ?? defaultTargets)
  const hubu = createHttpHubu({ ...options.hubu, silenceMs: settings.hubuSilenceMs ?? 10_000 })
  const database = openDatabase(options.databasePath)
  try {
    migrate(database, gongbuSchema)
    const executions = openExecutionStore(database, settings.hooks?.changed)
    const limits = {
      maximumArtifacts: settings.maximumArtifacts ?? 4,
      maximumArtifactBytes: settings.maximumArtifactBytes ?? 20_971_520,
      maximumDecodedBytes: settings.maximumDecodedBytes ?? 104_857_600,
      maximumSidePixels: settings.maximumSidePixels ?? 16_384,
    }
    const artifacts = openArtifactStore(database, openArtifactFiles(options.artifactFolder, randomUuid), {
      limits,
      now,
      newId: randomUuid,
      fault: settings.faults?.artifact,
    })
    const providers = createProviders(options, after)
    const abandoned = new AbortController()
    const runRoom: RunRoom = {
      database,
      executions,
      attempts: openAttemptStore(database),
      artifacts,
      reconciliations: openReconciliationStore(database),
      hubu,
      targets,
      provider: (behaviour) => providers[behaviour],
      timestamp: () => now().toISOString(),
      newId: randomUuid,
      after,
      providerDeadlineMs: settings.providerDeadlineMs ?? 270_000,
      abandoned: abandoned.signal,
    }
    const runner = createRunner(runRoom, {
      recoveryDelaysMs: settings.recoveryDelaysMs ?? [30_000, 120_000, 600_000],
      redeliveryDelayMs: settings.redeliveryDelayMs ?? 1000,
      hooks: settings.hooks ?? {},
      abandon: () => abandoned.abort(),
    })
    const admission: AdmissionRoom = {
      executions,
      hubu,
      targets,
      catalog: settings.prices ?? defaultPrices,
      limits: { ...limits, maximumSpendMinor: settings.maximumSpendMinor ?? 1000 },
      providersEnabled: settings.providersEnabled ?? true,
      secrets: [options.callerToken, options.hubu.token].filter((secret) => secret !== ''),
      boundAccountId: settings.boundAccountId,
      now,
      newId: randomUuid,
      schedule: (executionId) => runner.schedule(executionId),
    }
    const readiness = await watchReadiness({
      hubu,
      productVersion: options.stamp.productVersion,
      intervalMs: settings.hubuCheckIntervalMs ?? 5000,
      after,
    })
    const room: RouterRoom = {
      admission,
      executions,
      artifacts,
      readiness,
      stamp: options.stamp,
      callerToken: options.callerToken,
      boundAccountId: settings.boundAccountId,
      onDiagnostic: () => undefined,
    }
    const { host = '127.0.0.1', port = 0 } = options
    const listener = await listen({ host, port }, (request) => route(room, request))
    runner.resumeAll()
    return {
      url: listener.url,
      port: listener.port,
      async close() {
        readiness.stop()
        await listener.close()
        await runner.stop(settings.drainMs ?? 5000)
        database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function createProviders(options: GongbuOptions, after: After): Record<ProviderBehaviour, Provider> {
  const { settings = {} } = options
  const fixture = createFixtureProvider({ delayMs: settings.providerDelayMs ?? 0, after })
  const provider = withProviderFaults(fixture, settings.faults ?? {})
  return { fixture: provider, scripted: provider, ambiguous: provider, hanging: provider }
}

/** Timers do not keep the process alive: the listener does. */
function nodeTimer(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}
