// The order in which one request is processed (G 1.3) and the route table (G 2.0).
import { create, type AdmissionRoom, type Diagnostic } from '../admission/create.ts'
import { decodeCreate } from '../admission/request-body.ts'
import type { Artifact, ArtifactStore } from '../artifacts/store.ts'
import type { Execution } from '../executions/execution.ts'
import { toResponse } from '../executions/response.ts'
import type { ExecutionStore } from '../executions/store.ts'
import { failure, json, type ErrorCode } from './answers.ts'
import { isBearer } from './credentials.ts'
import type { Answer, Request } from './listener.ts'
import type { Readiness } from './readiness.ts'
import { versionDocument } from './version.ts'

export interface RouterRoom {
  admission: AdmissionRoom
  executions: ExecutionStore
  artifacts: ArtifactStore
  readiness: Readiness
  stamp: { productVersion: string; sourceCommit: string }
  callerToken: string
  boundAccountId?: string
  /** Told about each refusal that carries a diagnostic. */
  onDiagnostic(routeVersion: 1 | 2, diagnostic: Diagnostic): void
}

/** Answers one request. */
export async function route(room: RouterRoom, request: Request): Promise<Answer> {
  const { method, path } = request
  const operational = method === 'GET' ? answerOperational(room, path) : undefined
  if (operational !== undefined) return operational
  const segments = path.replace(/^\/+|\/+$/g, '').split('/')
  const isCreate = method === 'POST' && segments.join('/') === 'v2/executions'
  if (isCreate && !room.readiness.isOpen()) return failure(path, 'not_ready')
  if (request.body === 'too-large') return { status: 413 }
  if (!isBearer(request.authorization, room.callerToken)) return failure(path, 'unauthorized')
  if (isCreate) return answerCreate(room, path, request.body)
  return answerRead(room, request, segments)
}

function answerOperational(room: RouterRoom, path: string): Answer | undefined {
  switch (path) {
    case '/livez':
      return json(200, { status: 'live' })
    case '/readyz':
      return room.readiness.isOpen() ? json(200, { status: 'ready' }) : json(503, { status: 'not_ready' })
    case '/version':
      return json(200, versionDocument(room.stamp))
    default:
      return undefined
  }
}

async function answerCreate(room: RouterRoom, path: string, body: Buffer): Promise<Answer> {
  const request = decodeCreate(body)
  if (request === undefined) return failure(path, 'invalid_request')
  const admission = await create(room.admission, request)
  switch (admission.kind) {
    case 'admitted':
      return json(200, toResponse(admission.execution, 2))
    case 'invalid':
      if (admission.diagnostic !== undefined) room.onDiagnostic(2, admission.diagnostic)
      return failure(path, 'invalid_request', admission.diagnostic)
    case 'conflict':
      return failure(path, 'immutable_scope_conflict')
    case 'internal':
      return failure(path, 'internal_error')
  }
}

async function answerRead(room: RouterRoom, { method, path }: Request, segments: readonly string[]): Promise<Answer> {
  const [version, collection, id = '', part] = segments
  const isRead = method === 'GET' && version === 'v1' && id !== ''
  if (isRead && collection === 'executions' && segments.length === 3)
    return withExecution(room, path, id, (execution) => json(200, toResponse(execution, 1)))
  if (isRead && collection === 'executions' && part === 'artifacts' && segments.length === 4)
    return withExecution(room, path, id, ({ executionId }) =>
      json(200, {
        schema_version: 1,
        execution_id: executionId,
        artifacts: room.artifacts.list(executionId).map(toListed),
      }),
    )
  if (isRead && collection === 'artifacts' && segments.length === 3) return answerArtifact(room, path, id)
  return failure(path, 'not_found')
}

/** Answers for an execution that exists and may be seen. */
function withExecution(
  room: RouterRoom,
  path: string,
  executionId: string,
  answer: (execution: Execution) => Answer,
): Answer {
  const execution = room.executions.byId(executionId)
  if (execution === undefined) return failure(path, 'not_found')
  const refusal = refusalFor(room, execution)
  return refusal === undefined ? answer(execution) : failure(path, refusal)
}

function refusalFor(room: RouterRoom, execution: Execution): ErrorCode | undefined {
  const { boundAccountId } = room
  return boundAccountId !== undefined && execution.accountId !== boundAccountId ? 'forbidden' : undefined
}

/** The bytes, read again and compared before they are sent (G 2.6). */
async function answerArtifact(room: RouterRoom, path: string, artifactId: string): Promise<Answer> {
  const owner = room.artifacts.byId(artifactId)?.executionId
  const execution = owner === undefined ? undefined : room.executions.byId(owner)
  const refusal = execution === undefined ? 'not_found' : refusalFor(room, execution)
  if (refusal !== undefined) return failure(path, refusal)
  const read = await room.artifacts.read(artifactId)
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
