import { ConfigError } from './config-error.ts'
import { environmentVariables as names } from './environment.ts'

/** How much is logged; silent by default. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

/** Reads HUBU_UNIFIED_LOG. Throws ConfigError. */
export function readLogLevel(text: string | undefined): LogLevel {
  if (text === undefined || text === '') return 'silent'
  const level = levels.find((known) => known === text)
  if (level === undefined) throw new ConfigError(`${names.log} must be error, warn, info or debug`)
  return level
}
