// Pure: who is paid for what, derived from provider and adapter.

/** An identity in a scope. */
export interface ScopeIdentity {
  id: string
  display_name: string
}

/** The scope that Hubu authorizes and Gongbu derives; wire form, so that it can be compared and sent as it is. */
export interface ExecutionScope {
  /** 1 in every scope that Gongbu derives. */
  schema_version: number
  provider: ScopeIdentity
  executor: ScopeIdentity
  capability: ScopeIdentity
  billing_merchant: ScopeIdentity
}

const identity = (id: string, display_name: string): ScopeIdentity => ({ id, display_name })
type Parties = readonly [provider: ScopeIdentity, billingMerchant: ScopeIdentity]
const local: Parties = [
  identity('provider:local:fixture', 'Local fixture provider'),
  identity('merchant:local', 'Local merchant'),
]
const parties: ReadonlyMap<string, Parties> = new Map([
  [
    'google/gemini_image',
    [
      identity('provider:google:gemini-vertex', 'Google Gemini on Vertex AI'),
      identity('merchant:google-cloud', 'Google Cloud'),
    ],
  ],
  [
    'google/gemini_developer_image',
    [
      identity('provider:google:gemini-developer', 'Google Gemini Developer API'),
      identity('merchant:google', 'Google'),
    ],
  ],
  [
    'flux/flux2_api',
    [
      identity('provider:black-forest-labs:flux', 'Black Forest Labs FLUX'),
      identity('merchant:black-forest-labs', 'Black Forest Labs'),
    ],
  ],
  ['ideogram/ideogram_image', [identity('provider:ideogram', 'Ideogram'), identity('merchant:ideogram', 'Ideogram')]],
  ['sandbox/fixture', local],
  ['example/fixture', local],
  ['mock/deterministic', local],
])

/** The scope of a provider and adapter, or undefined when the pair cannot be executed. */
export function scopeOf(provider: string, adapter: string): ExecutionScope | undefined {
  const found = provider === 'local-mock' ? local : parties.get(`${provider}/${adapter}`)
  if (found === undefined) return undefined
  return {
    schema_version: 1,
    provider: found[0],
    executor: identity('executor:gongbu:image', 'Gongbu image executor'),
    capability: identity('capability:image:generate', 'Generate image'),
    billing_merchant: found[1],
  }
}

/** Whether two scopes agree in everything, display names included. */
export function sameScope(a: ExecutionScope, b: ExecutionScope): boolean {
  const parts = ['provider', 'executor', 'capability', 'billing_merchant'] as const
  return (
    a.schema_version === b.schema_version &&
    parts.every((part) => a[part].id === b[part].id && a[part].display_name === b[part].display_name)
  )
}
