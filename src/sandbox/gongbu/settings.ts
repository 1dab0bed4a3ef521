// What an embedded Gongbu is told when it starts.
import type { HubuFaults } from './hubu/faults.ts'
import type { MockHubuSetting } from './hubu/mock-hubu.ts'
import { checkCatalog, type PriceCatalog } from './prices/catalog.ts'
import type { ProviderFaults } from './provider/faults.ts'
import type { Pictures } from './provider/fixture.ts'
import type { TargetSetting } from './admission/targets.ts'
import type { ArtifactFault } from './artifacts/store.ts'
import type { RunHooks } from './run/runner.ts'
import type { After } from './timing/timer.ts'

/** How to start (`startGongbu`). */
export interface GongbuOptions {
  /** The SQLite file; created when absent. */
  databasePath: string
  /** The folder that holds artifact bytes; created when absent. */
  artifactFolder: string
  /** Where to listen; a loopback address. Default 127.0.0.1. */
  host?: string
  /** Default: any free port. */
  port?: number
  /** Release facts that `GET /version` tells and that Hubu's must equal. */
  stamp: { productVersion: string; sourceCommit: string }
  /** The installation's bearer. */
  callerToken: string
  /** When given, the reconciliation route takes this bearer instead of the caller's. A real Gongbu knows one bearer. */
  operatorToken?: string
  /**
   * When given, it is the bearer of `POST /sandbox/admission`, which opens and closes admission,
   * and of `/sandbox/faults` (faults/inject.ts).
   */
  adminToken?: string
  /** Where Hubu is and what Gongbu shows it. */
  hubu: { url: string; token: string }
  /** Default: the system clock. */
  now?: () => Date
  /** Version 4 UUIDs in lower case. Default: node's. */
  randomUuid?: () => string
  settings?: GongbuSettings
}

/** Everything that may differ from the defaults. Money in minor units. */
export interface GongbuSettings {
  /** What can be executed. Default: `defaultTargets`. */
  targets?: readonly TargetSetting[]
  /** Default: `defaultPrices`. */
  prices?: PriceCatalog
  /** Off: no target is selectable and nothing may be spent. Default on. */
  providersEnabled?: boolean
  /** Ceiling of one execution's estimate. Default 1000. */
  maximumSpendMinor?: number
  /** Limits of artifacts. Defaults 4, 20 MiB, 100 MiB, 16 384. */
  maximumArtifacts?: number
  maximumArtifactBytes?: number
  maximumDecodedBytes?: number
  maximumSidePixels?: number
  /** Waits before each automatic recovery, one to eight. Default 30 s, 120 s, 600 s. */
  recoveryDelaysMs?: readonly number[]
  /** Wait before a step that failed inside Gongbu is tried again; doubles up to a minute. Default 1 s. */
  redeliveryDelayMs?: number
  /** How long the fixture provider takes. Default 0. */
  providerDelayMs?: number
  /** After this a provider's outcome counts as unknown. Default 270 s. */
  providerDeadlineMs?: number
  /** How long Hubu may be silent within a call. Default 10 s. */
  hubuSilenceMs?: number
  /** How often Hubu's health is read. Default 5 s. */
  hubuCheckIntervalMs?: number
  /** How long `close` lets running steps finish. Default 5 s. */
  drainMs?: number
  /** Use the in-process mock instead of `hubu`. */
  mockHubu?: MockHubuSetting
  /** Failures to inject. Those of Hubu's side need the mock: real boundaries accept no faults. */
  faults?: HubuFaults & ProviderFaults & { artifact?: ArtifactFault }
  /** A prompt may say how its execution behaves: `[[sandbox: rejected]]` and the like (behaviour/behaviour.ts). Default off. */
  promptMarkers?: boolean
  /** What the fixture provider draws: fixed test vectors, or a picture for people that the prompt decides. Default `vectors`. */
  pictures?: Pictures
  /** Read answers are 403 for other accounts, and only this account is admitted. */
  boundAccountId?: string
  /** Timers. Default: node's. */
  after?: After
  /** Takes the JSON lines that the server logs. Default: nowhere. */
  log?: (line: string) => void
  hooks?: RunHooks
}

/** One target with a price for each image, one priced by size. */
export const defaultTargets: readonly TargetSetting[] = [
  imageTarget('sandbox', 'fixture', 'deterministic-image-v1'),
  imageTarget('sandbox', 'fixture', 'sized-image-v1'),
]

/** One cent an image, and a model priced by size without a 4k rule. */
export const defaultPrices: PriceCatalog = {
  version: 'sandbox-mock-v1',
  rules: [
    {
      ruleId: 'sandbox-image',
      provider: 'sandbox',
      model: 'deterministic-image-v1',
      components: [{ unit: 'image', rateNumeratorMinor: 1, rateDenominator: 1 }],
    },
    {
      ruleId: 'sandbox-sized-1k',
      provider: 'sandbox',
      model: 'sized-image-v1',
      imageSize: '1k',
      components: [{ unit: 'image', rateNumeratorMinor: 3, rateDenominator: 2 }],
    },
    {
      ruleId: 'sandbox-sized-2k',
      provider: 'sandbox',
      model: 'sized-image-v1',
      imageSize: '2k',
      components: [{ unit: 'image', rateNumeratorMinor: 101, rateDenominator: 10 }],
    },
  ],
}

/** Refuses settings and addresses that cannot be served. Throws an Error that names the setting, never a secret. */
export function checkOptions(options: GongbuOptions): void {
  const { settings = {} } = options
  for (const [name, token] of Object.entries(tokensOf(options)))
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`${name} must be printable and without spaces`)
  if (!isLoopback(options.host ?? '127.0.0.1')) throw new Error('host must be a loopback address')
  const delays = settings.recoveryDelaysMs ?? [1]
  if (delays.length < 1 || delays.length > 8 || !delays.every((one) => one > 0))
    throw new Error('recoveryDelaysMs takes one to eight positive delays')
  const { claim, settle, release, scenario, execution } = settings.faults ?? {}
  if (settings.mockHubu === undefined && [claim, settle, release].some((one) => one !== undefined && one !== 'none'))
    throw new Error('faults of claim, settle and release need the mock Hubu')
  if (scenario !== undefined && scenario !== 'success' && execution !== undefined && execution !== 'none')
    throw new Error('a provider scenario and an execution fault exclude each other')
  checkCatalog(settings.prices ?? defaultPrices)
}

function tokensOf(options: GongbuOptions): Record<string, string> {
  return {
    callerToken: options.callerToken,
    ...(options.operatorToken === undefined ? {} : { operatorToken: options.operatorToken }),
    ...(options.adminToken === undefined ? {} : { adminToken: options.adminToken }),
    ...(options.settings?.mockHubu === undefined ? { 'hubu.token': options.hubu.token } : {}),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** A target of the fixture provider. */
export function imageTarget(provider: string, adapter: string, model: string): TargetSetting {
  return { workloadType: 'image_generation', provider, adapter, model, version: 'v1', behaviour: 'fixture' }
}
