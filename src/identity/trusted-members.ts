import { RouterError } from '../errors/router-error.ts'

/** Names of trusted platform state that a model may not put among spend arguments. */
const trustedSpendMembers = [
  ...['operation_key', 'operation_handle', 'task_id', 'platform', 'installation_id', 'invocation_id', 'call_id'],
  ...['callId', 'tool_use_id', 'claudecode/toolUseId', '_meta'],
  ...['purchase', 'confirms', 'hubu.dev/purchase'],
]

/** Throws `trusted_argument_rejected` when spend arguments name trusted platform state; names the key, not its value. */
export function refuseTrustedSpendMembers(args: object): void {
  const found = trustedSpendMembers.find((name) => Object.hasOwn(args, name))
  if (found === undefined) return
  throw new RouterError(
    'trusted_argument_rejected',
    `The argument ${JSON.stringify(found)} is trusted platform state and is never a model argument. Leave it out; the harness supplies it.`,
  )
}

/** Names that would override identity, credentials or lifecycle inside an execution's input. */
const protectedInputMembers = new Set([
  ...[
    'operation_key',
    'operation_handle',
    'task_id',
    'auth_token_id',
    'spend_auth_token_id',
    'decision_id',
    'claim_id',
  ],
  ...['hubu_claim_id', 'execution_id', 'execution_status', 'continuation_state', 'lifecycle_state', 'gongbu_status'],
  ...['endpoint', 'base_url', 'api_key', 'credential', 'credentials', 'authorization_header', 'bearer_token', 'header'],
  ...['headers', 'retry', 'retries', 'max_retries', 'retry_delay', 'retry_backoff'],
])

/** Whether an execution's input tries, at any depth, to set what only the router and Gongbu may set. */
export function hasProtectedInput(input: unknown): boolean {
  const open: unknown[] = [input]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (protectedInputMembers.has(name.toLowerCase().replaceAll('-', '_'))) return true
        open.push(member)
      }
    }
  }
  return false
}
