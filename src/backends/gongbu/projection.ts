import type { GongbuArtifactList, GongbuExecution } from '#generated/types/backends.js'
import { isObject } from '../../json/read.ts'
import { withoutKeys } from '../../redaction/private-operation.ts'
import { mapStrings, privateOperationMarker, replaceAll } from '../../redaction/replace.ts'

/** How every private operation key begins, ours and other routers'. */
const keyPrefix = 'hubu:operation:v1:'

/** An execution as the agent sees it: no private key, no unknown member. */
export type PublicExecution = Pick<GongbuExecution, PublicMember> & { operation_handle?: string }

type PublicMember =
  | 'schema_version'
  | 'execution_id'
  | 'status'
  | 'outcome'
  | 'failure'
  | 'authorization'
  | 'created_at'
  | 'updated_at'
  | 'started_at'
  | 'completed_at'

/**
 * The public projection of an execution. The execution's own key is replaced wherever it occurs in a
 * string; a string that still shows some operation key is replaced whole. `operationHandle` is given exactly when the
 * registry knows the execution.
 */
export function toPublicExecution(execution: GongbuExecution, operationHandle?: string): PublicExecution {
  const { operation_key: key, failure, authorization } = execution
  const projection: PublicExecution = {
    schema_version: execution.schema_version,
    execution_id: execution.execution_id,
    status: execution.status,
    outcome: execution.outcome,
    failure: failure && { code: failure.code, message: failure.message },
    authorization: { amount_minor: authorization.amount_minor, currency: authorization.currency },
    created_at: execution.created_at,
    updated_at: execution.updated_at,
    started_at: execution.started_at,
    completed_at: execution.completed_at,
  }
  const redacted = mapStrings(withoutKeys(projection), (text) =>
    hideKeys(replaceAll(text, [key], privateOperationMarker)),
  )
  return {
    ...(redacted as PublicExecution),
    ...(operationHandle !== undefined && { operation_handle: operationHandle }),
  }
}

/** The list as the agent sees it: known members only, metadata scrubbed. */
export function toPublicArtifacts(list: GongbuArtifactList): GongbuArtifactList {
  return {
    schema_version: list.schema_version,
    execution_id: list.execution_id,
    artifacts: list.artifacts.map((artifact) => ({
      artifact_id: hideKeys(artifact.artifact_id),
      execution_id: artifact.execution_id,
      kind: hideKeys(artifact.kind),
      media_type: hideKeys(artifact.media_type),
      size_bytes: artifact.size_bytes,
      sha256: hideKeys(artifact.sha256),
      metadata: scrubMetadata(artifact.metadata),
      metadata_schema_version: artifact.metadata_schema_version,
      created_at: hideKeys(artifact.created_at),
    })),
  }
}

/** Artifact metadata without storage places, operation keys and whatever is named like a credential. */
export function scrubMetadata(metadata: unknown): unknown {
  if (typeof metadata === 'string') return hideKeys(metadata)
  if (Array.isArray(metadata)) return metadata.map(scrubMetadata)
  if (!isObject(metadata)) return metadata
  const members = Object.entries(metadata).map(([name, value]) => ({ name, value, lower: name.toLowerCase() }))
  return Object.fromEntries(
    members
      .filter(({ lower }) => !isDropped(lower))
      .map(({ name, value, lower }) => [hideKeys(name), isCredential(lower) ? '[REDACTED]' : scrubMetadata(value)]),
  )
}

function isDropped(lower: string): boolean {
  const isPlace = lower.includes('storage_key') || lower.includes('storage_path')
  return isPlace || lower === 'operation_key' || lower === 'path' || lower.endsWith('_path')
}

function isCredential(lower: string): boolean {
  return ['token', 'secret', 'credential', 'authorization', 'header'].some((word) => lower.includes(word))
}

function hideKeys(text: string): string {
  return text.includes(keyPrefix) ? privateOperationMarker : text
}
