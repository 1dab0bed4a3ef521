// This room says what is wrong with this machine and how to mend it. It changes nothing.
import type { BuildStamp } from '../capabilities/compatibility.ts'
import type { LostTrust } from '../client-configs/init/lost-trust.ts'
import { environmentVariables, isBlank, type Variables } from '../config/environment.ts'
import type { Config } from '../config/load-config.ts'
import { checkTrust } from './clients.ts'
import type { ClientEntries } from './entries/client-entries.ts'
import { ok, type Finding } from './finding.ts'
import { checkNativeModule, checkNode, checkStamp } from './machine.ts'
import { examineRouter } from './router.ts'

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
  /** What clients start. Without any entry of ours this shell is what counts. */
  entries?: ClientEntries
}

/** Every finding, in the order in which a reader would mend things. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const { env, configure, stamp, nodeVersion, lostTrust, entries } = patient
  const groups = entries?.routers() ?? []
  const findings = [checkNode(nodeVersion), await checkNativeModule(readSqliteVersion)]
  findings.push(checkStamp(stamp, { isOnlySandbox: groups.length > 0 && groups.every(({ isSandbox }) => isSandbox) }))
  if (isShellMeant(env) || (groups.length === 0 && entries?.isOfOneClient !== true))
    findings.push(...(await examineRouter({ env, configure, isSandbox: false }, patient)))
  else if (groups.length > 0)
    findings.push(ok('this shell', "sets nothing of a router's; what the clients' entries say counts"))
  for (const { clients, ...settings } of groups) {
    const found = await examineRouter(settings, patient)
    findings.push(...found.map((finding) => ({ ...finding, clients })))
  }
  if (entries !== undefined) {
    const { examineEntries } = await import('./entries/examine-entries.ts')
    findings.push(...(await examineEntries(entries, stamp)))
  }
  findings.push(...((await lostTrust?.()) ?? []).map(checkTrust))
  return findings
}

/** Whether somebody who set these variables wants to start a router from this shell. */
function isShellMeant(env: Variables): boolean {
  return Object.values(environmentVariables).some((name) => !isBlank(env[name]))
}

async function readSqliteVersion(): Promise<string> {
  const { sqliteVersion } = await import('../storage/database.ts')
  return sqliteVersion()
}
