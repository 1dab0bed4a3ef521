// One router with its settings, as the shell or a client's entry gives them.
import { createGongbuClient } from '../backends/gongbu/client.ts'
import { createHubuClient } from '../backends/hubu/client.ts'
import {
  judgeGongbu,
  judgeHubu,
  unconfiguredGongbu,
  unconfiguredHubu,
  type BuildStamp,
} from '../capabilities/compatibility.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Variables } from '../config/environment.ts'
import type { Config } from '../config/load-config.ts'
import { checkBackend } from './backends.ts'
import { checkBearer } from './bearers.ts'
import { checkClock, compareClocks } from './clocks.ts'
import { checkCredentials } from './credentials.ts'
import { failure, ok, type Finding } from './finding.ts'
import { checkRegistry, isRegistry } from './registry.ts'

/** What is known of one router. */
export interface RouterSettings {
  env: Variables
  /** Throws ConfigError, or rejects with it. */
  configure(): Config | Promise<Config>
  /** It brings its own backends, so that nothing is asked of others. */
  isSandbox: boolean
}

/** Findings on its configuration, and what that leads to: credentials, backends, registry, clock, identity, other servers. */
export async function examineRouter(
  { env, configure, isSandbox }: RouterSettings,
  { stamp, nowMs }: { stamp: BuildStamp; nowMs(): number },
): Promise<Finding[]> {
  const config = await orError(configure)
  if (config instanceof ConfigError)
    return [
      failure('configuration', config.message, 'Correct the setting that the message names.'),
      ...(isSandbox ? [] : checkCredentials(env, nowMs())),
    ]
  const now = new Date(nowMs())
  const { checkIdentity } = await import('./identity.ts')
  const { checkMounted } = await import('./mounted.ts')
  return [
    ok('configuration', 'can be used'),
    ...(isSandbox ? [] : checkCredentials(env, nowMs())),
    // Those of a sandbox are asked where somebody has attached to it.
    ...(isSandbox && config.hubu === undefined ? [] : await checkBackends(config, stamp, nowMs)),
    ...(await checkState(config.statePath, now)),
    ...(isSandbox ? [] : [checkIdentity(config.statePath, config.spend, now)]),
    ...(await checkMounted(config.gateway, env, nowMs())),
  ]
}

async function orError(configure: RouterSettings['configure']): Promise<Config | ConfigError> {
  try {
    return await configure()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

async function checkBackends(config: Config, stamp: BuildStamp, nowMs: () => number): Promise<Finding[]> {
  /** How far our clock is ahead of each that told its time. */
  const aheadMs = new Map<'hubu' | 'gongbu', number>()
  const hears = (backend: 'hubu' | 'gongbu') => ({
    onDate: (atMs: number | null) => void (atMs !== null && aheadMs.set(backend, nowMs() - atMs)),
  })
  const hubu = config.hubu && createHubuClient({ ...config.hubu, ...hears('hubu') })
  const gongbu = config.gongbu && createGongbuClient({ ...config.gongbu, ...hears('gongbu') })
  try {
    const [hubuProbe, gongbuProbe, ...bearers] = await Promise.all([
      hubu?.probe(),
      gongbu?.probe(),
      checkBearer('hubu', config.hubu),
      checkBearer('gongbu', config.gongbu),
    ])
    const hubuFound = hubuProbe ? judgeHubu(hubuProbe, stamp) : unconfiguredHubu
    const gongbuFound = gongbuProbe ? judgeGongbu(gongbuProbe, stamp) : unconfiguredGongbu
    const probes = [
      checkBackend('hubu', hubuFound, stamp, hubuProbe?.health),
      checkBackend('gongbu', gongbuFound, stamp, gongbuProbe?.live),
    ]
    const clocks = [...aheadMs].map(([backend, ms]) => compareClocks(backend, ms))
    return [...probes, ...bearers.filter((finding) => finding !== undefined), ...clocks]
  } finally {
    await Promise.all([hubu?.close(), gongbu?.close()])
  }
}

async function checkState(statePath: string | undefined, now: Date): Promise<Finding[]> {
  const { readFileMarks, readOnly } = await import('../storage/database.ts')
  const { isSound } = await import('../storage/integrity.ts')
  const { keySecretState } = await import('../operations/key-secret.ts')
  const { platformsWithRepeatingIds, repeatingIds } = await import('./call-ids.ts')
  let newestStored: string | null = null
  let platforms: string[] = []
  const registry = checkRegistry(statePath, (file) => {
    const marks = readFileMarks(file)
    if (isRegistry(marks))
      readOnly(file, (database) => {
        newestStored = database.prepare(newestRow).pluck().get() as string | null
        platforms = platformsWithRepeatingIds(database, now.getTime())
      })
    if (!isRegistry(marks)) return marks
    return readOnly(file, (database) => ({
      ...marks,
      isSound: isSound(database),
      secret: keySecretState(database, file),
    }))
  })
  const { checkJournal } = await import('./journal.ts')
  const journal = registry.status === 'failure' ? [] : checkJournal(statePath, now)
  return [registry, ...journal, ...platforms.map(repeatingIds), checkClock(now, newestStored)]
}

const newestRow = 'select max(created_at) from harness_operations'
