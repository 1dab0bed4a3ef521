// Pure: how the router names an operation whose client names no call, and how alike two purchases are.
import { createHash } from 'node:crypto'
import type { CallIdentity } from '../../identity/call-identity.ts'
import { canonicalJson, requestHash } from '../../json/canonical.ts'
import type { OperationRow } from '../row.ts'

/** The platform of operations that the router named; no harness can claim it. */
export const guardedPlatform = 'guarded'

/** What makes two calls of one principal the same purchase. */
export interface Intent {
  principal: string
  tool: string
  /** `request_hash`: tool name and all arguments. */
  fingerprint: string
  /** What a row's `installation_id` says of this principal; absent: all rows are looked at. */
  owner?: string
}

/**
 * The identity of the n-th purchase of an intent, counted from 1. Always the same for the same input, so that two processes
 * which would both allocate it compute the same primary key and the file admits one. It is no secret and of no use to
 * anybody: no call can carry it.
 */
export function guardedIdentity({ principal, tool, fingerprint }: Intent, generation: number): CallIdentity {
  const content = ['hubu-guarded-v1', principal, tool, fingerprint, String(generation)].join('\0')
  return {
    platform: guardedPlatform,
    harnessCallId: `guarded:v1:${createHash('sha256').update(content).digest('hex')}`,
    codexCallId: null,
    claudeToolUseId: null,
    hubuInvocationId: null,
    controlledInstallationId: null,
    taskId: null,
  }
}

/** Whether a row that the router named belongs to this intent's principal, as which of its purchases so ever. */
export function isNamedFor(
  row: Pick<OperationRow, 'platform' | 'harness_call_id'>,
  intent: Intent,
  generations: Iterable<number>,
): boolean {
  if (row.platform !== guardedPlatform) return false
  for (const generation of generations)
    if (guardedIdentity(intent, generation).harnessCallId === row.harness_call_id) return true
  return false
}

/** The hash of a purchase without its reason: 32 bytes. */
export function nearFingerprint(tool: string, args: object): Buffer {
  const { reason: _reason, ...rest } = args as Record<string, unknown>
  return Buffer.from(requestHash(tool, canonicalJson(rest)).slice('sha256:'.length), 'hex')
}
