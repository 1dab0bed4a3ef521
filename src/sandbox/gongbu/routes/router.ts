// The order in which one request is processed (G 1.3) and the route table (G 2.0).
import type { AdmissionRoom, Diagnostic } from '../admission/create.ts'
import type { ArtifactStore } from '../artifacts/store.ts'
import type { ExecutionStore } from '../executions/store.ts'
import type { Signal } from '../reconciliation/signal-body.ts'
import { failure, json } from './answers.ts'
import { answerCreate, answerLegacyCreate } from './create-routes.ts'
import { isBearer } from './credentials.ts'
import type { Answer, Request } from './listener.ts'
import { answerAdmissionSwitch, answerReconciliation } from './operator-routes.ts'
import { answerRead } from './read-routes.ts'
import type { Readiness } from './readiness.ts'
import { versionDocument } from './version.ts'

/** What the routes work with. */
export interface RouterRoom {
  admission: AdmissionRoom
  executions: ExecutionStore
  artifacts: ArtifactStore
  readiness: Readiness
  stamp: { productVersion: string; sourceCommit: string }
  tokens: { caller: string; operator: string; admin?: string }
  legacyCreate: boolean
  boundAccountId?: string
  /** Told about each refusal that carries a diagnostic. */
  onDiagnostic(routeVersion: 1 | 2, diagnostic: Diagnostic): void
  /** Records an operator signal and has it served; throws when that fails. */
  signal(executionId: string, signal: Signal): void
}

/** Where a request goes. Everything that is no create, signal or switch is a read, and maybe unknown. */
type Destination =
  | { kind: 'create' }
  | { kind: 'legacy-create' }
  | { kind: 'reconciliation'; executionId: string }
  | { kind: 'admission-switch' }
  | { kind: 'read' }
  | { kind: 'unknown' }

/** Answers one request. */
export async function route(room: RouterRoom, request: Request): Promise<Answer> {
  const { method, path, body } = request
  const operational = method === 'GET' ? answerOperational(room, path) : undefined
  if (operational !== undefined) return operational
  const segments = path.replace(/^\/+|\/+$/g, '').split('/')
  const destination = destinationOf(room, method, segments)
  const isCreate = destination.kind === 'create' || destination.kind === 'legacy-create'
  if (isCreate && !room.readiness.isOpen()) return failure(path, 'not_ready')
  if (body === 'too-large') return { status: 413 }
  if (!isBearer(request.header('authorization'), tokenFor(room, destination))) return failure(path, 'unauthorized')
  switch (destination.kind) {
    case 'create':
      return answerCreate(room, path, body)
    case 'legacy-create':
      return answerLegacyCreate(room, path, body)
    case 'reconciliation':
      return answerReconciliation(room, path, destination.executionId, body)
    case 'admission-switch':
      return answerAdmissionSwitch(room, path, body)
    case 'read':
      return answerRead(room, path, segments)
    case 'unknown':
      return failure(path, 'not_found')
  }
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

function destinationOf(room: RouterRoom, method: string, segments: readonly string[]): Destination {
  if (method === 'GET') return { kind: 'read' }
  const [version, collection, executionId = '', part] = segments
  if (method !== 'POST') return { kind: 'unknown' }
  switch (segments.join('/')) {
    case 'v2/executions':
      return { kind: 'create' }
    case 'v1/executions':
      return room.legacyCreate ? { kind: 'legacy-create' } : { kind: 'unknown' }
    case 'sandbox/admission':
      return room.tokens.admin === undefined ? { kind: 'unknown' } : { kind: 'admission-switch' }
  }
  const isSignal = version === 'v1' && collection === 'executions' && part === 'reconciliation' && segments.length === 4
  return isSignal && executionId !== '' ? { kind: 'reconciliation', executionId } : { kind: 'unknown' }
}

function tokenFor({ tokens }: RouterRoom, destination: Destination): string {
  if (destination.kind === 'reconciliation') return tokens.operator
  return destination.kind === 'admission-switch' ? (tokens.admin ?? '') : tokens.caller
}
