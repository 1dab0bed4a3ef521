// The order in which one request is processed and the route table.
import { createHash, timingSafeEqual } from 'node:crypto'
import { executorContract } from '../hubu/http-hubu.ts'
import { failure, json } from './answers.ts'
import { answerCreate } from './create-routes.ts'
import type { Answer, Request } from './listener.ts'
import { answerAdmissionSwitch, answerReconciliation } from './operator-routes.ts'
import { answerRead } from './read-routes.ts'
import type { RouteParts } from './route-parts.ts'

/** Where a request goes. Everything that is no create, signal or switch is a read, and maybe unknown. */
type Destination =
  | { kind: 'create' }
  | { kind: 'reconciliation'; executionId: string }
  | { kind: 'admission-switch' }
  | { kind: 'read' }
  | { kind: 'unknown' }

/** Answers one request. */
export async function route(parts: RouteParts, request: Request): Promise<Answer> {
  const { method, path, body } = request
  const operational = method === 'GET' ? answerOperational(parts, path) : undefined
  if (operational !== undefined) return operational
  const segments = path.replace(/^\/+|\/+$/g, '').split('/')
  const destination = destinationOf(parts, method, segments)
  if (destination.kind === 'create' && !parts.readiness.isOpen()) return failure(path, 'not_ready')
  if (body === 'too-large') return { status: 413 }
  if (!isBearer(request.header('authorization'), tokenFor(parts, destination))) return failure(path, 'unauthorized')
  switch (destination.kind) {
    case 'create':
      return answerCreate(parts, path, body)
    case 'reconciliation':
      return answerReconciliation(parts, path, destination.executionId, body)
    case 'admission-switch':
      return answerAdmissionSwitch(parts, path, body)
    case 'read':
      return answerRead(parts, path, segments)
    case 'unknown':
      return failure(path, 'not_found')
  }
}

function answerOperational(parts: RouteParts, path: string): Answer | undefined {
  switch (path) {
    case '/livez':
      return json(200, { status: 'live' })
    case '/readyz':
      return parts.readiness.isOpen() ? json(200, { status: 'ready' }) : json(503, { status: 'not_ready' })
    case '/version':
      return json(200, versionDocument(parts.stamp))
    default:
      return undefined
  }
}

function destinationOf(parts: RouteParts, method: string, segments: readonly string[]): Destination {
  if (method === 'GET') return { kind: 'read' }
  const [version, collection, executionId = '', part] = segments
  if (method !== 'POST') return { kind: 'unknown' }
  switch (segments.join('/')) {
    case 'v2/executions':
      return { kind: 'create' }
    case 'sandbox/admission':
      return parts.tokens.admin === undefined ? { kind: 'unknown' } : { kind: 'admission-switch' }
  }
  const isSignal = version === 'v1' && collection === 'executions' && part === 'reconciliation' && segments.length === 4
  return isSignal && executionId !== '' ? { kind: 'reconciliation', executionId } : { kind: 'unknown' }
}

function tokenFor({ tokens }: RouteParts, destination: Destination): string {
  if (destination.kind === 'reconciliation') return tokens.operator
  return destination.kind === 'admission-switch' ? (tokens.admin ?? '') : tokens.caller
}

/** Whether a header is exactly `Bearer ` and the token; compared in constant time over digests. */
function isBearer(header: string | undefined, token: string): boolean {
  const presented = header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  return presented !== '' && timingSafeEqual(digest(presented), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The eight members, all always present. */
function versionDocument(stamp: { productVersion: string; sourceCommit: string }) {
  return {
    product_version: stamp.productVersion,
    source_commit: stamp.sourceCommit,
    build_id: 'local',
    api_schema_version: 2,
    mcp_protocol_version: '2024-11-05',
    mcp_schema_version: 2,
    server_config_schema_version: 2,
    hubu_executor_contract: executorContract,
  }
}
