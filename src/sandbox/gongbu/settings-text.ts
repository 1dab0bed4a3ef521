// Pure: settings written as JSON text, for a Gongbu that is started by environment variables.
import type { GongbuSettings } from './settings.ts'

/** The settings that are plain data. */
type PlainSettings = Omit<GongbuSettings, 'after' | 'log' | 'hooks'>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isFlag: Check = (value) => typeof value === 'boolean'
const oneOf =
  (...texts: string[]): Check =>
  (value) =>
    texts.includes(value as string)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** An object with only these members; those in `required` must be there. */
const members =
  (checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, one]) => Object.hasOwn(checks, name) && checks[name]?.(one))

const key = { workloadType: isText, provider: isText, adapter: isText, model: isText, version: isText }
const behaviour = oneOf('fixture', 'scripted', 'ambiguous', 'hanging')
const target = members({ ...key, behaviour, active: isFlag, executionEnabled: isFlag }, [
  ...Object.keys(key),
  'behaviour',
])
const rate = {
  unit: oneOf('image', 'input_token', 'output_token'),
  rateNumeratorMinor: isCount,
  rateDenominator: isCount,
}
const rule = { ruleId: isText, provider: isText, model: isText, components: listOf(members(rate, Object.keys(rate))) }
const boundary = oneOf('none', 'proven_before_mutation', 'commit_then_disconnect')

const checks: Readonly<Record<keyof PlainSettings, Check>> = {
  targets: listOf(target),
  prices: members(
    { version: isText, rules: listOf(members({ ...rule, imageSize: oneOf('1k', '2k', '4k') }, Object.keys(rule))) },
    ['version', 'rules'],
  ),
  providersEnabled: isFlag,
  maximumSpendMinor: isCount,
  maximumArtifacts: isCount,
  maximumArtifactBytes: isCount,
  maximumDecodedBytes: isCount,
  maximumSidePixels: isCount,
  recoveryDelaysMs: listOf(isCount),
  redeliveryDelayMs: isCount,
  providerDelayMs: isCount,
  providerDeadlineMs: isCount,
  hubuSilenceMs: isCount,
  hubuCheckIntervalMs: isCount,
  drainMs: isCount,
  mockHubu: members({ maximumMinor: isCount, expiresAt: isText, seed: isCount }),
  faults: members({
    claim: boundary,
    settle: boundary,
    release: boundary,
    execution: boundary,
    artifact: boundary,
    scenario: oneOf('success', 'proven_rejection', 'timeout_ambiguous', 'malformed_response'),
  }),
  promptMarkers: isFlag,
  pictures: oneOf('vectors', 'from-prompt'),
  boundAccountId: isText,
}

/** Reads settings. Throws an Error that names the first setting that is unknown or not of its kind. */
export function readSettings(text: string): PlainSettings {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('the settings are not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('the settings are not a JSON object')
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(checks, name)) throw new Error(`unknown setting ${name}`)
    if (!checks[name as keyof PlainSettings](one)) throw new Error(`setting ${name} is not acceptable`)
  }
  return value as PlainSettings
}
