// How long authorizations and claims live. Pure.
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml'

/** Lifetimes in seconds. */
export interface LeaseConfiguration {
  authorizationTtlSeconds: number
  defaultLeaseProfile: string
  leaseProfiles: Readonly<Record<string, { claimTtlSeconds: number }>>
}

/** What holds when nothing is configured. */
export const defaultLeases: LeaseConfiguration = {
  authorizationTtlSeconds: 300,
  defaultLeaseProfile: 'default',
  leaseProfiles: { default: { claimTtlSeconds: 900 } },
}

/** Longer lifetimes than a hundred years are refused: they serve nobody and could run out of the calendar. */
const longestSeconds = 100 * 366 * 24 * 3600

/** Checks a configuration. Throws an Error that says what is wrong. */
export function checkLeases(leases: LeaseConfiguration): LeaseConfiguration {
  checkSeconds(leases.authorizationTtlSeconds, 'authorization_ttl_seconds')
  for (const [name, profile] of Object.entries(leases.leaseProfiles)) {
    if (name.trim() === '') throw new Error('a lease profile has a blank name')
    checkSeconds(profile.claimTtlSeconds, `claim_ttl_seconds of lease profile \`${name}\``)
  }
  if (!Object.hasOwn(leases.leaseProfiles, leases.defaultLeaseProfile))
    throw new Error(`default_lease_profile \`${leases.defaultLeaseProfile}\` is not one of lease_profiles`)
  return leases
}

/** Reads the YAML file of `HUBU_LEASE_CONFIG`. Throws an Error that says what is wrong. */
export function parseLeases(yaml: string): LeaseConfiguration {
  const document = parseDocument(yaml, { strict: true, uniqueKeys: true })
  const problem = document.errors[0]
  if (problem !== undefined) throw new Error(`lease configuration: ${problem.message.split('\n', 1)[0]}`)
  const top = members(document.contents, 'lease configuration', [
    'authorization_ttl_seconds',
    'default_lease_profile',
    'lease_profiles',
  ])
  const profiles = members(top.lease_profiles, 'lease_profiles')
  const defaultProfile = scalar(top.default_lease_profile)
  if (typeof defaultProfile !== 'string') throw new Error('default_lease_profile must be a name')
  return checkLeases({
    authorizationTtlSeconds: seconds(top.authorization_ttl_seconds, 'authorization_ttl_seconds'),
    defaultLeaseProfile: defaultProfile,
    leaseProfiles: Object.fromEntries(
      Object.entries(profiles).map(([name, node]) => {
        const profile = members(node, `lease profile \`${name}\``, ['claim_ttl_seconds'])
        return [name, { claimTtlSeconds: seconds(profile.claim_ttl_seconds, 'claim_ttl_seconds') }]
      }),
    ),
  })
}

/** The members of a mapping; with `keys`, exactly these. */
function members(node: unknown, what: string, keys?: readonly string[]): Record<string, unknown> {
  if (!isMap(node)) throw new Error(`${what} must be a mapping`)
  const found: Record<string, unknown> = Object.create(null)
  for (const { key, value } of (node as YAMLMap).items) {
    const name = isScalar(key) ? String(key.value) : ''
    if (keys !== undefined && !keys.includes(name)) throw new Error(`unknown key \`${name}\` in ${what}`)
    found[name] = value
  }
  for (const key of keys ?? []) if (!(key in found)) throw new Error(`missing key \`${key}\` in ${what}`)
  return found
}

function scalar(node: unknown): unknown {
  return isScalar(node) ? node.value : undefined
}

function seconds(node: unknown, what: string): number {
  const value = scalar(node)
  if (typeof value !== 'number') throw new Error(`${what} must be a whole number of seconds`)
  return value
}

function checkSeconds(value: number, what: string): void {
  if (!Number.isSafeInteger(value) || value <= 0 || value > longestSeconds)
    throw new Error(`${what} must be a whole number of seconds between 1 and ${longestSeconds}`)
}
