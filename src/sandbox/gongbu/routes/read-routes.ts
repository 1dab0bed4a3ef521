// What may be read: an execution, its artifacts, their bytes.
import type { Artifact } from '../artifacts/store.ts'
import type { Execution } from '../executions/execution.ts'
import { toResponse } from '../executions/response.ts'
import { failure, json, type ErrorCode } from './answers.ts'
import type { Answer } from './listener.ts'
import type { RouteParts } from './route-parts.ts'

/** Answers a read under `/v1`, given the path's segments; anything unknown is 404. */
export function answerRead(parts: RouteParts, path: string, segments: readonly string[]): Answer | Promise<Answer> {
  const [version, collection, id = '', part] = segments
  const isKnown = version === 'v1' && id !== ''
  if (isKnown && collection === 'executions' && segments.length === 3)
    return withExecution(parts, path, id, (execution) => json(200, toResponse(execution, 1)))
  if (isKnown && collection === 'executions' && part === 'artifacts' && segments.length === 4)
    return withExecution(parts, path, id, ({ executionId }) => {
      const artifacts = parts.artifacts.list(executionId).map(toListed)
      return json(200, { schema_version: 1, execution_id: executionId, artifacts })
    })
  if (isKnown && collection === 'artifacts' && segments.length === 3) return answerArtifact(parts, path, id)
  return failure(path, 'not_found')
}

/** Answers for an execution that exists and may be seen. */
export function withExecution(
  parts: RouteParts,
  path: string,
  executionId: string,
  answer: (execution: Execution) => Answer,
): Answer {
  const execution = parts.executions.byId(executionId)
  const refusal = refusalFor(parts, execution)
  return execution === undefined || refusal !== undefined ? failure(path, refusal ?? 'not_found') : answer(execution)
}

function refusalFor({ boundAccountId }: RouteParts, execution: Execution | undefined): ErrorCode | undefined {
  if (execution === undefined) return 'not_found'
  return boundAccountId !== undefined && execution.accountId !== boundAccountId ? 'forbidden' : undefined
}

/** The bytes, read again and compared before they are sent. */
async function answerArtifact(parts: RouteParts, path: string, artifactId: string): Promise<Answer> {
  const owner = parts.artifacts.byId(artifactId)?.executionId
  const refusal = refusalFor(parts, owner === undefined ? undefined : parts.executions.byId(owner))
  if (refusal !== undefined) return failure(path, refusal)
  const read = await parts.artifacts.read(artifactId)
  switch (read.kind) {
    case 'found':
      return { status: 200, contentType: read.artifact.mediaType, body: read.bytes }
    case 'corrupt':
      return failure(path, 'internal_error')
    case 'unknown':
      return failure(path, 'not_found')
  }
}

function toListed(artifact: Artifact) {
  return {
    artifact_id: artifact.artifactId,
    execution_id: artifact.executionId,
    kind: 'image',
    media_type: artifact.mediaType,
    size_bytes: artifact.sizeBytes,
    sha256: artifact.sha256,
    metadata: { height: artifact.height, width: artifact.width },
    metadata_schema_version: 1,
    created_at: artifact.createdAt,
  }
}
