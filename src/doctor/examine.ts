// This room says what is wrong with this machine and how to mend it. It changes nothing.
import { createGongbuClient } from '../backends/gongbu/client.ts'
import { createHubuClient } from '../backends/hubu/client.ts'
import {
  judgeGongbu,
  judgeHubu,
  unconfiguredGongbu,
  unconfiguredHubu,
  type BuildStamp,
} from '../capabilities/compatibility.ts'
import type { LostTrust } from '../client-configs/init/lost-trust.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Variables } from '../config/environment.ts'
import type { Config } from '../config/load-config.ts'
import { checkBackend } from './backends.ts'
import { checkBearer } from './bearers.ts'
import { checkCredentials } from './credentials.ts'
import { checkTrust } from './clients.ts'
import { failure, ok, type Finding } from './finding.ts'
import { checkNativeModule, checkNode, checkStamp } from './machine.ts'
import { checkClock, compareClocks } from './clocks.ts'
import { checkRegistry, isRegistry } from './registry.ts'

/** What an examination looks at. */
export interface Patient {
  env: Variables
  /** The settings of a server that starts here. Throws ConfigError, or rejects with it. */
  configure(): Config | Promise<Config>
  stamp: BuildStamp
  nodeVersion: string
  nowMs(): number
  /** Clients that are trusted to ask a person and may not. */
  lostTrust?(): LostTrust[] | Promise<LostTrust[]>
}

/** Every finding, in the order in which a reader would mend things. */
export async function examine({ env, configure, stamp, nodeVersion, nowMs, lostTrust }: Patient): Promise<Finding[]> {
  const findings = [checkNode(nodeVersion), await checkNativeModule(readSqliteVersion), checkStamp(stamp)]
  const config = await orError(configure)
  findings.push(
    config instanceof ConfigError
      ? failure('configuration', config.message, 'Correct the setting that the message names.')
      : ok('configuration', 'can be used'),
  )
  findings.push(...checkCredentials(env))
  if (!(config instanceof ConfigError)) {
    findings.push(...(await checkBackends(config, stamp, nowMs)))
    findings.push(...(await checkState(config.statePath, new Date(nowMs()))))
    const { checkIdentity } = await import('./identity.ts')
    findings.push(checkIdentity(config.statePath, config.spend, new Date(nowMs())))
  }
  findings.push(...((await lostTrust?.()) ?? []).map(checkTrust))
  return findings
}

async function orError(configure: Patient['configure']): Promise<Config | ConfigError> {
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
  const hears = (backend: 'hubu' | 'gongbu') => ({ onDate: (atMs: number) => aheadMs.set(backend, nowMs() - atMs) })
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

async function readSqliteVersion(): Promise<string> {
  const { sqliteVersion } = await import('../storage/database.ts')
  return sqliteVersion()
}
