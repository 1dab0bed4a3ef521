import type { ToolEntry } from '../catalog/catalog.ts'
import { checkArguments, violationSentence } from '../catalog/check-arguments.ts'
import { RouterError } from '../errors/router-error.ts'
import type { Findings } from '../json/findings.ts'

/** The schema gate of router and Hubu tools: `-32602` with what is wrong. */
export function requireArguments({ name }: ToolEntry, args: object, findings: Findings): void {
  const violations = checkArguments(name, args, findings)
  if (violations.length === 0) return
  throw new RouterError('schema_violation', violationSentence(name, violations), { data: { violations } })
}

/** `-32000` for a registry-dependent call while there is no registry. */
export function registryUnavailable(tool: string): RouterError {
  return new RouterError(
    'operation_registry_unavailable',
    `${tool} needs the operation registry, which is not available, so nothing was sent. ` +
      'The operator must set HUBU_UNIFIED_OPERATION_STATE_PATH to a usable file; hubu_unified_capabilities gives the reason.',
  )
}

/** The refusal of a spend of which nobody has looked whether it was tried before: its agent is told what holds if it was. */
export function withoutLookup({ code, message, details }: RouterError): RouterError {
  const advice =
    'If this call was delivered before, redeliver it unchanged with the same harness identity; do not submit a replacement.'
  return new RouterError(code, `${message} ${advice}`, { data: details })
}

/** `-32000` for a protected tool while client approval is not trusted. */
export function approvalGate({ name }: ToolEntry): RouterError {
  return new RouterError(
    'approval_gate_required',
    `${name} changes what agents may do, so a human must confirm each call in the client. The operator enables it with ` +
      'HUBU_MCP_TRUST_CLIENT_APPROVAL=1 once the client asks before protected tools.',
  )
}

/** The refusal of a name that no table knows. */
export function unknownTool(): RouterError {
  return new RouterError('tool_unknown', 'Unknown tool. tools/list names the tools that exist.')
}

/** `-32602` for params that are not what the method takes. */
export function invalidParams(what: string): RouterError {
  return new RouterError('params_invalid', `Invalid params: ${what}.`)
}
