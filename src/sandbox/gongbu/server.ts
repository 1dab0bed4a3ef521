// The embedded Gongbu: builds its parts bottom up, resumes what was interrupted, listens, and closes in reverse.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { migrate, openDatabase, type SqliteDatabase } from '../../storage/database.ts'
import { withFaults } from '../faults/inject.ts'
import { createFaultPlan } from '../faults/plan.ts'
import type { AdmissionParts } from './admission/create.ts'
import { readTargets } from './admission/targets.ts'
import { openArtifactFiles } from './artifacts/files.ts'
import { openArtifactStore } from './artifacts/store.ts'
import { createBehaviours, readBehaviour, type BehaviourOf } from './behaviour/behaviour.ts'
import { gongbuSchema } from './executions/schema.ts'
import { openExecutionStore } from './executions/store.ts'
import { createHttpHubu } from './hubu/http-hubu.ts'
import type { Hubu } from './hubu/hubu.ts'
import { createMockHubu } from './hubu/mock-hubu.ts'
import { createProviders } from './provider/providers.ts'
import { openReconciliationStore } from './reconciliation/store.ts'
import { logDiagnosticsOnce } from './routes/create-routes.ts'
import { injectedError, json } from './routes/answers.ts'
import { listen, type Request } from './routes/listener.ts'
import { watchReadiness, type Readiness } from './routes/readiness.ts'
import type { RouteParts } from './routes/route-parts.ts'
import { route } from './routes/router.ts'
import { openAttemptStore } from './run/attempt-store.ts'
import { inputOf } from './run/preflight.ts'
import type { RunParts } from './run/parts.ts'
import { createRunner, type Runner } from './run/runner.ts'
import { systemTimer, type After } from './timing/timer.ts'
import { checkOptions, defaultPrices, defaultTargets, type GongbuOptions } from './settings.ts'

export type { GongbuOptions, GongbuSettings } from './settings.ts'

/** A running server. `close` stops admission, lets running steps finish for a while, and closes files and sockets. */
export interface RunningGongbu {
  url: string
  port: number
  close(): Promise<void>
}

/**
 * Starts an embedded Gongbu. Resolves once it listens and has read Hubu's health once; it serves reads even when Hubu is away.
 * Rejects on settings that cannot be served, on a database or folder that cannot be opened and on a taken port.
 */
export async function startGongbu(options: GongbuOptions): Promise<RunningGongbu> {
  checkOptions(options)
  const { settings = {}, now = () => new Date(), randomUuid = randomUUID } = options
  const { host = '127.0.0.1', port = 0 } = options
  const after = settings.after ?? systemTimer
  const timed = { ...options, now, randomUuid }
  const database = openDatabase(options.databasePath)
  try {
    migrate(database, gongbuSchema)
    const hubu = createHubu(database, timed)
    const plan = createFaultPlan((text) => readBehaviour(text) !== undefined)
    const behaviourOf = createBehaviours({
      marksPrompts: settings.promptMarkers ?? false,
      ruleForExecution: () => plan.forExecution(),
    })
    const run = createRunParts(database, timed, hubu, after, behaviourOf)
    const runner = createRunner(run.parts, {
      recoveryDelaysMs: settings.recoveryDelaysMs ?? [30_000, 120_000, 600_000],
      redeliveryDelayMs: settings.redeliveryDelayMs ?? 1000,
      hooks: settings.hooks ?? {},
      abandon: run.abandon,
    })
    const readiness = await watchReadiness({
      hubu,
      productVersion: options.stamp.productVersion,
      intervalMs: settings.hubuCheckIntervalMs ?? 5000,
      after,
    })
    const router = createRouteParts(timed, run.parts, runner, readiness)
    const handle = withFaults((request: Request) => route(router, request), {
      plan,
      adminToken: options.adminToken,
      answers: { json, error: (status, { path }) => injectedError(path, status) },
    })
    const listener = await listen({ host, port }, handle).catch((error: unknown) => {
      readiness.stop()
      throw error
    })
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

type TimedOptions = GongbuOptions & Required<Pick<GongbuOptions, 'now' | 'randomUuid'>>

function createHubu(database: SqliteDatabase, { settings = {}, now, ...options }: TimedOptions): Hubu {
  if (settings.mockHubu !== undefined) return createMockHubu(database, settings.mockHubu, settings.faults ?? {}, now)
  return createHttpHubu({ ...options.hubu, silenceMs: settings.hubuSilenceMs ?? 10_000 })
}

function createRunParts(
  database: SqliteDatabase,
  options: TimedOptions,
  hubu: Hubu,
  after: After,
  behaviourOf: BehaviourOf,
): { parts: RunParts; abandon: () => void } {
  const { settings = {}, now, randomUuid } = options
  const abandoned = new AbortController()
  // Every execution at its provider listens, and stops listening with its answer.
  setMaxListeners(0, abandoned.signal)
  const providers = createProviders({
    delayMs: settings.providerDelayMs ?? 0,
    pictures: settings.pictures ?? 'vectors',
    faults: settings.faults ?? {},
    behaviourOf,
    after,
  })
  const parts: RunParts = {
    database,
    executions: openExecutionStore(database, settings.hooks?.changed),
    attempts: openAttemptStore(database),
    artifacts: openArtifactStore(database, openArtifactFiles(options.artifactFolder, randomUuid), {
      limits: {
        maximumArtifacts: settings.maximumArtifacts ?? 4,
        maximumArtifactBytes: settings.maximumArtifactBytes ?? 20_971_520,
        maximumDecodedBytes: settings.maximumDecodedBytes ?? 104_857_600,
        maximumSidePixels: settings.maximumSidePixels ?? 16_384,
      },
      now,
      newId: randomUuid,
      fault: settings.faults?.artifact,
    }),
    reconciliations: openReconciliationStore(database),
    hubu,
    targets: readTargets(settings.targets ?? defaultTargets),
    provider: (behaviour) => providers[behaviour],
    behaviourOf: (execution) => behaviourOf({ executionId: execution.executionId, input: inputOf(execution) }),
    timestamp: () => now().toISOString(),
    newId: randomUuid,
    after,
    providerDeadlineMs: settings.providerDeadlineMs ?? 270_000,
    abandoned: abandoned.signal,
  }
  return { parts, abandon: () => abandoned.abort() }
}

function createRouteParts(options: TimedOptions, run: RunParts, runner: Runner, readiness: Readiness): RouteParts {
  const { settings = {}, callerToken, operatorToken, adminToken } = options
  const { executions, artifacts, hubu, targets } = run
  const admission: AdmissionParts = {
    executions,
    hubu,
    targets,
    catalog: settings.prices ?? defaultPrices,
    limits: {
      maximumArtifacts: settings.maximumArtifacts ?? 4,
      maximumSpendMinor: settings.maximumSpendMinor ?? 1000,
    },
    providersEnabled: settings.providersEnabled ?? true,
    secrets: [callerToken, operatorToken, adminToken, options.hubu.token].filter(
      (one) => one !== undefined && one !== '',
    ) as string[],
    boundAccountId: settings.boundAccountId,
    now: options.now,
    newId: options.randomUuid,
    schedule: (executionId) => runner.schedule(executionId),
  }
  return {
    admission,
    executions,
    artifacts,
    readiness,
    stamp: options.stamp,
    tokens: { caller: callerToken, operator: operatorToken ?? callerToken, admin: adminToken },
    boundAccountId: settings.boundAccountId,
    onDiagnostic: logDiagnosticsOnce(settings.log ?? (() => undefined)),
    signal(executionId, signal) {
      if (run.reconciliations.recordAction(executionId, signal, signal.redactedEvidence, run.timestamp()))
        runner.serveSignals(executionId)
    },
  }
}
