// The profiles that a gongbu-diff check asks for, as settings of our Gongbu.
import type { ProviderBehaviour, TargetSetting } from '../src/sandbox/gongbu/admission/targets.ts'
import type { PriceRule } from '../src/sandbox/gongbu/prices/catalog.ts'
import type { GongbuSettings } from '../src/sandbox/gongbu/settings.ts'
import type { LeaseConfiguration } from '../src/sandbox/hubu/server.ts'

/** One profile: what its fleet entry says, and how the server is set. */
export interface Profile {
  entry: { target: string; price_minor: number } & Record<string, unknown>
  settings: GongbuSettings
  /** Settings that replace others when the check restarts the server with a variant's name. */
  variants?: Record<string, GongbuSettings>
  /** Provider and adapter whose scope the scripted Hubu grants. Default: the local fixture. */
  scopeOf?: readonly [string, string]
  /** Stands in front of our own Hubu instead of a scripted one. */
  embeddedHubu?: boolean
}

const plain = 'deterministic-image-v1'
/** Lease profiles that the check names. */
export const fleetLeases: LeaseConfiguration = {
  authorizationTtlSeconds: 300,
  defaultLeaseProfile: 'default',
  leaseProfiles: { default: { claimTtlSeconds: 900 }, image_generation: { claimTtlSeconds: 900 } },
}
const recovery = { recoveryDelaysMs: [2000, 2000, 2000] }
const rarely = { hubuCheckIntervalMs: 3_600_000 }

function target(model: string, over: Partial<TargetSetting> = {}): TargetSetting {
  return {
    workloadType: 'image_generation',
    provider: 'sandbox',
    adapter: 'fixture',
    model,
    version: 'v1',
    behaviour: 'fixture',
    ...over,
  }
}

function flat(model: string, minor: number): PriceRule {
  const components = [{ unit: 'image' as const, rateNumeratorMinor: minor, rateDenominator: 1 }]
  return { ruleId: `flat-${model}`, provider: 'sandbox', model, components }
}

const named = (model: string) => `image_generation/sandbox/fixture/${model}`

/** Stands in for a live adapter whose provider cannot be reached or stays silent. */
function live(behaviour: ProviderBehaviour): Profile {
  return {
    entry: { target: `image_generation/google/gemini_image/${plain}`, price_minor: 1, recovery_ms: 2000 },
    settings: {
      ...recovery,
      ...rarely,
      targets: [target(plain, { provider: 'google', adapter: 'gemini_image', behaviour })],
      prices: { version: 'fleet', rules: [{ ...flat(plain, 1), provider: 'google' }] },
    },
    scopeOf: ['google', 'gemini_image'],
  }
}

/** Profiles in front of a Hubu over HTTP. */
export const fleetProfiles: Readonly<Record<string, Profile>> = {
  main: {
    entry: {
      target: named(plain),
      price_minor: 1,
      maximum_spend_minor: 3,
      recovery_ms: 2000,
      disabled_target: named('disabled-v1'),
      inactive_target: named('retired-v1'),
      can: ['files', 'variants'],
    },
    settings: {
      ...recovery,
      ...rarely,
      // Slow enough to be seen at work, as the check expects.
      providerDelayMs: 250,
      maximumSpendMinor: 3,
      targets: [
        target(plain),
        target('disabled-v1', { executionEnabled: false }),
        target('retired-v1', { active: false }),
      ],
      prices: { version: 'fleet', rules: [flat(plain, 1), flat('disabled-v1', 1), flat('retired-v1', 1)] },
    },
    variants: {
      'disabled-and-dearer': {
        targets: [target(plain, { executionEnabled: false })],
        prices: { version: 'fleet-2', rules: [flat(plain, 2)] },
      },
    },
  },
  sized: { entry: { target: named('sized-image-v1'), price_minor: 2 }, settings: { ...recovery, ...rarely } },
  manual: {
    entry: { target: named(plain), price_minor: 1 },
    settings: { ...rarely, recoveryDelaysMs: [86_400_000] },
  },
  tiny: {
    entry: { target: named(plain), price_minor: 1, recovery_ms: 2000 },
    settings: { ...recovery, ...rarely, maximumArtifactBytes: 40 },
  },
  fragile: {
    entry: { target: named(plain), price_minor: 1 },
    settings: { ...recovery, hubuCheckIntervalMs: 500 },
  },
  ambiguous: live('ambiguous'),
  hanging: live('hanging'),
  scripted: {
    entry: { target: named(plain), price_minor: 1, can: ['unique-ids'] },
    settings: { ...recovery, ...rarely, targets: [target(plain, { behaviour: 'scripted' })] },
  },
  real: {
    entry: { target: named(plain), price_minor: 1 },
    settings: { ...recovery, ...rarely },
    embeddedHubu: true,
  },
}

function sandbox(faults: GongbuSettings['faults'] = {}): Profile {
  return { entry: { target: named(plain), price_minor: 1 }, settings: { mockHubu: {}, faults } }
}

/** Profiles with the mock Hubu, one for each failure of G 5.5; started when they are needed. */
export const sandboxProfiles: Readonly<Record<string, Profile>> = {
  sandbox: sandbox(),
  'sandbox.claim-proven': sandbox({ claim: 'proven_before_mutation' }),
  'sandbox.claim-lost': sandbox({ claim: 'commit_then_disconnect' }),
  'sandbox.settle-proven': sandbox({ settle: 'proven_before_mutation' }),
  'sandbox.settle-lost': sandbox({ settle: 'commit_then_disconnect' }),
  'sandbox.release-proven': sandbox({ scenario: 'proven_rejection', release: 'proven_before_mutation' }),
  'sandbox.release-lost': sandbox({ scenario: 'proven_rejection', release: 'commit_then_disconnect' }),
  'sandbox.provider-rejected': sandbox({ scenario: 'proven_rejection' }),
  'sandbox.provider-fault-proven': sandbox({ execution: 'proven_before_mutation' }),
  'sandbox.provider-ambiguous': sandbox({ scenario: 'timeout_ambiguous' }),
  'sandbox.provider-fault-lost': sandbox({ execution: 'commit_then_disconnect' }),
  'sandbox.provider-malformed': sandbox({ scenario: 'malformed_response' }),
  'sandbox.artifact-proven': sandbox({ artifact: 'proven_before_mutation' }),
  'sandbox.artifact-lost': sandbox({ artifact: 'commit_then_disconnect' }),
}
