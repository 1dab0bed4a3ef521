import path from 'node:path'
import type { GatewayConfig } from '#generated/types/config.js'
import { ConfigError } from './config-error.ts'
import { environmentVariables as names, isBlank } from './environment.ts'
import { dataFolder, type Place } from './paths.ts'
import { budgetWords, parseBudget, parseSize } from './sizes.ts'

/** How oversized results are treated. */
export interface ResultsSettings {
  /** The largest result that goes out as it is; 0: any. Bounds pages as well. */
  readonly budgetBytes: number
  /** Pictures of mounted servers go out as pictures up to so many bytes of base64, beside the budget. */
  readonly imageBudgetBytes: number
  /** Every result goes out as it is. */
  readonly verbatim: boolean
  /** Undefined when the machine has no place for it. */
  readonly path: string | undefined
  /** The store's file never grows beyond this. */
  readonly limitBytes: number
}

const defaultBudgetBytes = 32 * 1024
const mebibyte = 1024 ** 2
const defaultImageBudgetBytes = 1.5 * mebibyte
const defaultLimitBytes = 1024 * mebibyte

/** Whether oversized results are stored at all. */
export function storesResults({ budgetBytes, verbatim }: ResultsSettings): boolean {
  return budgetBytes > 0 && !verbatim
}

/** Environment over file over defaults. Throws ConfigError. */
export function readResultsSettings(
  read: (name: string) => string | undefined,
  { gateway, place }: { gateway?: GatewayConfig; place?: Place },
): ResultsSettings {
  const inFile = gateway?.response_budget === undefined ? undefined : parseBudget(String(gateway.response_budget))
  return {
    budgetBytes: readBudget(read(names.responseBudget)) ?? inFile ?? defaultBudgetBytes,
    imageBudgetBytes: parseSize(String(gateway?.image_budget ?? '')) ?? defaultImageBudgetBytes,
    verbatim: readSwitch(read(names.verbatim)) ?? gateway?.verbatim ?? false,
    path: resultsPath(read(names.resultsPath), place),
    limitBytes: readLimit(read(names.resultsLimit)) ?? defaultLimitBytes,
  }
}

function readBudget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const bytes = parseBudget(text)
  if (bytes === undefined) throw new ConfigError(`${names.responseBudget} must be ${budgetWords}`)
  return bytes
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const bytes = parseSize(text)
  if (bytes !== undefined && bytes >= mebibyte) return bytes
  throw new ConfigError(`${names.resultsLimit} must be a size of at least 1MB, such as 512MB or 4GB`)
}

const on = new Set(['1', 'true', 'TRUE', 'yes', 'YES'])
const off = new Set(['0', 'false', 'FALSE', 'no', 'NO'])

function readSwitch(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (on.has(text)) return true
  if (off.has(text)) return false
  throw new ConfigError(`${names.verbatim} must be 1, true or yes, or 0, false or no`)
}

function resultsPath(text: string | undefined, place: Place | undefined): string | undefined {
  if (!isBlank(text)) return path.resolve(text)
  if (place === undefined) return undefined
  const folder = dataFolder(place)
  return path.isAbsolute(folder) ? path.join(folder, 'results.sqlite3') : undefined
}
