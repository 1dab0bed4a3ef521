import { isObject } from '../json/read.ts'
import type { Decision } from './row.ts'
import { WorkRefused } from './transaction.ts'

/** The largest spend result that is stored, in bytes of JSON. */
const spendResultLimitBytes = 1_048_576

/** A spend result that must not be stored. Hubu has already acted, so the caller reports an ambiguous outcome. */
export class SpendResultRefused extends WorkRefused {}

/** The columns that a spend result fills. */
export interface SpendColumns {
  decision: Decision
  decisionId: string | null
  authTokenId: string | null
  approvalRequestId: string | null
  authorizationExpiresAt: string | null
}

/**
 * Reads the continuation columns out of a sanitized result. `text` is its JSON. Throws SpendResultRefused for private
 * identity that survived, a result over the limit, an unsupported decision or a member of the wrong type.
 */
export function readSpendColumns(
  result: Record<string, unknown>,
  text: string,
  operationKey: string | null,
): SpendColumns {
  if (Buffer.byteLength(text) > spendResultLimitBytes) throw new SpendResultRefused('the result is too large')
  if (operationKey !== null && text.includes(operationKey))
    throw new SpendResultRefused('the result holds the private key')
  refusePrivateMembers(result)
  const decision = result.decision
  if (decision !== 'allow' && decision !== 'deny' && decision !== 'needs_approval') {
    throw new SpendResultRefused('the decision is missing or unsupported')
  }
  const approval = result.approval
  const approvalRequestId = isObject(approval) ? approval.approval_request_id : undefined
  return {
    decision,
    decisionId: textOrNull(result.decision_id),
    authTokenId: textOrNull(result.auth_token_id) ?? textOrNull(result.spend_auth_token_id),
    approvalRequestId: textOrNull(approvalRequestId),
    authorizationExpiresAt: textOrNull(result.authorization_expires_at),
  }
}

function textOrNull(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new SpendResultRefused('an identifier is not a text')
  return value
}

/** Throws for a private member. */
function refusePrivateMembers(value: unknown): void {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (isObject(next)) {
      if (Object.hasOwn(next, 'operation_key')) throw new SpendResultRefused('the result holds a private member')
      for (const member of Object.values(next)) open.push(member)
    }
  }
}
