import { existsSync } from 'node:fs'
import path from 'node:path'
import { environmentVariables as names, isBlank, readVariable } from './environment.ts'
import { readFileSettings } from './file-settings.ts'
import { loadConfig, type Config } from './load-config.ts'
import { ownConfigFolder, type Place } from './paths.ts'

/** What the command line says about the configuration. */
export interface ConfigFlags {
  /** `--config PATH`. */
  config?: string
  /** `--agent NAME`. */
  agent?: string
  /** `--identity MODE`. */
  identity?: string
}

/**
 * Everything that a served router is told: flags over environment over file over defaults. The file's reader is loaded only
 * when there is a file. Rejects with ConfigError.
 */
export async function configure(
  place: Place,
  flags: ConfigFlags = {},
  { isSandbox = false }: { isSandbox?: boolean } = {},
): Promise<Config> {
  const file = configPath(place, flags)
  const given = { place, agent: flags.agent, identity: flags.identity, isSandbox }
  if (file === undefined) return loadConfig(place.env, given)
  const { readConfigBytes, readConfigFile } = await import('./config-file.ts')
  const read = (name: string) => readVariable(place.env, name)
  const config = loadConfig(place.env, { ...given, gateway: readConfigFile(file) })
  return Object.freeze({
    ...config,
    source: {
      path: file,
      read: (bytes: Uint8Array) => readFileSettings(read, { ...given, gateway: readConfigBytes(file, bytes) }),
    },
  })
}

/** The config file to read: one that is named must exist, the default one may be missing. */
export function configPath(place: Place, flags: ConfigFlags = {}): string | undefined {
  const named = flags.config ?? readVariable(place.env, names.config)
  if (!isBlank(named)) return named
  const usual = path.join(ownConfigFolder(place), 'config.yaml')
  return path.isAbsolute(usual) && existsSync(usual) ? usual : undefined
}
