import type { BackendRefusal, States } from '../capabilities/availability.ts'
import { refusalOf } from '../capabilities/availability.ts'
import type { ToolEntry } from '../catalog/catalog.ts'
import { codes } from '../errors/codes.ts'
import { RouterError } from '../errors/router-error.ts'
import { withoutLookup } from '../answers/refusals.ts'

/** Throws `-32010` when the owner, or for a create also Hubu, cannot serve the tool. */
export function requireBackend(entry: ToolEntry, states: States): void {
  const refusal = refusalOf(entry.name, states)
  if (refusal === null) return
  const error = backendError(refusal, entry)
  throw entry.row.approval_class === 'spend' ? withoutLookup(error) : error
}

/** The `-32010` error with its required data. */
export function backendError(code: BackendRefusal, { name, row }: ToolEntry, cause?: unknown): RouterError {
  const data = { tool: name, owner: row.owner, retryable: codes[code].retryable, capabilities_changed: true }
  return new RouterError(code, `${row.owner} cannot serve ${name} now (${code}). ${advice[code]}`, { data, cause })
}

const advice: Record<BackendRefusal, string> = {
  backend_unconfigured: 'The operator must configure its endpoint and token.',
  backend_unavailable: 'Try again later, or call hubu_unified_capabilities: it probes at once and says more.',
  backend_incompatible: 'The operator must install all parts from one release; hubu_unified_capabilities says more.',
  backend_not_ready: 'Try again later; hubu_unified_capabilities says more.',
}
