// The configuration of a router in front of a sandbox.
import path from 'node:path'
import { buildStamp } from '../config/build-stamp.ts'
import { environmentVariables } from '../config/environment.ts'
import type { Config } from '../config/load-config.ts'
import type { Place } from '../config/paths.ts'
import { Secret } from '../redaction/secret.ts'
import type { SandboxConnection } from '../sandbox/attach.ts'
import { backendOf } from './sandbox-folder.ts'

/** The stamp of all three parts of a sandbox; its commit says that it is no release. */
export const sandboxStamp = { productVersion: buildStamp.productVersion, sourceCommit: '0'.repeat(40) }

/** The environment without real backends, their credentials and the real registry. */
export function withoutBackends(place: Place): Place {
  const names = environmentVariables
  const real = [
    ...[names.hubuEndpoint, names.hubuToken, names.hubuTokenFile, names.statePath],
    ...[names.gongbuEndpoint, names.gongbuToken, names.gongbuTokenFile],
    ...[names.reconciliationToken, names.reconciliationTokenFile],
  ] as string[]
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => !real.includes(name)))
  return { ...place, env }
}

/** The settings, with the sandbox in the place of backends while it runs; everything it keeps lies in its folder. */
export function configOf(sandbox: SandboxConnection | undefined, folder: string, settings: Config): Config {
  return {
    ...settings,
    hubu: sandbox && backendOf(sandbox.hubu),
    gongbu: sandbox && backendOf(sandbox.gongbu),
    statePath: path.join(folder, 'registry.sqlite3'),
    activityPath: path.join(folder, 'activity.sqlite3'),
    reconciliation: { direct: sandbox && new Secret(sandbox.hubu.reconciliationToken), file: '' },
    results: { ...settings.results, path: path.join(folder, 'results.sqlite3') },
  }
}
