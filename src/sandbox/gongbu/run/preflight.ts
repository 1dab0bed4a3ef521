// Everything that is checked before money moves.
import { isObject } from '../json/canonical.ts'
import { readJson, type JsonObject } from '../json/json-text.ts'
import type { Target } from '../admission/targets.ts'
import type { Execution } from '../executions/execution.ts'
import { isConsistent } from '../prices/estimate.ts'
import { fail, spendRequestOf, type RunParts } from './parts.ts'

/** Runs the checks; the execution is then `failed`, or still `preflighting` with all of them passed. */
export async function preflight(parts: RunParts, execution: Execution): Promise<void> {
  const now = parts.timestamp()
  const current =
    execution.status === 'pending'
      ? parts.executions.change(execution, { status: 'preflighting', startedAt: now }, now)
      : execution
  const validated = await parts.hubu.validate(spendRequestOf(current))
  if (validated.kind !== 'ok') return fail(parts, current, validated.code)
  const refusal = providerRefusal(parts, current)
  if (refusal !== undefined) return fail(parts, current, refusal)
  if (!(await parts.artifacts.isWritable())) return fail(parts, current, 'artifact_preflight_failed')
  const at = parts.timestamp()
  parts.executions.change(current, { preflightPassedAt: at }, at)
}

/** Why the provider cannot take the execution, as a failure code, or undefined. No effect outside. */
export function providerRefusal(parts: RunParts, execution: Execution): string | undefined {
  const target = parts.targets.pinned(execution, execution.targetVersion)
  if (target === undefined) return 'provider_target_unavailable'
  if (target.digest !== execution.targetDigest) return 'provider_target_mismatch'
  if (!isConsistent(execution.price)) return 'pricing_snapshot_invalid'
  if (execution.price.estimated_amount_minor > execution.amountMinor) return 'authorization_invalid'
  return parts.provider(target.behaviour).preflight({
    input: inputOf(execution),
    inputSchemaVersion: execution.inputSchemaVersion,
  })
}

/** The target revision that the execution was admitted with. Throws when it is gone. */
export function targetOf(parts: RunParts, execution: Execution): Target {
  const target = parts.targets.pinned(execution, execution.targetVersion)
  if (target === undefined) throw new Error('the target of the execution is not configured')
  return target
}

/** The stored input. */
export function inputOf(execution: Execution): JsonObject {
  const text = readJson(Buffer.from(execution.normalizedInput))
  if (text.kind !== 'json' || !isObject(text.value)) throw new Error('the stored input is not a JSON object')
  return text.value
}
