import { ownership, type ToolName } from '#generated/ownership.js'
import { RouterError } from '../../errors/router-error.ts'
import type { Secret } from '../../redaction/secret.ts'
import type { HttpRequest } from '../http-client.ts'

/** What the router adds to a call's arguments; never authored by the model. */
export interface HubuAdditions {
  /** Further members of a POST body (`operation_key` and `task_id` of a spend). */
  readonly members?: Readonly<Record<string, unknown>>
  /** Needed by the two reconciliation tools, refused by all others. */
  readonly reconciliationCapability?: Secret
}

type Arguments = Readonly<Record<string, unknown>>
type Query = (readonly [name: string, value: string])[]

/** The header that the two reconciliation requests carry. */
export const capabilityHeader = 'x-hubu-reconciliation-capability'

/**
 * The HTTP request for a Hubu tool. `args` have passed the published schema. Throws a RouterError:
 * `arguments_invalid` when both selectors are given, a revision is negative or a value is no valid Unicode;
 * `reconciliation_capability_missing` or `_invalid`; `hubu_route_invalid` for a tool without a Hubu route.
 */
export function toHubuRequest(tool: ToolName, args: Arguments, added: HubuAdditions = {}): HttpRequest {
  const { owner, method, path } = ownership[tool]
  if (owner !== 'hubu' || !method || !path) throw routeInvalid()
  const headers = capabilityHeaders(tool, added.reconciliationCapability)
  if (method === 'GET') return { method, path: path + encodeQuery(queries[tool]?.(args) ?? []), headers }
  const body = JSON.stringify({ ...args, ...fixedMembers[tool], ...added.members })
  return { method, path, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Throws `hubu_route_invalid` unless the pair of method and path is in the routing table: the last gate before the network. */
export function assertHubuRoute({ method, path }: HttpRequest): void {
  if (!allowedRoutes.has(`${method} ${path.split('?', 1)[0]}`)) throw routeInvalid()
}

const allowedRoutes: ReadonlySet<string> = new Set(
  Object.values(ownership)
    .filter((row) => row.owner === 'hubu' && row.method !== null)
    .map((row) => `${row.method} ${row.path}`),
)

const fixedMembers: Partial<Record<ToolName, Arguments>> = { hubu_apply_policy: { source: 'mcp' } }

const queries: Partial<Record<ToolName, (args: Arguments) => Query>> = {
  hubu_show_policy: selector,
  hubu_export_policy: selector,
  hubu_policy_history: selector,
  hubu_policy_diff: (args) => [
    ...selector(args),
    ...revision('from_revision', args.from_revision),
    ...revision('to_revision', args.to_revision),
  ],
  hubu_show_spending_targets: includeAll,
  hubu_list_budgets: includeAll,
  hubu_get_executor_claim: ({ claim_id }) => [['claim_id', String(claim_id)]],
}

function selector({ policy_id, agent_id }: Arguments): Query {
  if (typeof policy_id === 'string' && typeof agent_id === 'string') {
    throw new RouterError('arguments_invalid', 'Give either policy_id or agent_id, not both.')
  }
  if (typeof policy_id === 'string') return [['policy_id', policy_id]]
  return typeof agent_id === 'string' ? [['agent_id', agent_id]] : []
}

function revision(name: string, value: unknown): Query {
  if (typeof value !== 'number') return []
  if (value < 0) throw new RouterError('arguments_invalid', `${name} must not be negative.`)
  return [[name, String(value)]]
}

function includeAll({ include_all }: Arguments): Query {
  return include_all === true ? [['all', 'true']] : []
}

function encodeQuery(query: Query): string {
  try {
    const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return pairs.length > 0 ? `?${pairs.join('&')}` : ''
  } catch (cause) {
    throw new RouterError('arguments_invalid', 'An argument holds half of a surrogate pair and cannot be sent.', {
      cause,
    })
  }
}

const reconciliationTools: ReadonlySet<ToolName> = new Set([
  'hubu_reconcile_vendor_billed_claim',
  'hubu_reconcile_vendor_did_not_bill_claim',
])

function capabilityHeaders(tool: ToolName, capability: Secret | undefined): Record<string, string> {
  if (!reconciliationTools.has(tool)) return {}
  if (!capability) {
    throw new RouterError('reconciliation_capability_missing', 'No reconciliation token is configured for this router.')
  }
  const value = capability.reveal()
  if (value.trim() === '' || !/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) {
    throw new RouterError('reconciliation_capability_invalid', 'The configured reconciliation token cannot be sent.')
  }
  return { [capabilityHeader]: value }
}

function routeInvalid(): RouterError {
  return new RouterError('hubu_route_invalid', 'The router has no such route at Hubu.')
}
